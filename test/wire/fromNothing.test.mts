/** A proposal built from nothing by the node alone, and its totals worked out by hand. */
import { expect, it } from 'vitest';
import { fileService, seed } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/area/index.ts';
import '../../nodes/PortalIo/resources/areaOption/index.ts';
import '../../nodes/PortalIo/resources/item/index.ts';
import '../../nodes/PortalIo/resources/proposal/index.ts';

interface Item {
	id: number;
	parentId?: number;
	itemType: string;
	referencedItemId: number;
	quantity: number;
	cost: number;
	total: { amount: number; isCombinedPrice: boolean };
	[field: string]: unknown;
}
interface Built {
	id: number;
	areaOptionId: number;
	areas: { id: number; name: string; options: { id: number; items?: Item[] }[] }[];
	[field: string]: unknown;
}

const service = fileService();

it('builds it, and the service holds just that', async () => {
	const { run } = service;
	const one = async (name: string, parameters: object) =>
		(await run(name, parameters))[0] as unknown as Built;

	const { id: proposalId } = await one('proposal.create', {
		salesPersonId: seed.users.salesPriya,
		name: 'From Nothing',
	});
	const { id: contactId } = await one('contact.create', {
		partyType: 'Person',
		contactType: 'Client',
		firstName: 'Nora',
		additionalFields: { lastName: 'Blank', contactEmail: 'nora@example.com' },
	});
	const { id: locationId } = await one('location.create', {
		contactId,
		street: '1 First St',
		additionalFields: {
			city: 'Denver',
			state: 'CO',
			postalCode: '80205',
			country: 'United States',
		},
	});
	await run('proposal.assignContact', { proposalId, contactId });
	await run('proposal.assignLocation', { proposalId, locationId });
	await run('proposal.update', {
		proposalId,
		updateFields: { description: 'Sound for two rooms' },
	});
	const { areaOptionId: inDen } = await one('area.create', { proposalId, name: 'Den' });
	const attic = await one('area.create', { proposalId, name: 'Attic' });
	const { areaOptionId: inAttic } = await one('areaOption.create', {
		proposalId,
		areaId: attic.id,
		additionalFields: { clientDescription: 'The better one' },
	});

	const stored = () => service.control.proposal(proposalId) as Built;
	const itemsIn = (option: number) =>
		stored()
			.areas.flatMap(({ options }) => options)
			.find(({ id }) => id === option)!.items ?? [];
	const add = async (areaOptionId: number, ...item: object[]) =>
		await run('item.add', { proposalId, areaOptionId, items: { item } });
	const found = (option: number, catalogId: number) =>
		itemsIn(option).find(({ referencedItemId }) => referencedItemId === catalogId)!.id;

	// Ten items of all four kinds, one of them nested.
	await add(
		inDen,
		{ itemId: 9001, itemType: 'Part', quantity: 1 },
		{ itemId: 9002, itemType: 'Part', quantity: 1 },
		{ itemId: 8001, itemType: 'Labor', quantity: 3 },
		{ itemId: 8101, itemType: 'CustomItem', quantity: 1 },
		{ itemId: 8201, itemType: 'Fee', quantity: 1 },
	);
	await add(
		inAttic,
		{ itemId: 9005, itemType: 'Part', quantity: 1 },
		{ itemId: 8002, itemType: 'Labor', quantity: 1.5 },
		{ itemId: 8003, itemType: 'Labor', quantity: 2 },
		{ itemId: 8102, itemType: 'CustomItem', quantity: 1 },
	);
	const amplifier = found(inDen, 9001);
	await add(inDen, { itemId: 9004, itemType: 'Part', quantity: 1, parentId: amplifier });
	const cable = found(inDen, 9004);
	const speaker = found(inDen, 9002);
	const labor = found(inDen, 8001);
	const replaced = found(inAttic, 9005);
	const plan = found(inAttic, 8102);

	await run('item.replace', { proposalId, itemId: replaced, catalogItemId: 9006 });
	const update = async (itemId: number, updateFields: object) =>
		await run('item.update', { proposalId, itemId, updateFields });
	await update(amplifier, { quantity: 2 });
	const prices: [number, number][] = [
		[amplifier, 100],
		[cable, 5.55],
		[speaker, 49.99],
		[labor, 75],
		[found(inDen, 8101), 10.1],
		[found(inDen, 8201), 25],
		[replaced, 70],
		[found(inAttic, 8002), 60],
		[found(inAttic, 8003), 40],
		[plan, 12],
	];
	for (const [itemId, sellPrice] of prices) await update(itemId, { sellPrice });
	const imageUrl = 'https://images.example.com/speaker.png';
	await update(amplifier, { msrp: 120, isCombinedPrice: true });
	await update(speaker, { cost: 1, isTaxExempt: true, clientNote: 'In white', imageUrl });
	await update(plan, { isRecurringService: true });
	await update(labor, { shortDescription: 'Two people' });
	await run('item.move', { proposalId, itemIds: [speaker], areaOptionId: inAttic });
	await run('item.copy', { proposalId, itemIds: [labor], areaOptionIds: [inAttic] });
	const suppliers = await run('item.getSuppliers', { proposalId, itemId: amplifier });
	const supplier = suppliers.at(-1) as { id: number; name: string; cost: { value: number } };
	await run('item.setSupplier', { proposalId, itemId: amplifier, supplierId: supplier.id });
	await run('item.refreshCosts', { proposalId });

	const built = (await one('proposal.get', { proposalId, simplify: false })) as Built;
	expect(built).toEqual(stored());
	expect(built).toMatchObject({
		name: 'From Nothing',
		status: 'Draft',
		projectDescription: 'Sound for two rooms',
		customer: { id: contactId, lastName: 'Blank', location: { id: locationId } },
		dealer: { salesperson: { id: seed.users.salesPriya } },
		areas: [
			{ name: 'Den', options: [{ id: inDen }] },
			{ name: 'Attic', options: [{}, { id: inAttic, clientDescription: 'The better one' }] },
		],
	});
	const [denItems, atticItems] = [itemsIn(inDen), itemsIn(inAttic)];
	expect(denItems.map(({ id }) => id).sort()).toEqual(
		[amplifier, cable, labor, found(inDen, 8101), found(inDen, 8201)].sort(),
	);
	expect(atticItems).toHaveLength(6);
	const all = new Map([...denItems, ...atticItems].map((item) => [item.id, item]));
	expect(all.get(amplifier)).toMatchObject({
		quantity: 2,
		sellPrice: 100,
		msrp: 120,
		supplier: supplier.name,
		cost: supplier.cost.value,
		total: { isCombinedPrice: true },
	});
	expect(all.get(cable)).toMatchObject({ parentId: amplifier, sellPrice: 5.55 });
	expect(all.get(replaced)).toMatchObject({ referencedItemId: 9006, sellPrice: 70 });
	expect(all.get(plan)).toMatchObject({ isRecurringService: true });
	expect(all.get(speaker)).toMatchObject({ clientNote: 'In white', imageUrl, isTaxExempt: true });
	// The refresh has replaced the cost of 1 by that of the catalog.
	const source = service.control.catalogItems(seed.accounts.dealer).find(({ id }) => id === 9002);
	expect(all.get(speaker)!.cost).toBe(Number(source!.default_cost_cents) / 100);
	const copies = atticItems.filter(({ referencedItemId }) => referencedItemId === 8001);
	expect(copies).toEqual([
		expect.objectContaining({ quantity: 3, sellPrice: 75, shortDescription: 'Two people' }),
	]);
	expect(copies[0]!.id).not.toBe(labor);

	// Parts: 2 × 100 + 5.55 + 10.10 + 70 + 49.99. Labor: 3 × 75, twice, + 1.5 × 60 + 2 × 40.
	// Tax of Colorado in the simulator, 7.65 %, on labor and on parts without the exempt 49.99:
	// 285.65 × 0.0765 = 21.852 and 620 × 0.0765 = 47.43.
	expect(built.financialSummary).toMatchObject({
		partsSubtotal: 335.64,
		partsTotal: 335.64,
		laborTotal: 620,
		feeTotal: 25,
		proposalSubtotal: 980.64,
		salesTax: { taxStatus: 'Ok', total: 69.28 },
		proposalTotal: 1049.92,
	});
	expect(built.recurringServices).toMatchObject({
		items: [{ sellPrice: 12, quantity: 1, totalSell: 12 }],
		totalRecurringService: 12,
	});

	await run('item.delete', { proposalId, itemIds: [plan, copies[0]!.id] });
	const [smaller] = await run('proposal.get', { proposalId });
	// Without 225 of labor and its tax of 17.21: 395 × 0.0765 = 30.2175.
	expect(smaller!.proposalTotal).toBe(807.71);
});
