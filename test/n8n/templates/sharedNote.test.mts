/** The shared workflow *Note in Proposal*, called in the real n8n. */
import { expect, test } from 'vitest';
import { seed } from '../../../simulator/index.mts';
import { callShared } from '../../../testbed/sharedWorkflows.mts';
import { byId, portal } from '../../../testbed/workflowBuilder.mts';
import { newRequests, runOnce } from '../runs.mts';
import { ownStage } from '../stages.mts';

const NAME = 'Note in Proposal';
const stage = ownStage({ examples: [NAME] });

const note = async (proposalId: number, ...lines: string[]) =>
	await callShared(
		stage(),
		NAME,
		lines.map((line) => ({ proposalId, line })),
	);
const rowsOf = async (proposalId: number) =>
	(await stage().n8n.dataTableRows('portal_notes')).filter((row) => row.proposalId === proposalId);

const off = { written: false, reason: 'Replace Internal Notes is off' };
const written = { written: true, reason: '' };

/** Turns the setting on, as a person does in the editor. */
async function allow() {
	const { n8n, workflows } = stage();
	const nodes = structuredClone(workflows[NAME]!.nodes);
	const { parameters } = nodes.find(({ name }) => name === 'Settings')!;
	const { assignments } = parameters.assignments as { assignments: { value: unknown }[] };
	expect(assignments).toEqual([
		expect.objectContaining({ name: 'replaceInternalNotes', value: '={{ false }}' }),
	]);
	assignments[0]!.value = '={{ true }}';
	await n8n.updateWorkflow(workflows[NAME]!, { nodes });
}

test('writes nothing until it is allowed to; then all lines, until a user changes something', async () => {
	const { simulator } = stage();
	const { control } = simulator;
	// Somebody has written internal notes there.
	const { staleWholeHome: id } = seed.proposals;
	const requests = newRequests(stage());
	expect(await note(id, 'Invoice P-1002', 'Invoice P-1002')).toEqual([off, off]);
	expect(requests().filter(({ method }) => method !== 'GET')).toEqual([]);
	expect(control.internalNotes(id)).toBe('Ask for the riser plan.');
	expect(await rowsOf(id)).toEqual([
		{ proposalId: id, text: 'Invoice P-1002', writtenAt: '', reason: off.reason },
	]);

	await allow();
	const text = 'Invoice P-1002\nDeal 77';
	expect(await note(id, 'Deal 77')).toEqual([written]);
	expect(control.internalNotes(id)).toBe(text);
	const { lastModifiedByUserDate: writtenAt } = control.proposal(id);
	expect(await rowsOf(id)).toEqual([
		{ proposalId: id, text: 'Invoice P-1002', writtenAt, reason: '' },
		{ proposalId: id, text: 'Deal 77', writtenAt, reason: '' },
	]);
	const again = newRequests(stage());
	expect(await note(id, 'Deal 77')).toEqual([written]);
	expect(again()).toEqual([]);

	// The workflow's own note is no change by a user.
	expect(await note(id, 'Order 5')).toEqual([written]);
	expect(control.internalNotes(id)).toBe(`${text}\nOrder 5`);

	const description = portal({
		resource: 'proposal',
		operation: 'update',
		proposalId: byId(id),
		updateFields: { description: 'Changed by somebody' },
	});
	await runOnce(stage(), 'Somebody changes the proposal', [description]);
	const changed = {
		written: false,
		reason: 'A user changed the proposal after the last note',
	};
	expect(await note(id, 'Order 6')).toEqual([changed]);
	expect(control.internalNotes(id)).toBe(`${text}\nOrder 5`);
	expect((await rowsOf(id)).at(-1)).toEqual({
		proposalId: id,
		text: 'Order 6',
		writtenAt: '',
		reason: changed.reason,
	});
});

test('keeps the line and the reason when Portal.io refuses the note', async () => {
	const { control } = stage().simulator;
	const { accepted: id } = seed.proposals;
	await allow();
	// Other files of tests note something in this proposal.
	const before = await rowsOf(id);
	const [result] = await note(id, 'Invoice P-1012');
	expect(result).toEqual({ written: false, reason: expect.stringMatching(/\S/) });
	const { reason } = result as { reason: string };
	expect(control.internalNotes(id)).toBeNull();
	expect(await rowsOf(id)).toEqual([
		...before,
		{ proposalId: id, text: 'Invoice P-1012', writtenAt: '', reason },
	]);
	expect(reason).toMatch(/edit|chang|accept/i);
});
