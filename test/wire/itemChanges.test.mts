/** The operations of items that the service does not document, by what becomes of the proposal. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runner, seed, startService } from './account.mts';
import type { StoredCredential } from '../../testbed/nodeRunner.mts';

let service: Awaited<ReturnType<typeof startService>>;
let credential: StoredCredential;
beforeAll(async () => {
	service = await startService();
	credential = service.credential();
});
afterAll(async () => {
	expect(service.control.contractViolations).toEqual([]);
	await service.simulator.stop();
});

const run = runner(() => credential);

/** A fresh proposal with an area, and two parts in its option. */
let proposalId: number;
let areaOptionId: number;
let first: number;
const items = () =>
	service.control
		.proposal(proposalId)
		.areas.flatMap((one: { options: { id: number; items?: object[] }[] }) =>
			one.options.flatMap(({ id, items: inside }) =>
				(inside ?? []).map((entry) => ({ ...entry, option: id })),
			),
		);
const of = (id: number) => items().find((one: { id: number }) => one.id === id);
beforeEach(async () => {
	const [draft] = await run('proposal.create', { salesPersonId: seed.users.salesJordan });
	proposalId = draft!.id as number;
	const [answer] = await run('area.create', { proposalId, name: 'Den' });
	areaOptionId = (answer as never as { areas: [{ options: [{ id: number }] }] }).areas[0].options[0]
		.id;
	await run('item.add', {
		proposalId,
		areaOptionId,
		items: {
			item: [
				{ itemId: 9001, itemType: 'Part', quantity: 2 },
				{ itemId: '9002', itemType: 'Part', quantity: '1.5' },
			],
		},
	});
	first = items()[0].id;
});

describe('item', () => {
	it('add: to an option, nested where a parent is named', async () => {
		expect(
			items().map((one: { referencedItemId: number; quantity: number; option: number }) => [
				one.referencedItemId,
				one.quantity,
				one.option,
			]),
		).toEqual([
			[9001, 2, areaOptionId],
			[9002, 1.5, areaOptionId],
		]);
		await run('item.add', {
			proposalId,
			areaOptionId,
			items: { item: [{ itemId: 8001, itemType: 'Labor', quantity: 3, parentId: first }] },
		});
		expect(items().at(-1)).toMatchObject({ itemType: 'Labor', parentId: first, quantity: 3 });
	});

	it('delete: for good', async () => {
		const answer = await run('item.delete', { proposalId, itemIds: [first] });
		expect(answer).toEqual([{ deleted: true, proposalId, itemIds: [first] }]);
		expect(of(first)).toBeUndefined();
		expect(items()).toHaveLength(1);
	});

	it('replace: by another of the catalog, in the same place', async () => {
		await run('item.replace', { proposalId, itemId: first, catalogItemId: 9003 });
		expect(items()[0]).toMatchObject({ id: first, referencedItemId: 9003, quantity: 2 });
	});

	it.each([
		['updateQuantity', { quantity: 0 }, { quantity: 0 }],
		['updateQuantity', { quantity: 4.25 }, { quantity: 4.25 }],
		['updateSellPrice', { sellPrice: 123.45 }, { sellPrice: 123.45 }],
		['updateSellPrice', { sellPrice: 0 }, { sellPrice: 0 }],
		['updateCost', { cost: '10.5' }, { cost: 10.5 }],
		['updateMsrp', { msrp: 199 }, { msrp: 199 }],
		['updateCombinedPrice', { isCombinedPrice: true }, { total: { isCombinedPrice: true } }],
		[
			'updateShortDescription',
			{ shortDescription: 'Größer & "besser"' },
			{ shortDescription: 'Größer & "besser"' },
		],
		['updateClientNote', { clientNote: 'Note' }, { clientNote: 'Note' }],
		[
			'updateImage',
			{ imageUrl: 'https://x.example/a.png?b=1&c=2' },
			{ imageUrl: 'https://x.example/a.png?b=1&c=2' },
		],
		['updateTaxExempt', { isTaxExempt: true }, { isTaxExempt: true }],
		['updateRecurringService', { isRecurringService: true }, { isRecurringService: true }],
	] as const)('%s: %j', async (operation, parameters, expected) => {
		const [answer] = await run(`item.${operation}`, { proposalId, itemId: first, ...parameters });
		expect(of(first)).toMatchObject(expected);
		expect(answer).toEqual(service.control.proposal(proposalId));
	});

	it('move and copy: to options of other areas', async () => {
		const [answer] = await run('area.create', { proposalId, name: 'Attic' });
		const target = (answer as never as { areas: { options: [{ id: number }] }[] }).areas[1]!
			.options[0].id;
		await run('item.move', { proposalId, itemIds: String(first), areaOptionId: target });
		expect(of(first)).toMatchObject({ option: target });
		await run('item.copy', {
			proposalId,
			itemIds: [first],
			areaOptionIds: `${areaOptionId},${target}`,
		});
		expect(items()).toHaveLength(4);
		const copies = items().filter(
			(one: { referencedItemId: number; id: number }) =>
				one.referencedItemId === 9001 && one.id !== first,
		);
		expect(copies.map(({ option }: { option: number }) => option).sort()).toEqual(
			[areaOptionId, target].sort(),
		);
	});

	it('getSuppliers and setSupplier: who supplies it, and at what cost', async () => {
		const suppliers = await run('item.getSuppliers', { proposalId, itemId: first });
		expect(suppliers.length).toBeGreaterThan(0);
		const chosen = suppliers.at(-1) as { id: number; name: string; cost: { value: number } };
		await run('item.setSupplier', { proposalId, itemId: first, supplierId: chosen.id });
		expect(of(first)).toMatchObject({ supplier: chosen.name, cost: chosen.cost.value });
	});
});

describe('an assumed body', () => {
	it('can be corrected by the user: JSON in place of a form, and further fields', async () => {
		const strict = await startService({ assumedBodies: 'json' });
		const credentialThere = strict.credential();
		const theirs = runner(() => credentialThere);
		const [theatre] = strict.control.proposal(seed.proposals.staleTheatre).areas;
		const parameters = {
			proposalId: seed.proposals.staleTheatre,
			itemId: theatre.options[0].items[0].id,
			quantity: 7,
		};
		await expect(theirs('item.updateQuantity', parameters)).rejects.toMatchObject({
			httpCode: '415',
		});
		const extraFields = { field: [{ name: 'reason', value: 'counted' }] };
		await theirs('item.updateQuantity', {
			...parameters,
			options: { bodyFormat: 'json', extraFields },
		});
		const { bodyText, status } = strict.control.requests.at(-1)!;
		expect([JSON.parse(bodyText), status]).toEqual([{ quantity: 7, reason: 'counted' }, 200]);
		await strict.simulator.stop();
	});
});

describe('what the service refuses', () => {
	const price = { sellPrice: 1 };
	const theatre = { proposalId: seed.proposals.staleTheatre };

	it.each([
		['404', 'dealer', { ...theatre, itemId: 1, ...price }],
		['404', 'otherDealer', { ...theatre, itemId: 1, ...price }],
		['403', 'restricted', { ...theatre, itemId: 1, ...price }],
		['402', 'lapsed', { ...theatre, itemId: 1, ...price }],
		['409', 'dealer', { proposalId: seed.proposals.completed, itemId: 1, ...price }],
	] as const)('%s for the %s', async (httpCode, account, parameters) => {
		const theirs = runner(() => service.credential(account));
		await expect(theirs('item.updateSellPrice', parameters)).rejects.toMatchObject({ httpCode });
	});

	it('400: an option of nowhere', async () => {
		await expect(
			run('item.move', { proposalId, itemIds: [first], areaOptionId: 99999999 }),
		).rejects.toMatchObject({ httpCode: expect.stringMatching(/400|404/) });
	});
});
