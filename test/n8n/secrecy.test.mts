/** Nothing that n8n writes holds a secret: shown after executions of every kind. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { owner, type StoredWorkflow } from '../../testbed/n8n/n8n.mts';
import { until } from '../../testbed/until.mts';
import { findSecrets, findSecretsInFiles, secretsOf } from '../../testbed/secrets.mts';
import { credentialData } from '../../testbed/stage.mts';
import { byId, createChain, portal, portalTrigger } from '../../testbed/workflowBuilder.mts';
import { seed } from '../../simulator/index.mts';
import { post, signatureHeader } from './delivery.mts';
import { expectNoSecrets, staticDataIn } from './noSecrets.mts';
import { runOnce } from './runs.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();
const read = (proposalId: number | string) =>
	portal({ resource: 'proposal', operation: 'get', proposalId: byId(proposalId), simplify: false });

let workflow: StoredWorkflow;
beforeAll(async () => {
	const { n8n, simulator, credential } = stage();
	workflow = await createChain(stage(), 'Leaves traces', [
		portalTrigger(['proposal.status_changed']),
		read('={{ $json.data.id }}'),
	]);
	await n8n.activate(workflow);
	const ended = () =>
		n8n.executions({ workflowId: workflow.id }).filter(({ stoppedAt }) => stoppedAt !== null);
	for (const [index, status] of ['Accepted', 'Completed', 'Delayed', 'Expired'].entries()) {
		simulator.control.setStatus(seed.proposals.submitted, status);
		await until('the execution', () => ended()[index]);
		await runOnce(stage(), `Read ${index}`, [read(seed.proposals.submitted)]);
		const [subscription] = simulator.control.subscriptions();
		const body = `{"id":"evt_${index}","type":"proposal.status_changed","data":{"id":1}}`;
		await post(String(subscription!.url), body, signatureHeader(body, 'another secret'));
	}
	await n8n.testCredential(credential);
	const data = { ...credentialData(simulator), password: 'wrong in a third way' };
	const wrong = await n8n.createCredential('Wrong', 'portalIoApi', data);
	await n8n.testCredential(wrong);
	for (const proposalId of [seed.proposals.submitted, 999_999]) {
		await runOnce(stage(), 'Refused', [read(proposalId)], wrong);
		await runOnce(stage(), 'Not found or not', [read(proposalId)]);
	}
});

afterAll(async () => await stage().n8n.deactivate(workflow));

describe('what n8n writes', () => {
	test('holds no password, key, secret or signature: log, executions, database, files', () => {
		const { n8n } = stage();
		const executions = n8n.executions();
		expect(executions.length).toBeGreaterThan(10);
		// Of an execution that is not saved n8n keeps the beginning, as running, until it cleans up.
		const statuses = executions.map(({ status }) => status);
		expect(statuses).toEqual(expect.arrayContaining(['success', 'error']));
		expectNoSecrets(stage());
	});

	test('is really searched', () => {
		const { n8n, simulator } = stage();
		expect(findSecretsInFiles(n8n.folder, { email: owner.email })).not.toEqual([]);
		expect(Object.keys(secretsOf(simulator)).length).toBeGreaterThan(10);
		expect(n8n.logs()).not.toBe('');
	});

	test('keeps in static data what the triggers verify deliveries with', () => {
		const { n8n, simulator } = stage();
		const secret = String(simulator.control.subscriptions()[0]!.secret_key);
		const holders = staticDataIn(n8n.folder).filter(
			(staticData) => findSecrets(staticData, { secret }).length > 0,
		);
		expect(holders).toHaveLength(1);
	});

	test('the simulated service has received nothing that its contract does not allow', () => {
		expect(stage().simulator.control.contractViolations).toEqual([]);
	});
});
