/** Which items of a proposal a change has made. The proposals are made by hand. */
import { expect, it } from 'vitest';
import { itemsOf, type Proposal } from '../../client/model.ts';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';
import { find, type SentItem } from '../../nodes/PortalIo/resources/item/find.ts';

const at = Date.parse('2026-04-14T12:00:00Z');
const before = '2026-04-14T11:00:00';
const now = '2026-04-14T12:00:01.1234567';

const item = (id: number, more: object = {}) => ({
	...{ id, itemType: 'Part', referencedItemId: 55, quantity: 2, createdDate: now },
	...more,
});
const old = (id: number, more: object = {}) => item(id, { createdDate: before, ...more });
const proposalWith = (...items: object[]) => {
	const option = { id: 11, status: 'Draft', items };
	const options = [option, { ...option, id: 12, items: [item(90, { referencedItemId: 66 })] }];
	return { id: 42, number: 1021, areas: [{ id: 1, name: 'Den', options }] } as unknown as Proposal;
};

const row = (more: object = {}): SentItem => ({
	values: { areaOptionId: 11, itemType: 'Part', referencedItemId: 55, quantity: 2, ...more },
});
const idsOf = (records: { id?: unknown }[]) => records.map(({ id }) => id);
const found = (items: SentItem[], proposal: Proposal, more: object = {}) => {
	const { items: records, missing } = find(itemsOf(proposal), { items, ...more }, at);
	return { ids: idsOf(records), missing: missing.map(({ names }) => names) };
};

const one = { quantity: 1 };
const three = { quantity: 3 };
const other = { referencedItemId: 66 };
const labor = { itemType: 'Labor' };
const nested = (id: number) => item(id, { parentId: 9 });

it.each<[string, SentItem[], object[], unknown[], string[][]?]>([
	['as it was sent, not a newer one', [row(three)], [item(1, three), item(2)], [1]],
	['with the highest ID', [row()], [item(1), item(3), item(2)], [3]],
	['for each of equal rows', [row(), row()], [item(1), item(2), item(3)], [2, 3]],
	['with a value that was not sent', [row({ quantity: undefined })], [item(1)], [1]],
	['for one of two rows', [row(), row()], [item(1)], [1], [[]]],
	['for the right row', [row(three), row()], [item(1, one), item(2)], [1, 2], [['quantity']]],
	['without those nested under it', [row()], [item(1), old(2, { parentId: 1 })], [1]],
	['of the right type', [row(labor)], [item(1, labor), item(2)], [1]],
	['differing least', [row({ ...three, parentId: 9 })], [nested(1), item(2)], [1], [['quantity']]],
	['in another option', [row({ areaOptionId: 12 })], [item(1)], [1], [['areaOptionId']]],
	['but not of another catalog item', [row()], [item(1, other)], [], [[]]],
	['but not one from before', [row()], [old(1)], [], [[]]],
	['without a date', [row()], [item(1, { createdDate: null })], [1]],
	['a minute before', [row()], [item(1, { createdDate: '2026-04-14T11:59:00Z' })], [1]],
])('finds a new item %s', (_, rows, items, ids, missing = []) => {
	expect(found(rows, proposalWith(...items))).toEqual({ ids, missing });
});

it('takes no earlier item for a new one, regardless of dates', () => {
	const items = proposalWith(item(1), item(2));
	expect(found([row()], items, { known: [2] }).ids).toEqual([1]);
});

it('finds a new item with those nested under it, in any order', () => {
	const nested = [item(3, { parentId: 2 }), item(2, { parentId: 1, quantity: 1 }), item(1)];
	const all = proposalWith(old(5), ...nested.slice(0, 2), item(4, { quantity: 9 }), nested[2]!);
	expect(found([{ ...row(), id: 1 }], all, { withNested: true }).ids).toEqual([1, 2, 3]);
});

const changed = (values: object, more: object = {}) => [{ id: 1, values, ...more }];

it('finds a changed item by its ID, with the values that differ', () => {
	const items = proposalWith(old(1, { cost: 5, total: { isCombinedPrice: true } }), item(2));
	const values = { quantity: 2, cost: 6, isCombinedPrice: true };
	expect(found(changed(values), items)).toEqual({ ids: [1], missing: [['cost']] });
	const gone = found([{ id: 7, values: {} }], items, { withNested: true });
	expect(gone).toEqual({ ids: [], missing: [[]] });
});

it.each([
	['the new one of the catalog item', [item(8), item(9), old(10)], [9]],
	['no other catalog item', [item(8, { referencedItemId: 66 })], []],
	['none from before', [old(8)], []],
])('accepts a new item in place of the changed one: %s', (_, items, ids) => {
	const sent = changed({ referencedItemId: 55 }, { mayBeNew: true });
	expect(found(sent, proposalWith(...items)).ids).toEqual(ids);
});

it('does not take a changed item for a new one', () => {
	const sent = [1, 2].map((id) => ({ id, mayBeNew: true, values: { areaOptionId: 11 } }));
	expect(found(sent, proposalWith(item(1))).ids).toEqual([1]);
});

it.each([
	[{ imageUrl: 'https://x/1', lastModifiedDate: before }, []],
	[{ imageUrl: 'https://y/2', lastModifiedDate: now }, []],
	[{ imageUrl: 'https://y/2', lastModifiedDate: before }, [['imageUrl']]],
	[{ imageUrl: '', lastModifiedDate: now }, [['imageUrl']]],
])('accepts any URL of an image if the item has changed since: %j', (more, missing) => {
	const sent = changed({ imageUrl: 'https://x/1' });
	expect(found(sent, proposalWith(old(1, more))).missing).toEqual(missing);
});

async function said(name: string, values: object, proposal: Proposal) {
	const send = async () => await Promise.resolve(proposal);
	const call = { sentAt: at, send, values: { proposalId: 42, options: {}, ...values } };
	return await findOperation('item', name)!
		.run(call as never)
		.then(
			({ records }) => ({ message: '', description: '', ids: idsOf(records as never) }),
			(reason: Error & { description: string }) => ({
				ids: [],
				message: reason.message.replace('Portal.io accepted the request, but ', ''),
				description: reason.description,
			}),
		);
}
const added = { itemId: 55, itemType: 'Part', quantity: 2 };
const rows = (count: number, more: object = {}) => ({
	areaOptionId: 11,
	itemsJson: Array.from({ length: count }, () => ({ ...added, ...more })),
});
const skip = { options: { skipIfPresent: true } };
const news = (count: number) => Array.from({ length: count }, (_, index) => item(index + 1));

it.each([
	['of the only row', rows(1), [old(9)], 'the item was not added'],
	['of the second row', rows(2), [item(1)], 'row 2 was not added'],
	['of nothing', rows(2), news(2), ''],
	['of values', rows(1, { quantity: 3, parentId: 9 }), [item(1)], '2 changes did not take effect'],
	['of several rows', rows(2, { quantity: 3 }), news(2), '2 changes did not take effect'],
	// An item that is there, but not under this parent, is added.
	['of a child', { ...rows(1, { parentId: 9 }), ...skip }, [old(1)], 'the item was not added'],
])('words the error of a missing change %s', async (_, values, items, message) => {
	expect((await said('add', values, proposalWith(...items))).message).toBe(message);
});

it.each([
	[10, /^(row \d+ was not added\.\n){10}Proposal \d+ has no new items\.\n/],
	[11, /^(row \d+ was not added\.\n){10}And 1 more\.\nProposal \d+ has no new items\.\n/],
])('names up to ten of %i missing items', async (count, lines) => {
	const { description } = await said('add', rows(count), proposalWith());
	expect(description).toMatch(lines);
	expect(description).toMatch(/You can safely run the step again\.$/);
});

it.each([
	[10, /: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\.$/],
	[11, /: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …\.$/],
])('names up to ten of %i new items to delete', async (count, end) => {
	const values = rows(count, { quantity: 3 });
	const { description } = await said('add', values, proposalWith(...news(count)));
	expect(description).toContain(`New items: ${count}.`);
	expect(description).toMatch(end);
});

it('names no item to delete that was there before the rows were added', async () => {
	const itemsJson = [added, { ...added, itemId: 77 }];
	const values = { areaOptionId: 11, itemsJson, ...skip };
	const { message, description } = await said('add', values, proposalWith(old(5)));
	expect(message).toBe('row 2 was not added');
	expect(description).toMatch(/You can safely run the step again\.$/);
});

it('warns when the proposal had an item like the missing one before', async () => {
	for (const itemsJson of [[added], [{ ...added, itemId: 77 }, added]]) {
		const values = { areaOptionId: 11, itemsJson };
		const { description } = await said('add', values, proposalWith(old(1)));
		expect(description).toContain('they were created earlier');
	}
});

it('finds no copy of a missing item, and does not take the original for one', async () => {
	const copy = { itemIds: [1], areaOptionIds: [11] };
	for (const items of [[item(1)], [item(2)]]) {
		const { message } = await said('copy', copy, proposalWith(...items));
		expect(message).toBe('item 1 was not copied');
	}
	expect((await said('copy', copy, proposalWith(item(1), item(2)))).message).toBe('');
});

it.each<[string, object, object[]]>([
	['copy', { itemIds: [1], areaOptionIds: [11] }, [old(1), item(9), item(10, { quantity: 9 })]],
	['move', { itemIds: [1], areaOptionId: 11 }, [item(9)]],
	['replace', { itemId: 1, catalogItemId: 55 }, [old(8), item(9)]],
])('returns from %s %j the item that has a new ID', async (name, values, items) => {
	const outcome = await said(name, values, proposalWith(...items));
	expect(outcome).toMatchObject({ ids: [9], message: '' });
});

it('names what an update has and has not set, and the request', async () => {
	const updateFields = { quantity: 2, sellPrice: 5, cost: 9 };
	const items = proposalWith(old(1, { sellPrice: 5, cost: 8 }));
	const { description } = await said('update', { itemId: 1, updateFields }, items);
	expect(description).toMatch(/^Set: 'Quantity', 'Sell Price'\.\n.+\/42\/items\/1\/cost\. /);
	const gone = await said('update', { itemId: 7, updateFields }, items);
	expect(gone.message).toBe('item 7 is not in the proposal');
	expect(gone.description).toMatch(/^Portal\.io may use another field name/);
});

it('reports a missing change for a response of another shape, too', async () => {
	const areas = [{ id: 1, options: [{ id: 11, items: 'none' }] }] as never;
	const { message } = await said('add', rows(1), { id: 42, number: 1, areas } as never);
	expect(message).toMatch(/^Unexpected response/);
});
