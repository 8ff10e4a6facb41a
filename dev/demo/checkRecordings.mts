/** Does what an installer would do with a recording of a walk-through, both ways, and looks what came of it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { seed } from '../simulator/index.mts';
import { firstFinished, submitForm } from '../testbed/activeWorkflow.mts';
import type { Say } from '../testbed/acceptedProposal/check.mts';
import type { StoredWorkflow } from '../testbed/n8n/n8n.mts';
import { makeRecording } from '../testbed/recording.mts';
import { RECORDINGS, type Environment } from '../testbed/environment.mts';

/** From an audio file to a built proposal. Throws an error that names the first thing that is wrong. */
export async function checkRecordings(environment: Environment, say: Say): Promise<void> {
	const { waiting, upload, build } = RECORDINGS;
	// One after the other: the trigger of the pair hears of every outline.
	await checkRecording(environment, seed.proposals.empty, [waiting], say);
	await checkRecording(environment, seed.proposals.staleOffice, [upload, build], say);
}

async function checkRecording(
	environment: Environment,
	proposalId: number,
	names: string[],
	say: Say,
) {
	const { n8n, simulator, workflows } = environment;
	const { control } = simulator;
	const chosen = names.map((name) => workflows[name]!);
	const { number, areas } = control.proposal(proposalId);
	const recording = makeRecording();

	for (const workflow of chosen) await n8n.activate(workflow);
	const content = new Blob([recording], { type: 'audio/wav' });
	await submitForm(environment, chosen[0]!, [String(number), { content, fileName: 'Walk.wav' }]);
	for (const workflow of chosen) await succeeded(environment, workflow);
	// The pair starts the build and does not wait for it.
	control.finishAi();
	for (const workflow of chosen) await n8n.deactivate(workflow);

	const uploaded = control.uploads().at(-1);
	const sha256 = createHash('sha256').update(recording).digest('hex');
	assert.equal(uploaded?.sha256, sha256, 'SHA-256 of the recording at the service');
	assert.equal(uploaded.proposalId, proposalId, 'proposal of the recording');
	const built = control.proposal(proposalId).areas.length - areas.length;
	assert.ok(built > 0, 'areas that were built');
	assert.deepEqual(control.subscriptions(), [], 'subscriptions after deactivating');
	say(
		`A recording of ${recording.length} bytes arrived whole by "${names.join('" and "')}", ` +
			`and proposal ${number} has ${built} areas built from it.`,
	);
}

async function succeeded(environment: Environment, workflow: StoredWorkflow): Promise<void> {
	const { status, error } = await firstFinished(environment, workflow);
	assert.equal(status, 'success', `execution of "${workflow.name}" (${error?.message})`);
}
