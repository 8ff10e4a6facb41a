/** The examples from an audio file to a built proposal, in a real n8n. */
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { StoredWorkflow } from '../../dev/testbed/n8n/n8n.mts';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { seed } from '../../dev/simulator/index.mts';
import { firstFinished, submitForm } from '../../dev/testbed/activeWorkflow.mts';
import { until } from '../../dev/testbed/until.mts';
import { redeliver } from './delivery.mts';
import { finishedExecutions, newRequests, nextExecution } from './handRuns.mts';
import { ownEnvironment } from './environments.mts';

const examples = [
	'Walk-through recording to proposal',
	'Recording to outline',
	'Outline to proposal',
];
const environment = ownEnvironment({ examples });

const recording = randomBytes(100_000);

/** Fills in the form of a workflow that is published, as a person with a phone; returns its last page. */
const send = (workflow: StoredWorkflow, proposal: string, fileName: string) => {
	const content = new Blob([recording], { type: 'audio/wav' });
	return submitForm(environment(), workflow, [proposal, { content, fileName }]);
};

/** Sends the recording to a proposal that does not exist and to one that does; waits for the end. */
async function upload(workflow: StoredWorkflow, proposalId: number, fileName: string, hash = '') {
	const { simulator } = environment();
	const { number } = simulator.control.proposal(proposalId);
	const failed = await nextExecution(environment(), workflow);
	expect(await send(workflow, '987654', fileName)).toEqual([
		'The recording was not uploaded',
		expect.stringContaining('987654'),
	]);
	await failed();
	const succeeded = await nextExecution(environment(), workflow);
	const page = await send(workflow, `${hash}${number}`, fileName);
	expect(page![0]).toBe(`The recording was uploaded to proposal ${hash}${number}`);
	const sha256 = createHash('sha256').update(recording).digest('hex');
	expect(simulator.control.uploads().at(-1)).toMatchObject({
		proposalId,
		bytes: recording.length,
		sha256,
		fileName: fileName.replaceAll('"', "'"),
	});
	const execution = await succeeded();
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	return execution;
}

test('builds a proposal from an audio file in one workflow, and reports the end of the build', async () => {
	const { n8n, simulator, workflows } = environment();
	const workflow = workflows['Walk-through recording to proposal']!;
	const proposalId = seed.proposals.empty;
	await n8n.activate(workflow);
	const execution = await upload(workflow, proposalId, 'Küche "oben".wav');
	expect(itemsOf(execution, 'Generate Outline')).toMatchObject([
		{ status: 'Completed', outline: expect.stringContaining('Küche') },
	]);
	expect(itemsOf(execution, 'Build Proposal')).toEqual([{ proposalId, status: 'Building' }]);
	const built = await until('the event of the build', async () =>
		(await finishedExecutions(environment(), workflow)).find(
			({ runs }) => runs['Build Status Changed'],
		),
	);
	const { areas, financialSummary } = simulator.control.proposal(proposalId);
	expect(areas.length).toBeGreaterThan(0);
	expect(itemsOf(built, 'Get Built Proposal')).toMatchObject([
		{ proposalId, proposalTotal: financialSummary.proposalTotal },
	]);

	// A build that still runs, and one that failed.
	const report = async (status: string) => {
		const ended = await nextExecution(environment(), workflow);
		const created = new Date().toISOString();
		const data = { proposalId, status };
		const event = { id: `evt_${status}`, type: 'proposal.build.status_update', created, data };
		expect(await redeliver(environment(), JSON.stringify(event))).toBe(200);
		return await ended();
	};
	expect(await report('Building')).toMatchObject({ status: 'success' });
	const message = `The build of proposal ${proposalId} has the status Failed`;
	expect(await report('Failed')).toMatchObject({ status: 'error', error: { message } });
	await n8n.deactivate(workflow);
});

test('builds a proposal from an audio file in two workflows, of which Portal.io calls the second', async () => {
	const { n8n, simulator, workflows } = environment();
	const first = workflows['Recording to outline']!;
	const second = workflows['Outline to proposal']!;
	const proposalId = seed.proposals.staleOffice;
	const { areas } = simulator.control.proposal(proposalId);
	const { nodes } = structuredClone(first);
	nodes.find(({ type }) => type === 'n8n-nodes-base.wait')!.parameters.amount = 1;
	await n8n.updateWorkflow(first, { nodes });
	await n8n.activate(first);
	await n8n.activate(second);
	await upload(first, proposalId, 'walk.wav', '#');
	const execution = await firstFinished(environment(), second);
	expect(execution).toMatchObject({ status: 'success', mode: 'webhook' });
	simulator.control.finishAi();
	await n8n.deactivate(first);
	expect(simulator.control.proposal(proposalId).areas.length).toBeGreaterThan(areas.length);

	// An outline that is being written, and one that failed.
	const { length: known } = await finishedExecutions(environment(), second);
	const requests = newRequests(environment());
	for (const status of ['Generating', 'Failed']) {
		const ended = await nextExecution(environment(), second);
		const data = { proposalId, status };
		const created = new Date().toISOString();
		const event = { id: `evt_${status}`, type: 'proposal.outline.status_update', created, data };
		expect(await redeliver(environment(), JSON.stringify(event))).toBe(200);
		await ended();
	}
	await n8n.deactivate(second);
	const message = expect.stringContaining('ended with the status Failed');
	expect((await finishedExecutions(environment(), second)).slice(known)).toMatchObject([
		{ status: 'success' },
		{ status: 'error', error: { message } },
	]);
	expect(requests().filter(({ operationId }) => operationId?.startsWith('aiBuild'))).toEqual([]);
});
