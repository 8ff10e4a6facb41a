/** Runs the example that turns an audio file into a proposal, in a real n8n. */
import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { StoredWorkflow } from '../../dev/testbed/n8n/n8n.mts';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { seed } from '../../dev/simulator/index.mts';
import { submitForm } from '../../dev/testbed/activeWorkflow.mts';
import { until } from '../../dev/testbed/until.mts';
import { redeliver } from './delivery.mts';
import { finishedExecutions, nextExecution } from './executions.mts';
import { ownEnvironment } from './environments.mts';

const environment = ownEnvironment({ examples: ['Walk-through recording to proposal'] });

const recording = randomBytes(100_000);

/** Fills in the form of a published workflow as a person with a phone would. Returns the form's last page. */
const send = (workflow: StoredWorkflow, proposal: string, fileName: string) => {
	const content = new Blob([recording], { type: 'audio/wav' });
	return submitForm(environment(), workflow, [proposal, { content, fileName }]);
};

/**
 * Sends the recording to a nonexistent proposal, then to an existing one. Returns the second execution after it has
 * ended.
 */
async function upload(workflow: StoredWorkflow, proposalId: number, fileName: string) {
	const { simulator } = environment();
	const { number } = simulator.control.proposal(proposalId);
	const failed = await nextExecution(environment(), workflow);
	expect(await send(workflow, '987654', fileName)).toEqual([
		'The recording was not uploaded',
		expect.stringContaining('987654'),
	]);
	await failed();
	const succeeded = await nextExecution(environment(), workflow);
	const page = await send(workflow, String(number), fileName);
	expect(page![0]).toBe(`The recording was uploaded to proposal ${number}`);
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

it('builds a proposal from an audio file', async () => {
	const { n8n, simulator, workflows } = environment();
	const workflow = workflows['Walk-through recording to proposal']!;
	const proposalId = seed.proposals.empty;
	await n8n.activate(workflow);
	const execution = await upload(workflow, proposalId, 'Küche "oben".wav');
	expect(itemsOf(execution, 'Generate Outline')).toMatchObject([
		{ status: 'Completed', outline: expect.stringContaining('Küche') },
	]);
	expect(itemsOf(execution, 'Build Proposal')).toEqual([{ proposalId, status: 'Building' }]);
	const buildExecution = await until('the event of the build', async () =>
		(await finishedExecutions(environment(), workflow)).find(
			({ runs }) => runs['Build Status Changed'],
		),
	);
	const { areas, financialSummary } = simulator.control.proposal(proposalId);
	expect(areas.length).toBeGreaterThan(0);
	expect(itemsOf(buildExecution, 'Get Built Proposal')).toMatchObject([
		{ proposalId, proposalTotal: financialSummary.proposalTotal },
	]);

	// Report a build that is still running, then one that failed.
	const reportStatus = async (status: string) => {
		const ended = await nextExecution(environment(), workflow);
		const created = new Date().toISOString();
		const data = { proposalId, status };
		const event = { id: `evt_${status}`, type: 'proposal.build.status_update', created, data };
		expect(await redeliver(environment(), JSON.stringify(event))).toBe(200);
		return await ended();
	};
	expect(await reportStatus('Building')).toMatchObject({ status: 'success' });
	const message = `The build of proposal ${proposalId} has the status Failed`;
	expect(await reportStatus('Failed')).toMatchObject({ status: 'error', error: { message } });
	await n8n.deactivate(workflow);
});
