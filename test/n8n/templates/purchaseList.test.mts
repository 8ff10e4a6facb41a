import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { byId } from '../../../dev/testbed/workflowBuilder.mts';
import { newRequests } from '../handRuns.mts';
import { anotherDate, linkTo, money, settingsOf, useExample } from './example.mts';

const { control, edit, enter, environment, messages, retry, run, runToFailure, systems, workflow } =
	useExample('Accepted proposal to Slack and purchase list');
const { submitted, submittedToo } = seed.proposals;
const start = (proposalId: number) => run('Accepted, Reopened or Declined', { proposalId });
const rows = () => systems().googleSheets.rows();
const summary = () => rows().map((row) => [row.Supplier, row.Area, row.Part, row['Unit Cost']]);

test('writes a row for each accepted part by supplier, and a message, once', async () => {
	const { timezone, dateOf } = anotherDate();
	const settings = { executionOrder: 'v1', timezone };
	await environment().n8n.updateWorkflow(workflow(), { settings });
	control().accept(submitted);
	await start(submitted);
	const { number, financialSummary } = control().proposal(submitted);
	const total = money(financialSummary.proposalTotal);
	expect(messages()).toEqual([
		`Proposal ${number} (Holt bedroom televisions) is accepted: $${total}, with parts for $2,747.50 to ` +
			`order. ${linkTo(submitted)}`,
	]);
	expect(summary()).toEqual([
		['Meridian AV Supply', 'Main bedroom', 'Lumenfold LX65', 1240],
		['Meridian AV Supply', 'Guest room', 'Lumenfold LX65', 1240],
		['Northgate Distribution', 'Main bedroom', 'Stillgrip SG-A90', 196],
		['Northgate Distribution', 'Guest room', 'Stillgrip SG-T80', 71.5],
	]);
	expect(new Set(rows().map((row) => row['Accepted On']))).toEqual(new Set([dateOf()]));

	// Somebody adds a column, and the proposal is accepted again.
	const cells = systems().googleSheets.sheets['Purchase List']!;
	cells[0]!.push('Ordered On');
	cells[1]!.push('Monday');
	const before = rows();
	await start(submitted);
	expect(rows()).toEqual(before);
	expect(messages()).toHaveLength(1);
});

test('adds the parts of a change order when it is accepted', async () => {
	// A run by hand takes the newest that is accepted.
	await run('Change Order Is Accepted');
	const { accepted: proposalId } = seed.proposals;
	const key = `P-${control().proposal(proposalId).number}-`;
	const added = rows().filter(({ Key }) => String(Key).startsWith(key));
	expect(added.map(({ Quantity, Part }) => `${Quantity} ${Part}`).toSorted()).toEqual([
		'1 Hearthline Handset',
		'1 Lumenfold LX77',
		'1 Ostrava Audio R9.2',
		'5 Corvane CV-W5',
	]);
	expect(messages()).toHaveLength(2);
});

test('writes the list although Slack rejects the message, which a retry sends to the corrected channel', async () => {
	const { freshLighting: proposalId } = seed.proposals;
	const [option] = control().proposal(proposalId).areas[0].options;
	const item = { itemType: 'CustomItem', catalogItemId: byId(8102), quantity: 1 };
	const items = { item: [item] };
	await edit('item', 'add', proposalId, { areaOptionId: byId(option.id), items });
	control().accept(proposalId);
	const channel = settingsOf(workflow()).find(({ name }) => name === 'Slack Channel ID')!.value;
	await enter('Slack Channel ID', 'C0WRONG');
	const trigger = 'Accepted, Reopened or Declined';
	const failed = await runToFailure(trigger, 'Tell Slack', { proposalId });
	expect(summary()).toContainEqual(['', 'Ground floor', 'Custom cabinet', 990]);
	await enter('Slack Channel ID', channel);
	await retry(failed);
	expect(messages().at(-1)).toMatch(/\nNo supplier: Custom cabinet$/);
});

test('does nothing without a Slack channel, and retries with the one that was entered since', async () => {
	const { n8n } = environment();
	control().accept(submittedToo);
	const before = [rows().length, messages().length];
	const requests = newRequests(environment());
	await enter('Slack Channel ID', '');
	const input = { proposalId: submittedToo };
	const stopped = await n8n.runManually(workflow(), 'Accepted, Reopened or Declined', input);
	expect(stopped.error?.message).toContain('Enter Slack Channel ID in the step Settings');
	expect(requests()).toEqual([]);
	expect([rows().length, messages().length]).toEqual(before);

	const channel = settingsOf(workflow()).find(({ name }) => name === 'Slack Channel ID')!.value;
	await enter('Slack Channel ID', channel);
	await retry(stopped);
	expect(messages()[before[1]!]).toContain(linkTo(submittedToo));
	expect(rows().length).toBeGreaterThan(before[0]!);
});
