/** Tests values from expressions, lists, and AI agents. */
import { expect, it } from 'vitest';
import { by, restoredService, seed } from './account.mts';

const service = restoredService();
const { run } = service;
const proposalId = seed.proposals.staleWholeHome;
const items = () => service.control.items(proposalId);

function sentForm(): Record<string, string[]> {
	const form = new URLSearchParams(service.control.requests.at(-1)!.bodyText);
	return Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name)]));
}

it.each<[string, (first: number, second: number) => unknown]>([
	['a list', (first, second) => [first, second]],
	['an expression with a list', (first, second) => `={{ [${first}, ${second}] }}`],
	['an expression with text', (first, second) => `={{ '[${first},${second}]' }}`],
])('sends several IDs that are given as %s', async (_way, write) => {
	const [first, second] = items().map(({ id }) => Number(id)) as [number, number];
	const options = [...new Set(items().map(({ option_id: id }) => Number(id)))];
	const [option, another] = options as [number, number];
	const itemIds = write(first, second);
	await run('item.copy', { proposalId, itemIds, areaOptionIds: write(option, another) });
	expect(sentForm()).toMatchObject({
		ProposalItemIds: [String(first), String(second)],
		AreaOptionIds: [String(option), String(another)],
	});
});

it('copies an item only once if an expression lists it three times', async () => {
	const [{ id, option_id: areaOptionId }] = items() as [{ id: number; option_id: number }];
	const before = items().length;
	const given = { itemIds: `={{ [${id}, '${id}', '${id}.0'] }}`, areaOptionIds: [areaOptionId] };
	const copies = await run('item.copy', { proposalId, ...given });
	expect(sentForm().ProposalItemIds).toEqual([String(id)]);
	expect(copies).toHaveLength(items().length - before);
	expect(items().filter(({ id: other }) => Number(other) > id)).not.toHaveLength(0);
});

it('parses switches, IDs, numbers, and choices as people write them', async () => {
	const item = {
		itemType: '={{ $json.type }}',
		catalogItemId: '={{ $json.id }}',
		quantity: '={{ $json.qty }}',
	};
	const [{ option_id: areaOptionId }] = items() as [{ option_id: number }];
	const rows = [
		{ type: 'Custom Item', id: '8103.0', qty: '2.0', isExempt: 'TRUE' },
		{ type: 'part', id: `${seed.catalogItems.mount}.00`, qty: 1, isExempt: 'yes' },
		{ type: 'LABOR', id: seed.catalogItems.installation, qty: '1.50', isExempt: 0 },
	];
	const addition = { areaOptionId: by('id', `${areaOptionId}.0`), items: { item: [item] } };
	const added = await run(
		'item.add',
		{ proposalId: `${proposalId}.0`, ...addition },
		{ items: rows },
	);
	const storedOf = ({ itemId }: { itemId?: unknown }) => items().find(({ id }) => id === itemId)!;
	expect(added.map((item) => [storedOf(item).item_type, item.quantity])).toEqual([
		['CustomItem', 2],
		['Part', 1],
		['Labor', 1.5],
	]);
	const updateFields = { isTaxExempt: '={{ $json.isExempt }}' };
	const changes = rows.map(({ isExempt }, index) => ({
		isExempt,
		item: `${added[index]!.itemId}.0`,
	}));
	const itemId = by('id', '={{ $json.item }}');
	await run('item.update', { proposalId, itemId, updateFields }, { items: changes });
	const exempt = added.map(({ itemId }) => items().find(({ id }) => id === itemId)!.is_tax_exempt);
	expect(exempt).toEqual([1, 1, 0]);
	const wrong = { isTaxExempt: 'maybe' };
	await expect(
		run('item.update', { proposalId, itemId: added[0]!.itemId, updateFields: wrong }),
	).rejects.toThrow("'Tax Exempt' must be true or false; it is 'maybe'");
});

it('filters proposals by statuses as the editor labels them', async () => {
	const statusesOf = async (statuses: unknown) => {
		const listed = await run('proposal.getMany', { returnAll: 'TRUE', filters: { statuses } });
		return new Set(listed.map(({ status }) => status));
	};
	expect(await statusesOf('Viewed By Client, draft')).toEqual(new Set(['Draft', 'ViewedByClient']));
	expect(await statusesOf(['Sent'])).toEqual(new Set(['Submitted']));
});

it.each([
	['text', (id: number) => ` ${id} `],
	['a choice from the list', (id: number) => by('list', id)],
	['an expression', (id: number) => by('id', `={{ '${id}' }}`)],
])('accepts an ID as %s inside and outside of rows', async (_way, write) => {
	const parent = items().find((one) => one.item_type === 'Part' && one.parent_id === null)!;
	const { mount, installation } = seed.catalogItems;
	const part = { itemType: 'Part', quantity: 2 };
	const labor = { itemType: 'Labor', quantity: 1 };
	const item = [
		{ ...part, catalogItemId: write(mount), parentId: write(Number(parent.id)) },
		{ ...labor, catalogItemId: write(installation) },
	];
	const areaOptionId = write(Number(parent.option_id));
	await run('item.add', { proposalId: write(proposalId), areaOptionId, items: { item } });
	const { AreaOptionId, Items } = sentForm();
	expect(AreaOptionId).toEqual([String(parent.option_id)]);
	expect(JSON.parse(Items![0]!)).toMatchObject([
		{ ...part, itemId: mount, parentId: parent.id },
		{ ...labor, itemId: installation },
	]);
});

const MISSING = '={{ $json.missing }}';
const row = { itemType: 'Part', catalogItemId: seed.catalogItems.mount, quantity: 1 };
const added = { item: [row, { ...row, quantity: MISSING }] };

it.each([
	['proposal.get', { proposalId: by('id', MISSING) }, 'Proposal'],
	['item.delete', { proposalId, itemIds: MISSING }, 'Item Names or IDs'],
	['item.update', { proposalId, itemId: 1, updateFields: { sellPrice: MISSING } }, 'Sell Price'],
	['item.add', { proposalId, areaOptionId: 1, items: added }, 'Quantity'],
	['item.refreshCosts', { proposalId, itemIds: '={{ [] }}' }, 'Item Names or IDs'],
	['catalog.search', { searchText: "={{ '' }}" }, 'Search Text'],
	['catalog.search', { filters: { brands: '={{ [] }}' } }, 'Brands'],
])('rejects %s %j with an empty expression', async (name, given, field) => {
	await expect(run(name, given)).rejects.toMatchObject({
		message: expect.stringContaining(`'${field}' has no value: the expression returned nothing`),
		messages: [],
	});
	expect(service.control.requests).toEqual([]);
});

it('refreshes all items if none is chosen', async () => {
	await run('item.refreshCosts', { proposalId, itemIds: [] });
	expect(sentForm()).toEqual({});
});

it('sends the names of proposals and areas without line breaks or tabs', async () => {
	const nameIn = (path: RegExp) =>
		service.control.requests
			.filter(({ method, path: sent }) => method === 'POST' && path.test(sent))
			.map(({ bodyText }) => new URLSearchParams(bodyText).get('Name'))
			.at(-1);
	const salesPersonId = seed.users.salesJordan;
	await run('proposal.create', { salesPersonId, name: 'Holt\r\nlower  level\t ' });
	expect(nameIn(/\/public\/proposals$/)).toBe('Holt lower  level');
	await run('proposal.update', { proposalId, updateFields: { name: '\nHolt\u2028house' } });
	expect(nameIn(new RegExp(`/proposals/${proposalId}$`))).toBe('Holt house');
	await run('area.create', { proposalId, name: 'Pool\t\tHouse' });
	expect(nameIn(/\/area$/)).toBe('Pool House');
	await run('item.add', {
		proposalId,
		areaOptionId: by('name', 'Wine\n\nRoom'),
		items: { item: [{ itemType: 'Part', catalogItemId: seed.catalogItems.mount, quantity: 1 }] },
		options: { createMissingArea: true },
	});
	expect(nameIn(/\/area$/)).toBe('Wine Room');
});

it.each([0, '0.00', 0.000_01, '-0.00004'])('rejects the quantity %j', async (quantity) => {
	const [{ id: itemId, option_id: areaOptionId }] = items() as [Record<string, number>];
	const item = { itemType: 'Part', catalogItemId: seed.catalogItems.mount, quantity };
	const wrong = `'Quantity' must not be 0 (rounded to four decimals); it is '${quantity}'`;
	await expect(
		run('item.update', { proposalId, itemId, updateFields: { quantity } }),
	).rejects.toThrow(wrong);
	await expect(
		run('item.add', { proposalId, areaOptionId, items: { item: [item] } }),
	).rejects.toThrow(wrong);
	expect(service.control.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});
