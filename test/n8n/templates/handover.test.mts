/** Runs the example *Project handover* and checks the tasks in Asana. */
import { expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import type { Json } from '../../../dev/simulator/contract.mts';
import { byId } from '../../../dev/testbed/workflowBuilder.mts';
import { linkTo, useExample } from './example.mts';

const { control, edit, messages, run, systems } = useExample('Project handover');
const tasks = () => systems().asana.tasks;
const { submitted, submittedToo } = seed.proposals;
const start = (proposalId: number) => {
	const { number, name } = control().proposal(proposalId);
	return run('Proposal Is Accepted', { proposalId, number, name });
};
const formatTitle = (proposalId: number) => {
	const { number, name } = control().proposal(proposalId);
	return `Proposal ${number} (${name}) is accepted. ${linkTo(proposalId)}`;
};

it('creates a task for each area, with hours, installer notes, and parts', async () => {
	const [area] = control().proposal(submitted).areas;
	control().setStatus(submitted, 'Draft');
	await edit('areaOption', 'update', submitted, {
		areaId: byId(area.id),
		areaOptionId: byId(area.options[0].id),
		updateFields: { installerNotes: 'Mind the safe behind the wall.' },
	});
	control().accept(submitted);
	// Send two events for one acceptance.
	await Promise.all([start(submitted), start(submitted)]);
	const { number, name } = control().proposal(submitted);
	expect(tasks().toSorted((one, other) => other.name.localeCompare(one.name))).toMatchObject([
		{
			name: `${number} ${name}: Main bedroom`,
			notes: [
				'Labor: 3 hours',
				'1 × Lumenfold LX65\n1 × Stillgrip SG-A90\n3 h Installation',
				'For the installers: Mind the safe behind the wall.',
				linkTo(submitted),
			].join('\n\n'),
		},
		{
			name: `${number} ${name}: Guest room`,
			notes: [
				'Labor: 2.5 hours',
				'1 × Lumenfold LX65\n1 × Stillgrip SG-T80\n2.5 h Installation',
				linkTo(submitted),
			].join('\n\n'),
		},
	]);
	expect(messages().toSorted()).toEqual([
		`${formatTitle(submitted)}\nIt was accepted again. Compare it with its tasks.`,
		`${formatTitle(submitted)}\nNew task: Main bedroom (3 h)\nNew task: Guest room (2.5 h)`,
	]);
});

it('creates the other tasks if one cannot be created', async () => {
	const [area] = control().proposal(submittedToo).areas;
	control().accept(submittedToo);
	const { length } = tasks();
	systems().asana.rejectNext('/tasks');
	await start(submittedToo);
	const accepted = control()
		.proposal(submittedToo)
		.areas.flatMap(({ options }: Json) => options)
		.filter(({ status }: Json) => status === 'Accepted');
	expect(tasks()).toHaveLength(length + accepted.length - 1);
	// One message lists the new tasks, and another one the area without a task.
	const texts = messages().slice(-2).join('\n');
	expect(texts).toContain(`\nNot created, create it by hand: ${area.name} (`);
	expect(texts).toContain(`\nNew task: ${area.name} (`);
});

it('creates the other tasks if an area cannot be read', async () => {
	const { staleWholeHome } = seed.proposals;
	control().accept(staleWholeHome);
	const { length } = tasks();
	const gate = control().hold('proposal.get');
	const ended = start(staleWholeHome);
	// Wait for the read of the areas, so the fault affects a later read of one area's items.
	await gate.arrived(1);
	control().failNext({ operationId: 'proposal.get', status: 403 });
	gate.release();
	await ended;
	expect(tasks().length).toBeGreaterThan(length);
	const texts = messages().slice(-2).join('\n');
	expect(texts).toMatch(/\nNot created, create it by hand: .+, because /);
	expect(texts).toContain('\nNew task: ');
	expect(texts).not.toContain('Accept it again');
});

it('creates the tasks when a proposal that could not be read is accepted again', async () => {
	const { freshLighting } = seed.proposals;
	control().accept(freshLighting);
	const { length } = tasks();
	control().failNext({ operationId: 'proposal.get', status: 403 });
	await start(freshLighting);
	expect(tasks()).toHaveLength(length);
	expect(messages().at(-1)).toContain('It could not be read in Portal.io.');
	await start(freshLighting);
	expect(tasks().length).toBeGreaterThan(length);
});
