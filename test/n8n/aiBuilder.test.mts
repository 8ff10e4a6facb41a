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
import { newRequests } from './handRuns.mts';
import { sharedEnvironment } from './environments.mts';

const environment = sharedEnvironment();

const recording = makeRecording();

/** Fills in the form of a workflow, as a person with a phone. */
const submit = (workflow: StoredWorkflow, proposal: string, fileName: string) =>
	submitForm(environment(), workflow, [
		proposal,
		{ content: new Blob([recording], { type: 'audio/wav' }), fileName },
	]);
const numberOf = (proposalId: number) =>
	String(environment().simulator.control.proposal(proposalId).number);
const finished = (workflow: StoredWorkflow) => firstFinished(environment(), workflow);

function expectUploaded(proposalId: number, fileName: string) {
	expect(environment().simulator.control.uploads().at(-1)).toMatchObject({
		proposalId,
		fileName,
		bytes: recording.length,
		sha256: createHash('sha256').update(recording).digest('hex'),
	});
}

describe('from an audio file to a built proposal', () => {
	test('in one workflow that waits', async () => {
		const { n8n, simulator, workflows } = environment();
		const workflow = workflows['Walk-through recording to proposal']!;
		const proposalId = seed.proposals.empty;
		await n8n.activate(workflow);
		await submit(workflow, numberOf(proposalId), 'Küche "oben".wav');
		const execution = await finished(workflow);
		await n8n.deactivate(workflow);

		expect(execution.error).toBeUndefined();
		expect(execution.status).toBe('success');
		expectUploaded(proposalId, "Küche 'oben'.wav");
		const [outline] = itemsOf<{ status: string; outline: string }>(execution, 'Generate Outline');
		expect(outline).toMatchObject({ status: 'Completed' });
		expect(outline!.outline).toContain('Küche');
		const built = simulator.control.proposal(proposalId);
		expect(built.areas.length).toBeGreaterThan(0);
		expect(itemsOf(execution, 'Get Built Proposal')).toMatchObject([
			{ id: proposalId, proposalTotal: built.financialSummary.proposalTotal },
		]);
	});

	test('in two workflows, of which Portal.io calls the second', async () => {
		const { n8n, simulator, workflows } = environment();
		const first = workflows['Recording to outline']!;
		const second = workflows['Outline to proposal']!;
		const proposalId = seed.proposals.staleOffice;
		const before = simulator.control.proposal(proposalId).areas.length;
		const { nodes } = structuredClone(first);
		nodes.find(({ type }) => type === 'n8n-nodes-base.wait')!.parameters.amount = 1;
		await n8n.updateWorkflow(first, { nodes });
		await n8n.activate(first);
		await n8n.activate(second);
		await submit(first, `#${numberOf(proposalId)}`, 'walk.wav');
		expect((await finished(first)).status).toBe('success');
		expectUploaded(proposalId, 'walk.wav');
		const execution = await finished(second);
		expect(execution).toMatchObject({ status: 'success', mode: 'webhook' });
		expect(itemsOf(execution, 'Build Proposal')).toMatchObject([{ proposalId }]);
		simulator.control.finishAi();
		await n8n.deactivate(first);
		await n8n.deactivate(second);
		expect(simulator.control.proposal(proposalId).areas.length).toBeGreaterThan(before);
	});

	test('a failed outline is an error, and one that is being written is not', async () => {
		const { n8n, workflows } = environment();
		const second = workflows['Outline to proposal']!;
		const ended = () =>
			n8n.executions({ workflowId: second.id }).filter(({ stoppedAt }) => stoppedAt !== null);
		const known = ended().length;
		const requests = newRequests(environment());
		await n8n.activate(second);
		for (const [index, status] of ['Generating', 'Failed'].entries()) {
			const data = { proposalId: seed.proposals.staleOffice, status };
			const created = new Date().toISOString();
			const event = { id: `evt_${status}`, type: 'proposal.outline.status_update', created, data };
			expect(await redeliver(environment(), JSON.stringify(event))).toBe(200);
			await until('the execution', () => ended()[known + index]);
		}
		await n8n.deactivate(second);
		expect(ended().slice(known)).toMatchObject([
			{ status: 'success' },
			{
				status: 'error',
				error: { message: expect.stringContaining('ended with the status Failed') },
			},
		]);
		expect(requests().filter(({ operationId }) => operationId?.startsWith('aiBuild'))).toEqual([]);
	});
});
