/** The examples from an audio file to a built proposal, in a real n8n. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { StoredWorkflow } from '../../dev/testbed/n8n/n8n.mts';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { seed } from '../../dev/simulator/index.mts';
import { firstFinished, submitForm } from '../../dev/testbed/activeWorkflow.mts';
import { until } from '../../dev/testbed/until.mts';
import { makeRecording } from '../../dev/testbed/recording.mts';
import { redeliver } from './delivery.mts';
import { finishedExecutions, newRequests } from './handRuns.mts';
import { sharedEnvironment } from './environments.mts';

const environment = sharedEnvironment();

const recording = makeRecording();

/** Fills in the form of a workflow, as a person with a phone, and waits for its end. */
async function submit(workflow: StoredWorkflow, proposal: string, fileName: string) {
	const content = new Blob([recording], { type: 'audio/wav' });
	const page = await submitForm(environment(), workflow, [proposal, { content, fileName }]);
	expect(page![0]).toBe(`The recording is uploaded to proposal ${proposal}`);
	const execution = await firstFinished(environment(), workflow);
	expect([execution.status, execution.error]).toEqual(['success', undefined]);
	return execution;
}

function expectUploaded(proposalId: number, fileName: string) {
	const sha256 = createHash('sha256').update(recording).digest('hex');
	const expected = { proposalId, fileName, bytes: recording.length, sha256 };
	expect(environment().simulator.control.uploads().at(-1)).toMatchObject(expected);
}

describe('from an audio file to a built proposal', () => {
	test('builds a proposal from an audio file in one workflow that waits', async () => {
		const { n8n, simulator, workflows } = environment();
		const workflow = workflows['Walk-through recording to proposal']!;
		const proposalId = seed.proposals.empty;
		const { number } = simulator.control.proposal(proposalId);
		await n8n.activate(workflow);
		const execution = await submit(workflow, String(number), 'Küche "oben".wav');
		await n8n.deactivate(workflow);

		expectUploaded(proposalId, "Küche 'oben'.wav");
		expect(itemsOf(execution, 'Generate Outline')).toMatchObject([
			{ status: 'Completed', outline: expect.stringContaining('Küche') },
		]);
		const built = simulator.control.proposal(proposalId);
		expect(built.areas.length).toBeGreaterThan(0);
		expect(itemsOf(execution, 'Get Built Proposal')).toMatchObject([
			{ proposalId, proposalTotal: built.financialSummary.proposalTotal },
		]);
	});

	test('builds a proposal from an audio file in two workflows, of which Portal.io calls the second', async () => {
		const { n8n, simulator, workflows } = environment();
		const first = workflows['Recording to outline']!;
		const second = workflows['Outline to proposal']!;
		const proposalId = seed.proposals.staleOffice;
		const { number, areas } = simulator.control.proposal(proposalId);
		const { nodes } = structuredClone(first);
		nodes.find(({ type }) => type === 'n8n-nodes-base.wait')!.parameters.amount = 1;
		await n8n.updateWorkflow(first, { nodes });
		await n8n.activate(first);
		await n8n.activate(second);
		await submit(first, `#${number}`, 'walk.wav');
		expectUploaded(proposalId, 'walk.wav');
		const execution = await firstFinished(environment(), second);
		expect(execution).toMatchObject({ status: 'success', mode: 'webhook' });
		simulator.control.finishAi();
		await n8n.deactivate(first);
		await n8n.deactivate(second);
		const built = simulator.control.proposal(proposalId);
		expect(built.areas.length).toBeGreaterThan(areas.length);
	});

	test('tells an outline that failed from one that is being written', async () => {
		const { n8n, workflows } = environment();
		const second = workflows['Outline to proposal']!;
		const ended = () => finishedExecutions(environment(), second);
		const known = (await ended()).length;
		const requests = newRequests(environment());
		await n8n.activate(second);
		for (const [index, status] of ['Generating', 'Failed'].entries()) {
			const data = { proposalId: seed.proposals.staleOffice, status };
			const created = new Date().toISOString();
			const event = { id: `evt_${status}`, type: 'proposal.outline.status_update', created, data };
			expect(await redeliver(environment(), JSON.stringify(event))).toBe(200);
			await until('the execution', async () => (await ended())[known + index]);
		}
		await n8n.deactivate(second);
		expect((await ended()).slice(known)).toMatchObject([
			{ status: 'success' },
			{
				status: 'error',
				error: { message: expect.stringContaining('ended with the status Failed') },
			},
		]);
		expect(requests().filter(({ operationId }) => operationId?.startsWith('aiBuild'))).toEqual([]);
	});

	test.each(['Walk-through recording to proposal', 'Recording to outline'])(
		'says at the end of the form that nothing was uploaded: %s',
		async (name) => {
			const { n8n, workflows } = environment();
			const workflow = workflows[name]!;
			await n8n.activate(workflow);
			const content = new Blob([recording], { type: 'audio/wav' });
			const entries = ['987654', { content, fileName: 'walk.wav' }];
			const page = await submitForm(environment(), workflow, entries);
			await n8n.deactivate(workflow);
			expect(page).toEqual(['The recording is not uploaded', expect.stringContaining('987654')]);
		},
	);
});
