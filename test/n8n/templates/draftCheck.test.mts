/** Runs the example *Draft check*. A manual run uses the proposal that was changed last. */
import { expect, it } from 'vitest';
import { seed } from '../../../dev/simulator/index.mts';
import { byId } from '../../../dev/testbed/workflowBuilder.mts';
import { linkTo, useExample } from './example.mts';

const { control, edit, messages, pin, run } = useExample('Draft check');
const { freshNetwork: draft, submitted } = seed.proposals;
const start = () => run('Proposal Is Updated');
/** Makes the given proposal the one that was changed last. */
const touch = (id: number) =>
	control().update('proposals', { id }, { lastModifiedDate: new Date().toISOString() });

it('ignores drafts without findings, and submitted proposals', async () => {
	for (const id of [draft, submitted]) {
		touch(id);
		await start();
	}
	expect(messages()).toEqual([]);
});

it('reports low margins, out-of-stock items, and discontinued items only once', async () => {
	const { areas, name, number } = control().proposal(draft);
	const [{ id, items }] = areas[0].options;
	const [first] = items;
	// The margin is 24.95%, rounded down, which is below the minimum of 25.
	const sellPrice = Math.floor((first.cost / 0.7505) * 100) / 100;
	await edit('item', 'update', draft, { itemId: byId(first.id), updateFields: { sellPrice } });
	const newItems = [seed.catalogItems.discontinued, 9030].map((id) => ({
		catalogItemId: byId(id),
	}));
	const item = newItems.map((one) => ({ itemType: 'Part', quantity: 1, ...one }));
	await edit('item', 'add', draft, { areaOptionId: byId(id), items: { item } });
	const place = areas[0].name;
	const message = [
		`Draft ${number} (${name}):`,
		`${place}, ${first.brand} ${first.model}: margin 24.9%`,
		`${place}, Netquill AP-5: discontinued`,
		`${place}, Sentrava Gate LPR: not in stock`,
		linkTo(draft),
	].join('\n');
	for (const time of ['first', 'second']) {
		touch(draft);
		await start();
		expect(messages(), time).toEqual([message]);
	}
});

it('checks the other drafts if one cannot be read', async () => {
	const { name, number } = control().proposal(draft);
	const { length } = messages();
	const gone = { proposalId: 999_999, number: 7, name: 'Gone', status: 'Draft' };
	// Change the name, because the workflow does not report the same findings twice.
	await pin('Proposal Is Updated', [
		gone,
		{ proposalId: draft, number, name: `${name}, revised`, status: 'Draft' },
	]);
	await start();
	const texts = messages().slice(length).toSorted();
	expect(texts).toHaveLength(2);
	expect(texts[0]).toContain(`Draft ${number} (${name}, revised):\n`);
	expect(texts[1]).toMatch(/^Draft 7 \(Gone\):\nGone: .+\nhttps/);
});
