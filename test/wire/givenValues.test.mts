/** The ways in which expressions, templates and AI agents give values, and what an empty one gives. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runner, seed, startService } from './account.mts';
import type { StoredCredential } from '../../dev/testbed/nodeRunner.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/catalog/index.ts';
import '../../nodes/PortalIo/resources/item/index.ts';

let service: Awaited<ReturnType<typeof startService>>;
let credential: StoredCredential;
beforeAll(async () => {
	service = await startService();
	credential = service.credential();
	// So that no exchange is among the requests below.
	await runner(() => credential)('user.getMany');
});
beforeEach(() => service.control.clearRequests());
afterAll(async () => await service.simulator.stop());

const run = runner(() => credential);
const proposalId = seed.proposals.staleWholeHome;

/** The last form that was sent, with all values of each field. */
function sentForm(): Record<string, string[]> {
	const form = new URLSearchParams(service.control.requests.at(-1)!.bodyText);
	return Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name)]));
}

const items = () => service.control.items(proposalId);

/** Two IDs, in each of the ways in which several may be given. */
const WAYS: [string, (first: number, second: number) => unknown][] = [
	['a list', (first, second) => [first, second]],
	['a list of texts', (first, second) => [String(first), String(second)]],
	['text with commas', (first, second) => `${first}, ${second}`],
	['text with brackets', (first, second) => `[${first},${second}]`],
	['an expression of a list', (first, second) => `={{ [${first}, ${second}] }}`],
	['an expression of text', (first, second) => `={{ '${first},${second}' }}`],
];

describe.each(WAYS)('several IDs as %s', (_way, write) => {
	it('of items and area options are sent', async () => {
		const [first, second] = items().map(({ id }) => Number(id)) as [number, number];
		const options = [...new Set(items().map(({ option_id: id }) => Number(id)))];
		const [option, another] = options as [number, number];
		await run('item.copy', {
			proposalId,
			itemIds: write(first, second),
			areaOptionIds: write(option, another),
		});
		expect(sentForm()).toEqual({
			ProposalItemIds: [String(first), String(second)],
			AreaOptionIds: [String(option), String(another)],
		});
		await run('item.refreshCosts', { proposalId, itemIds: write(first, second) });
		expect(sentForm()).toEqual({ ProposalItemIds: [String(first), String(second)] });
	});
});

describe.each([
	['a number', (id: number) => id],
	['text', (id: number) => ` ${id} `],
	['an expression', (id: number) => `={{ ${id} }}`],
	['a choice from the list', (id: number) => ({ __rl: true, mode: 'list', value: id })],
	['an ID', (id: number) => ({ __rl: true, mode: 'id', value: String(id) })],
	['an ID by an expression', (id: number) => ({ __rl: true, mode: 'id', value: `={{ '${id}' }}` })],
])('one record as %s', (_way, write) => {
	it('is found inside and outside of rows', async () => {
		const parent = items().find(({ item_type: type, parent_id: above }) => {
			return type === 'Part' && above === null;
		})!;
		await run('item.add', {
			proposalId: write(proposalId),
			areaOptionId: write(Number(parent.option_id)),
			items: {
				item: [
					{
						itemType: 'Part',
						itemId: write(seed.catalogItems.mount),
						quantity: 2,
						parentId: write(Number(parent.id)),
					},
					{ itemType: 'Labor', itemId: write(seed.catalogItems.installation), quantity: 1 },
				],
			},
		});
		const { AreaOptionId, Items } = sentForm();
		expect(AreaOptionId).toEqual([String(parent.option_id)]);
		expect(JSON.parse(Items![0]!)).toEqual([
			{
				itemType: 'Part',
				itemId: seed.catalogItems.mount,
				quantity: 2,
				parentId: parent.id,
			},
			{ itemType: 'Labor', itemId: seed.catalogItems.installation, quantity: 1 },
		]);
	});
});

describe('an expression that finds nothing', () => {
	const MISSING = '={{ $json.missing }}';
	const [itemType, itemId] = ['Part', seed.catalogItems.mount];
	const row = { itemType, itemId, quantity: 1 };
	const fine = { proposalId, areaOptionId: 1 };

	it.each([
		['proposal.get', { proposalId: MISSING }, 'Proposal'],
		['proposal.get', { proposalId: { __rl: true, mode: 'id', value: MISSING } }, 'Proposal'],
		['item.refreshCosts', { proposalId, itemIds: MISSING }, 'Item Names or IDs'],
		['item.delete', { proposalId, itemIds: MISSING }, 'Item Names or IDs'],
		['proposal.update', { proposalId, updateFields: { name: MISSING } }, 'Name'],
		['item.update', { proposalId, itemId: 1, updateFields: { sellPrice: MISSING } }, 'Sell Price'],
		['item.update', { proposalId, itemId: 1, updateFields: { quantity: MISSING } }, 'Quantity'],
		['item.getMany', { proposalId, filters: { areaId: MISSING } }, 'Area'],
		['catalog.search', { filters: { categoryIds: MISSING } }, 'Category Names or IDs'],
		[
			'item.add',
			{ ...fine, items: { item: [row, { ...row, quantity: MISSING }] } },
			"Items', row 2: 'Quantity",
		],
		[
			'item.add',
			{ ...fine, items: { item: [{ ...row, itemId: MISSING }] } },
			"Items', row 1: 'Catalog Item",
		],
		[
			'item.add',
			{ ...fine, items: { item: [{ ...row, itemId: { mode: 'id', value: MISSING } }] } },
			"Items', row 1: 'Catalog Item",
		],
	])('%s %j: nothing is sent, and the error names the field once', async (name, given, field) => {
		const error = await run(name, given).catch((reason: unknown) => reason);
		expect(error).toMatchObject({
			message: `'${field}' has no value: the expression returned nothing. Check that the previous step outputs this field.`,
			description: undefined,
			messages: [],
		});
		expect(service.control.requests).toEqual([]);
	});
});
