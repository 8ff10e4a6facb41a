/** What an execution shows when the service refuses, and when the user key has expired. */
import { describe, expect, test } from 'vitest';
import { until } from '../../testbed/until.mts';
import type { Execution } from '../../testbed/n8n/database.mts';
import { itemsOf } from '../../testbed/n8n/database.mts';
import { findSecrets, secretsOf } from '../../testbed/secrets.mts';
import { credentialData } from '../../testbed/stage.mts';
import { seed } from '../../simulator/index.mts';
import { byId, createChain, portal, portalTrigger } from '../../testbed/workflowBuilder.mts';
import { exchangesIn, newRequests, runOnce } from './runs.mts';
import { sharedStage } from './stages.mts';

const rename = (proposalId: number) =>
	portal({
		resource: 'proposal',
		operation: 'update',
		proposalId: byId(proposalId),
		updateFields: { name: 'Another name' },
	});
const read = (proposalId: number | string) =>
	portal({ resource: 'proposal', operation: 'get', proposalId: byId(proposalId), simplify: false });

const stage = sharedStage();

/** The failed execution keeps none of the secrets, of ours or of the credential it ran with. */
function expectNoSecrets(execution: Execution, own: Record<string, string> = {}) {
	const { password, secretKey } = own;
	const secrets = {
		...secretsOf(stage().simulator),
		...(password && { 'own password': password }),
		...(secretKey && { 'own secret': secretKey }),
	};
	expect(findSecrets(execution.stored, secrets)).toEqual([]);
}

describe('an execution that the service refuses', () => {
	test('says that the state of the proposal prevents the change', async () => {
		const execution = await runOnce(stage(), '409', [rename(seed.proposals.accepted)]);
		expect(execution.status).toBe('error');
		expect(execution.error).toMatchObject({
			message: expect.stringMatching(/state prevents/),
			description: expect.stringMatching(/Accepted/),
			httpCode: '409',
		});
		expectNoSecrets(execution);
	});

	const accounts: Record<string, { changes: Record<string, string>; message: RegExp }> = {
		'the subscription of the dealer has lapsed': {
			changes: { ...seed.lapsed },
			message: /subscription.*(inactive|expired)/i,
		},
		'the password is wrong': {
			changes: { password: 'wrong as well' },
			message: /email or password/i,
		},
		'the secret key is wrong': {
			changes: { secretKey: 'c3RpbGwgbm90IGl0' },
			message: /signature|secret key/i,
		},
	};
	test.for(Object.keys(accounts))('says that %s', async (which) => {
		const { n8n, simulator } = stage();
		const { changes, message } = accounts[which]!;
		const data = { ...credentialData(simulator), ...changes };
		const credential = await n8n.createCredential(which, 'portalIoApi', data);
		const execution = await runOnce(stage(), which, [read(seed.proposals.submitted)], credential);
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toMatch(message);
		expectNoSecrets(execution, data);
	});
});

describe('an expired user key', () => {
	test('costs a manual execution one exchange and nothing else', async () => {
		const { control } = stage().simulator;
		await runOnce(stage(), 'Key in use', [read(seed.proposals.accepted)]);
		control.expireUserKeys();
		const requests = newRequests(stage());
		const execution = await runOnce(stage(), 'Key expired', [read(seed.proposals.accepted)]);
		expect(execution.status).toBe('success');
		expect(itemsOf(execution, 'Portal.io')).toMatchObject([{ id: seed.proposals.accepted }]);
		expect(exchangesIn(requests())).toBe(1);
	});

	test('costs an execution by webhook one exchange and nothing else', async () => {
		const { n8n, simulator } = stage();
		const { control } = simulator;
		const workflow = await createChain(stage(), 'Key expired, by webhook', [
			portalTrigger(['proposal.status_changed']),
			read('={{ $json.data.id }}'),
		]);
		await n8n.activate(workflow);
		control.expireUserKeys();
		const requests = newRequests(stage());
		control.accept(seed.proposals.viewed);
		const execution = await until('the execution', () =>
			n8n.executions({ workflowId: workflow.id }).find(({ stoppedAt }) => stoppedAt !== null),
		);
		await n8n.deactivate(workflow);
		expect(execution).toMatchObject({ status: 'success', mode: 'webhook' });
		expect(itemsOf(execution, 'Portal.io')).toMatchObject([{ id: seed.proposals.viewed }]);
		expect(exchangesIn(requests())).toBe(1);
	});
});
