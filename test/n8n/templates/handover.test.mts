/** The example *Project handover*: what the tasks in Asana say. */
import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import type { Json } from '../../../dev/simulator/contract.mts';
import { byId } from '../../../dev/testbed/workflowBuilder.mts';
import { linkTo, useExample } from './example.mts';

const { control, edit, enter, messages, retry, run, runToFailure, systems } =
	useExample('Project handover');
const tasks = () => systems().asana.tasks;
const { submitted } = seed.proposals;
const start = () => run('Accepted, Reopened or Declined', { proposalId: submitted });

/** The name of the task of an area, and its text. */
const task = (area: string, labor: string, ...parts: string[]) => {
	const { number, name } = control().proposal(submitted);
	return {
		name: `${number} ${name}: ${area}`,
		notes: [
			`Labor: ${labor}\n`,
			...(area === 'Main bedroom' ? ['For the installers: Mind the safe behind the wall.\n'] : []),
			'Parts:',
			...parts,
			'',
			linkTo(submitted),
			`Key: P-${number} ${area}`,
		].join('\n'),
	};
};
const about = (changes: string, status = 'accepted') => {
	const { number, name } = control().proposal(submitted);
	const subject = `Asana tasks of proposal ${number} (${name}), which is ${status}.`;
	return `${subject} ${changes}. ${linkTo(submitted)}`;
};

const bedroom = ['1 × Lumenfold LX65', '1 × Stillgrip SG-A90'];
const guestRoom = ['1 × Lumenfold LX65', '1 × Stillgrip SG-T80'];

test('creates a task for each area once, with hours, what the installers read, and parts', async () => {
	const [area] = control().proposal(submitted).areas;
	control().setStatus(submitted, 'Draft');
	await edit('areaOption', 'update', submitted, {
		areaId: byId(area.id),
		areaOptionId: byId(area.options[0].id),
		updateFields: { installerNotes: 'Mind the safe behind the wall.' },
	});
	control().accept(submitted);
	await start();
	expect(tasks()).toMatchObject([
		task('Main bedroom', '3 hours (3 h Installation)', ...bedroom),
		task('Guest room', '2.5 hours (2.5 h Installation)', ...guestRoom),
	]);
	const before = tasks().map((one) => ({ ...one }));
	await start();
	expect(tasks()).toEqual(before);
	expect(messages()).toEqual([about('New: Main bedroom (3 h), Guest room (2.5 h)')]);
});

test('updates a task, and keeps what somebody wrote below its key', async () => {
	tasks()[1]!.notes += '\nAsk for the key at number 24.';
	const [, area] = control().proposal(submitted).areas;
	const labor = area.options[0].items.find(({ itemType }: Json) => itemType === 'Labor');
	control().setStatus(submitted, 'Draft');
	await edit('item', 'delete', submitted, { itemIds: [labor.id] });
	control().accept(submitted);
	await start();
	const expected = task('Guest room', '0 hours', ...guestRoom);
	expected.notes += '\nAsk for the key at number 24.';
	expect(tasks()[1]).toMatchObject(expected);
	expect(messages().slice(1)).toEqual([about(`Changed: ${expected.name}`)]);
});

test('marks the tasks of a declined proposal, and removes the mark again', async () => {
	const names = tasks().map(({ name }) => name);
	control().setStatus(submitted, 'Declined');
	await start();
	await start();
	expect(tasks().map(({ name }) => name)).toEqual(
		names.map((name) => `No longer in the proposal: ${name}`),
	);
	const gone = `No longer in the proposal: ${names.join(', ')}`;
	expect(messages().slice(2)).toEqual([about(gone, 'declined')]);
	control().accept(submitted);
	await start();
	expect(tasks().map(({ name }) => name)).toEqual(names);
	expect(tasks()[1]!.notes).toMatch(/\nAsk for the key at number 24\.$/);
});

test('continues with a project ID that was corrected since', async () => {
	systems().asana.reset();
	await enter('Asana Project ID', '1');
	const input = { proposalId: submitted };
	const failed = await runToFailure('Accepted, Reopened or Declined', 'Get Project', input);
	await enter('Asana Project ID', '1200000000000002');
	expect((await retry(failed)).status).toBe('success');
	expect(tasks()).toHaveLength(2);
});
