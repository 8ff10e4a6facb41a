/** The operations of items that the service does not document, by what becomes of the proposal. */
import { beforeEach, describe, expect, it } from 'vitest';
import { fileService, runner, seed, startService } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/item/index.ts';

const service = fileService();

const { run } = service;

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
	const [area] = await run('area.create', { proposalId, name: 'Den' });
	areaOptionId = area!.areaOptionId as number;
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
	/** An item as the simplified output has it, worked out from the whole proposal. */
	const flat = (id: number) => {
		const { option, total, ...item } = of(id);
		const areas: { name: string; options: { id: number }[] }[] =
			service.control.proposal(proposalId).areas;
		return {
			id,
			proposalId,
			areaName: areas.find(({ options }) => options.some((one) => one.id === option))!.name,
			areaOptionId: option,
			itemType: item.itemType,
			name: item.brand ? `${item.brand} ${item.model}` : item.name,
			quantity: item.quantity,
			cost: item.cost,
			sellPrice: item.sellPrice,
			total: total.amount,
		};
	};
	const idsOf = (records: object[]) => records.map((one) => (one as { id: number }).id);
	const addAgain = async (...item: object[]) =>
		await run('item.add', { proposalId, areaOptionId, items: { item } });

	it('add: returns the new items in their order, also those that are there already', async () => {
		const before = idsOf(items());
		const output = await addAgain(
			{ itemId: 8001, itemType: 'Labor', quantity: 1 },
			{ itemId: 9001, itemType: 'Part', quantity: 7 },
			{ itemId: 9003, itemType: 'Part', quantity: 1 },
			{ itemId: 9001, itemType: 'Part', quantity: 8 },
		);
		const added = idsOf(items()).filter((id) => !before.includes(id));
		expect(output).toEqual(added.map(flat));
		expect(output.map(({ quantity }) => quantity)).toEqual([1, 7, 1, 8]);
		const [full] = await run('item.add', {
			proposalId,
			areaOptionId,
			items: { item: [{ itemId: 9001, itemType: 'Part', quantity: 1 }] },
			simplify: false,
		});
		expect(full).toEqual(service.control.proposal(proposalId));
	});

	it('copy: returns the copies in each option, without the originals', async () => {
		const [attic] = await run('area.create', { proposalId, name: 'Attic' });
		const target = attic!.areaOptionId as number;
		const before = idsOf(items());
		const second = items()[1].id;
		const output = await run('item.copy', {
			proposalId,
			itemIds: [first, second],
			areaOptionIds: [target, areaOptionId],
		});
		const copies = idsOf(items()).filter((id) => !before.includes(id));
		expect(copies).toHaveLength(4);
		const ascending = copies.toSorted((one, other) => one - other);
		expect(output).toEqual(ascending.map(flat));
		const options = output.map((one) => one.areaOptionId);
		expect(options.toSorted()).toEqual([target, target, areaOptionId, areaOptionId].toSorted());
		const parameters = { proposalId, itemIds: [first], areaOptionIds: [target], simplify: false };
		expect(await run('item.copy', parameters)).toEqual([service.control.proposal(proposalId)]);
	});

	it('move: returns the moved items where they are now', async () => {
		const [attic] = await run('area.create', { proposalId, name: 'Attic' });
		const target = attic!.areaOptionId as number;
		await addAgain({ itemId: 9001, itemType: 'Part', quantity: 3 });
		const output = await run('item.move', {
			proposalId,
			itemIds: [first],
			areaOptionId: target,
		});
		expect(output).toEqual([flat(first)]);
		expect(output[0]).toMatchObject({ areaName: 'Attic', areaOptionId: target });
		const back = { proposalId, itemIds: [first], areaOptionId, simplify: false };
		expect(await run('item.move', back)).toEqual([service.control.proposal(proposalId)]);
	});

	it('copy and move: return what is nested under the items too', async () => {
		const [attic] = await run('area.create', { proposalId, name: 'Attic' });
		const target = attic!.areaOptionId as number;
		const [nested] = await addAgain({ itemId: 8001, itemType: 'Labor', parentId: first });
		const before = idsOf(items());
		const to = { proposalId, itemIds: [first], areaOptionIds: [target] };
		const copies = await run('item.copy', to);
		const added = idsOf(items()).filter((id) => !before.includes(id));
		expect(added).toHaveLength(2);
		expect(copies).toEqual(added.map(flat));
		const moved = await run('item.move', { proposalId, itemIds: [first], areaOptionId: target });
		expect(moved.map(({ id }) => id)).toEqual([first, nested!.id]);
		expect(moved).toEqual([first, nested!.id as number].map(flat));
	});

	it('replace and setSupplier: return the item', async () => {
		const ids = { proposalId, itemId: first };
		expect(await run('item.replace', { ...ids, catalogItemId: 9003 })).toEqual([flat(first)]);
		const suppliers = await run('item.getSuppliers', ids);
		expect(suppliers[0]).toMatchObject({ proposalId, itemId: first });
		const parameters = { ...ids, supplierId: suppliers.at(-1)!.id };
		expect(await run('item.setSupplier', parameters)).toEqual([flat(first)]);
		expect(await run('item.setSupplier', { ...parameters, simplify: false })).toEqual([
			service.control.proposal(proposalId),
		]);
		const full = { ...ids, catalogItemId: 9001, simplify: false };
		expect(await run('item.replace', full)).toEqual([service.control.proposal(proposalId)]);
	});

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
	] as const)('update: %s alone with %j', async (sent, updateFields, expected) => {
		service.control.clearRequests();
		const ids = { proposalId, itemId: first };
		const output = await run('item.update', { ...ids, updateFields });
		expect(service.control.requests.map(({ operationId }) => operationId)).toEqual([
			`item.${sent}`,
		]);
		expect(of(first)).toMatchObject(expected);
		expect(output).toEqual([flat(first)]);
		const [full] = await run('item.update', { ...ids, updateFields, simplify: false });
		expect(full).toEqual(service.control.proposal(proposalId));
	});

	it('update: all fields, one request each, in the documented order', async () => {
		service.control.clearRequests();
		const [output] = await run('item.update', {
			proposalId,
			itemId: first,
			updateFields: {
				imageUrl: 'https://x.example/ü.png?b=1&c=2',
				clientNote: 'Behind the "door" & left',
				shortDescription: '',
				isRecurringService: false,
				isTaxExempt: true,
				isCombinedPrice: 'true',
				msrp: 0,
				cost: '10.5',
				sellPrice: 0.1 + 0.2,
				quantity: 2.25,
			},
		});
		expect(
			service.control.requests.map(({ path, bodyText }) => [path.split('/').at(-1), bodyText]),
		).toEqual([
			['qty', 'Quantity=2.25'],
			['sellprice', 'SellPrice=0.3'],
			['cost', 'Cost=10.5'],
			['msrp', 'Msrp=0'],
			['combineprice', 'IsCombinedPrice=true'],
			['taxexempt', 'IsTaxExempt=true'],
			['recurringservice', 'IsRecurringService=false'],
			['shortdescription', 'ShortDescription='],
			['note', 'ClientNote=Behind%20the%20%22door%22%20%26%20left'],
			['image', 'ImageUrl=https%3A%2F%2Fx.example%2F%C3%BC.png%3Fb%3D1%26c%3D2'],
		]);
		for (const { headers, isAccepted } of service.control.requests) {
			expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
			expect(isAccepted).toBe(true);
		}
		expect(output).toEqual(flat(first));
		expect(of(first)).toMatchObject({
			quantity: 2.25,
			sellPrice: 0.3,
			cost: 10.5,
			msrp: 0,
			isTaxExempt: true,
			isRecurringService: false,
			clientNote: 'Behind the "door" & left',
			imageUrl: 'https://x.example/ü.png?b=1&c=2',
			total: { isCombinedPrice: true },
		});
	});

	it('update: nothing is sent when no field was added, or one of them cannot be right', async () => {
		service.control.clearRequests();
		const ids = { proposalId, itemId: first };
		await expect(run('item.update', { ...ids, updateFields: {} })).rejects.toThrow(
			"'Update Fields' is empty",
		);
		await expect(
			run('item.update', { ...ids, updateFields: { quantity: 1, sellPrice: 'x' } }),
		).rejects.toThrow("'Sell Price' must be a number");
		expect(service.control.requests).toEqual([]);
	});

	it('update: a refused field ends it, and the error says what was set', async () => {
		// Only the address of the picture is refused by the service.
		const error = await run('item.update', {
			proposalId,
			itemId: first,
			updateFields: { quantity: 5, clientNote: 'Note', imageUrl: 'x', isTaxExempt: true },
		}).catch((reason: unknown) => reason);
		expect(error).toMatchObject({
			httpCode: '400',
			message: 'Portal.io did not accept the values of this request',
			description: expect.stringContaining(
				"Set: 'Quantity', 'Tax Exempt', 'Client Note'. Failed: 'Image URL'.",
			),
		});
		expect((error as Error & { description: string }).description).toContain('ImageUrl');
		expect(of(first)).toMatchObject({ quantity: 5, clientNote: 'Note', isTaxExempt: true });
	});

	it('update: goes on with the other inputs on Continue on Fail, with what was set', async () => {
		const second = items()[1].id;
		service.control.failNext({ operationId: 'item.updateSellPrice', status: 409 });
		const output = await run(
			'item.update',
			{
				proposalId,
				itemId: '={{ $json.id }}',
				updateFields: { quantity: 3, sellPrice: 20, cost: 1 },
			},
			{ items: [{ id: first }, { id: second }], continueOnFail: true },
		);
		expect(output).toEqual([
			{
				error: "The proposal's state prevents this change",
				description: expect.stringMatching(
					/^Set: 'Quantity'\. Failed: 'Sell Price'\. Not sent: 'Cost'\.$/m,
				),
				httpCode: '409',
			},
			flat(second),
		]);
		expect(of(first)).toMatchObject({ quantity: 3 });
		expect(of(first).sellPrice).not.toBe(20);
		expect(of(second)).toMatchObject({ quantity: 3, sellPrice: 20, cost: 1 });
	});

	it('move and copy: to options of other areas', async () => {
		const [attic] = await run('area.create', { proposalId, name: 'Attic' });
		const target = attic!.areaOptionId as number;
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
			updateFields: { quantity: 7 },
		};
		await expect(theirs('item.update', parameters)).rejects.toMatchObject({
			httpCode: '415',
		});
		const extraFields = { field: [{ name: 'reason', value: 'counted' }] };
		await theirs('item.update', {
			...parameters,
			options: { bodyFormat: 'json', extraFields },
		});
		const { bodyText, status } = strict.control.requests.at(-1)!;
		expect([JSON.parse(bodyText), status]).toEqual([{ quantity: 7, reason: 'counted' }, 200]);
		strict.control.clearRequests();
		await theirs('item.update', {
			...parameters,
			updateFields: { isTaxExempt: true, cost: 1.5 },
			options: { bodyFormat: 'json' },
		});
		expect(strict.control.requests.map((one) => [one.status, JSON.parse(one.bodyText)])).toEqual([
			[200, { cost: 1.5 }],
			[200, { isTaxExempt: true }],
		]);
		await strict.simulator.stop();
	});
});

describe('what the service refuses', () => {
	const price = { updateFields: { sellPrice: 1, cost: 1 } };
	const theatre = { proposalId: seed.proposals.staleTheatre };

	it.each([
		['404', 'dealer', { ...theatre, itemId: 1, ...price }],
		['404', 'otherDealer', { ...theatre, itemId: 1, ...price }],
		['403', 'restricted', { ...theatre, itemId: 1, ...price }],
		['402', 'lapsed', { ...theatre, itemId: 1, ...price }],
		['409', 'dealer', { proposalId: seed.proposals.completed, itemId: 1, ...price }],
	] as const)('%s for the %s', async (httpCode, account, parameters) => {
		const theirs = runner(() => service.credential(account));
		await expect(theirs('item.update', parameters)).rejects.toMatchObject({
			httpCode,
			description: expect.stringContaining("Failed: 'Sell Price'. Not sent: 'Cost'."),
		});
	});

	it('400: an option of nowhere', async () => {
		await expect(
			run('item.move', { proposalId, itemIds: [first], areaOptionId: 99999999 }),
		).rejects.toMatchObject({ httpCode: expect.stringMatching(/400|404/) });
	});
});
