/** The example *Draft check*. A run by hand takes the proposal that was changed last. */
import { expect, test } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { byId } from '../../../dev/testbed/workflowBuilder.mts';
import { linkTo, useExample } from './example.mts';

const { control, edit, messages, retryWithCorrected, run } = useExample('Draft check');
const { empty, freshNetwork: draft, submitted } = seed.proposals;
const start = () => run('Proposal Is Updated');
/** Makes it the proposal that was changed last. */
const touch = (id: number) =>
	control().update('proposals', { id }, { lastModifiedDate: new Date().toISOString() });

test('says nothing about a draft in which everything is right', async () => {
	touch(draft);
	await start();
	expect(messages()).toEqual([]);
});

test('reports a thin margin, what is not in stock, and what is discontinued, once, also after a wrong channel', async () => {
	const { areas, name, number } = control().proposal(draft);
	const [{ id, items }] = areas[0].options;
	const [first] = items;
	// 24.9 %, where 25 is the minimum.
	const sellPrice = Math.floor((first.cost / 0.751) * 100) / 100;
	await edit('item', 'update', draft, { itemId: byId(first.id), updateFields: { sellPrice } });
	const added = [seed.catalogItems.discontinued, 9030].map((id) => ({ catalogItemId: byId(id) }));
	const item = added.map((one) => ({ itemType: 'Part', quantity: 1, ...one }));
	await edit('item', 'add', draft, { areaOptionId: byId(id), items: { item } });
	await retryWithCorrected('Proposal Is Updated', 'Slack Channel ID', 'C0WRONG');
	touch(draft);
	await start();
	const place = areas[0].name;
	expect(messages()).toEqual([
		[
			`Draft ${number} (${name}):`,
			`${place}, ${first.brand} ${first.model}: margin 25%`,
			`${place}, Netquill AP-5: discontinued`,
			`${place}, Sentrava Gate LPR: not in stock`,
			linkTo(draft),
		].join('\n'),
	]);
});

test('reports a thin margin in a draft that has labor only', async () => {
	await edit('area', 'create', empty, { name: 'Attic' });
	const areaOptionId = byId(control().proposal(empty).areas[0].options[0].id);
	const item = [
		{ itemType: 'Labor', catalogItemId: byId(seed.catalogItems.installation), quantity: 2 },
	];
	await edit('item', 'add', empty, { areaOptionId, items: { item } });
	const itemId = byId(Number(control().items(empty)[0]!.id));
	// An hour costs 58: a margin of 3.3 %.
	await edit('item', 'update', empty, { itemId, updateFields: { sellPrice: 60 } });
	await start();
	expect(messages()).toHaveLength(2);
	expect(messages().at(-1)).toContain('\nAttic, Installation: margin 3%\n');

	// It is no draft anymore.
	touch(submitted);
	await start();
	expect(messages()).toHaveLength(2);
});
