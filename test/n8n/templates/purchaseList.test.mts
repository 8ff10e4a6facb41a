/** Runs the example *Accepted proposal to Slack and purchase list*. */
import { expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { openSqlite } from '../../../dev/testbed/n8n/database.mts';
import { byId } from '../../../dev/testbed/workflowBuilder.mts';
import { anotherDate, linkTo, money, useExample } from './example.mts';

const { control, edit, environment, messages, run, systems, workflow } = useExample(
	'Accepted proposal to Slack and purchase list',
);
const { accepted, freshLighting, submitted } = seed.proposals;
const accept = async (...proposalIds: number[]) => {
	const events = proposalIds.map((proposalId) => {
		control().accept(proposalId);
		const { number, name, financialSummary } = control().proposal(proposalId);
		return { proposalId, number, name, proposalTotal: financialSummary.proposalTotal };
	});
	await environment().n8n.runManually(workflow(), 'Proposal Is Accepted', events);
};
/** Ends the minute in which another event about the same acceptance is ignored. */
function endMinute(): void {
	const database = openSqlite(environment().n8n.folder);
	const table = database.prepare("SELECT id FROM data_table WHERE name = 'portal_acceptances'");
	const rows = `"data_table_user_${table.get()!.id}"`;
	database.exec(`UPDATE ${rows} SET createdAt = datetime(createdAt, '-1 minute')`);
	database.close();
}
const rows = () => systems().googleSheets.rows();
const summary = () => rows().map((row) => [row.Supplier, row.Area, row.Part, row['Unit Cost']]);
const formatTitle = (proposalId: number) => {
	const { number, name } = control().proposal(proposalId);
	return `Proposal ${number} (${name})`;
};

it('writes one row per accepted part, sorted by supplier', async () => {
	const { timezone, dateOf } = anotherDate();
	const settings = { executionOrder: 'v1', timezone };
	await environment().n8n.updateWorkflow(workflow(), { settings });
	// Send two events for one acceptance.
	await Promise.all([accept(submitted), accept(submitted)]);
	const total = money(control().proposal(submitted).financialSummary.proposalTotal);
	expect(messages()).toEqual([
		`${formatTitle(submitted)} is accepted: $${total}, with parts for $2,747.50 to order. ${linkTo(submitted)}`,
	]);
	expect(summary()).toEqual([
		['Meridian AV Supply', 'Main bedroom', 'Lumenfold LX65', 1240],
		['Meridian AV Supply', 'Guest room', 'Lumenfold LX65', 1240],
		['Northgate Distribution', 'Main bedroom', 'Stillgrip SG-A90', 196],
		['Northgate Distribution', 'Guest room', 'Stillgrip SG-T80', 71.5],
	]);
	expect(new Set(rows().map((row) => row['Accepted On']))).toEqual(new Set([dateOf()]));

	// Add a column, and accept the proposal again.
	const cells = systems().googleSheets.sheets['Purchase List']!;
	cells[0]!.push('Ordered On');
	cells[1]!.push('Monday');
	const before = rows();
	endMinute();
	await accept(submitted);
	expect(rows()).toEqual(before);
	expect(messages()).toHaveLength(2);
});

it("adds only a change order's parts when the change order is accepted", async () => {
	const before = rows().length;
	// A manual run uses the accepted change order in the most recently modified proposal that has one.
	await run('Change Order Is Accepted');
	const newRows = rows().slice(before);
	// The change order only adds a handset, although its proposal contains more.
	expect(newRows.map(({ Quantity, Part }) => `${Quantity} ${Part}`)).toEqual([
		'1 Hearthline Handset',
	]);
	expect(messages().at(-1)).toMatch(
		/^Change order \d+ \(.+\) is accepted: \$420\.00, with parts for \$238\.00 to order\. /,
	);
	expect(messages().at(-1)).toContain(linkTo(accepted));
});

it('escapes text for Slack, and reports missing suppliers and unreadable proposals', async () => {
	const [option] = control().proposal(freshLighting).areas[0].options;
	const item = { itemType: 'CustomItem', catalogItemId: byId(8102), quantity: 1 };
	await edit('item', 'add', freshLighting, {
		areaOptionId: byId(option.id),
		items: { item: [item] },
	});
	control().update('proposals', { id: freshLighting }, { name: '<!channel> & Co.' });
	const { length } = messages();
	control().accept(freshLighting);
	const good = { proposalId: freshLighting, number: 1, name: '<!channel> & Co.', proposalTotal: 2 };
	const bad = { proposalId: 999_999, number: 3, name: 'Gone', proposalTotal: 4 };
	await environment().n8n.runManually(workflow(), 'Proposal Is Accepted', [bad, good]);
	const texts = messages().slice(length).toSorted();
	expect(texts).toHaveLength(2);
	expect(texts[0]).toMatch(/^Proposal 1 \(&lt;!channel&gt; &amp; Co\.\) is accepted: \$2\.00, /);
	expect(texts[0]).toMatch(/\nNo supplier: Custom cabinet$/);
	expect(texts[1]).toMatch(
		/^Proposal 3 \(Gone\) is accepted, but its items could not be read: .+ List them by hand: /,
	);
	expect(summary()).toContainEqual(['', 'Ground floor', 'Custom cabinet', 990]);
});
