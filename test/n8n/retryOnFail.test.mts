/** Tests *Retry On Fail* in a sub-workflow. For other cases, see test/wire/retryOnFail.test.mts. */
import { expect, it } from 'vitest';
import { base, chain, portal } from '../../dev/testbed/workflowBuilder.mts';
import { sharedEnvironment } from './environments.mts';
import { newRequests, runOnce } from './executions.mts';

const environment = sharedEnvironment();
const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };

const input = base('Input', 'executeWorkflowTrigger', { inputSource: 'passthrough' }, 1.1);

it('creates a record only once per sub-workflow execution, even if the step is retried', async () => {
	const create = portal({
		resource: 'location',
		operation: 'create',
		contactId: '={{ $json.contactId }}',
		street: '4 Elm Street',
	});
	const { credential } = environment();
	const workflow = chain('Sub-workflow', [input, { ...create, ...retry }], credential);
	const parameters = { source: 'parameter', workflowJson: JSON.stringify(workflow) };
	const execute = base('Execute Sub-workflow', 'executeWorkflow', parameters, 1.2);
	const requests = newRequests(environment());
	// Use a nonexistent contact in the second record, because only Portal.io can reject it.
	const records = [{ contactId: 5105 }, { contactId: 999_999 }];
	const { error } = await runOnce(environment(), [{ ...execute, ...retry }], { input: records });
	expect(error?.message).toBe('Input item 1: No record found with this ID');
	const created = requests().filter(
		({ operationId, status }) => operationId === 'location.create' && status < 400,
	);
	// Expect one location for each of the sub-workflow's two executions, each of which tried its step twice.
	expect(created).toHaveLength(2);
});
