/** Tests finished and unfinished copies of proposals. test/unit/proposalCopy tests the copied values. */
import { beforeAll, describe, expect, it } from 'vitest';
import { restoredService, seed, type FileService } from './account.mts';

const service = restoredService();
const { changes, fail, respond, run } = service;
const contactId = seed.contacts.withPrimary;

interface Item {
	id: number;
	parentId?: number;
	[field: string]: unknown;
}

/** Returns everything in a proposal that a duplicate shares, without IDs and dates. */
function contentsOf(id: number) {
	const { areas, financialSummary, profit, recurringServices, projectDescription, dealer } =
		service.control.proposal(id);
	const own = ['id', 'parentId', 'createdDate', 'lastModifiedDate', 'costUpdateDate'];
	const bare = (record: object) =>
		Object.fromEntries(Object.entries(record).filter(([name]) => !own.includes(name)));
	const below = (items: Item[], parentId?: number): object[] =>
		items
			.filter((one) => one.parentId === parentId)
			.map((one) => ({ ...bare(one), below: below(items, one.id) }));
	return {
		money: { financialSummary, profit, recurringServices },
		projectDescription,
		salesperson: dealer.salesperson,
		areas: areas.map(({ name, options }: { name: string; options: Item[] }) => ({
			name,
			options: options.map((option) => ({ ...bare(option), items: below(option.items as Item[]) })),
		})),
	};
}

/**
 * Creates a proposal with 2 areas, 4 options, and 16 items, including nested items, descriptions, notes, and two
 * changed prices.
 */
async function makeTemplate(): Promise<number> {
	const [proposal] = await run('proposal.create', {
		salesPersonId: seed.users.salesJordan,
		name: 'Template',
		additionalFields: { contactId },
	});
	const proposalId = proposal!.proposalId as number;
	const texts = { description: 'Sound in every room', internalNotes: 'Ours' };
	await run('proposal.update', { proposalId, updateFields: texts });
	const add = async (areaOptionId: unknown, item: object[]) =>
		await run('item.add', { proposalId, areaOptionId, items: { item } });
	const parts = [9001, 9010, 9010].map((catalogItemId) => ({ catalogItemId, quantity: 2 }));
	const update = async (itemId: unknown, updateFields: object) =>
		await run('item.update', { proposalId, itemId, updateFields });
	for (const name of ['Den', 'Rack']) {
		const [area] = await run('area.create', { proposalId, name });
		const { areaId, areaOptionId } = area!;
		const [first, , twin] = await add(areaOptionId, parts);
		const [nested] = await add(areaOptionId, [
			{ catalogItemId: 9025, quantity: 1, parentId: first!.itemId },
			{ catalogItemId: 8001, itemType: 'Labor', quantity: 2.5, parentId: first!.itemId },
		]);
		await add(areaOptionId, [{ catalogItemId: 9026, quantity: -1, parentId: nested!.itemId }]);
		// Change the second of two equal items.
		await update(twin!.itemId, { sellPrice: 99.95, clientNote: 'On the left' });
		await update(nested!.itemId, { isCombinedPrice: true, isTaxExempt: true });
		if (name === 'Rack') continue;
		const additionalFields = { clientDescription: 'In oak', installerNotes: 'Bring a ladder' };
		const [option] = await run('areaOption.create', { proposalId, areaId, additionalFields });
		await add(option!.areaOptionId, parts);
		const updateFields = { installerNotes: 'Mind the cat' };
		await run('areaOption.update', { proposalId, areaId, areaOptionId, updateFields });
	}
	const areaId = service.control.proposal(proposalId).areas[1].id;
	const [last] = await run('areaOption.create', { proposalId, areaId });
	// Add monitoring, which is a recurring service.
	await add(last!.areaOptionId, [{ catalogItemId: 8103, itemType: 'CustomItem' }]);
	return proposalId;
}

let proposalId: number;
beforeAll(async () => {
	proposalId = await makeTemplate();
	service.control.keepState();
});
const duplicate = async (more: object = {}) =>
	await run('proposal.duplicate', { proposalId, ...more });
const newest = () => Number(service.control.proposals().at(-1)!.id);

describe('a copy', () => {
	it('contains the areas, options, and items with their nesting, prices, and totals', async () => {
		expect(service.control.items(proposalId)).toHaveLength(16);
		const [output] = await duplicate({ name: 'For a client' });
		expect(output).toMatchObject({ proposalId: newest(), name: 'For a client', contactId });
		expect(newest()).not.toBe(proposalId);
		expect(contentsOf(newest())).toEqual(contentsOf(proposalId));
		// Expect one read of the original, and one of the copy with its contact.
		const reads = service.control.requests.filter(({ method }) => method === 'GET');
		expect(reads).toHaveLength(2);
	});

	it('has the location of the original only together with its contact', async () => {
		const { company } = seed.contacts;
		const site = { id: company, location: { id: seed.locations.companyThird } };
		const ids = { contactId: company, locationId: site.location.id };
		await duplicate({ additionalFields: ids });
		expect(service.control.proposal(newest())).toMatchObject({ name: 'Template', customer: site });
		const original = { proposalId: newest() };
		await duplicate(original);
		expect(service.control.proposal(newest()).customer).toMatchObject(site);
		service.control.clearRequests();
		await duplicate({ ...original, additionalFields: { contactId } });
		expect(changes()).toContain('proposal.assignContact');
		expect(changes()).not.toContain('proposal.assignLocation');
	});

	it('can have another salesperson', async () => {
		const salesPersonId = seed.users.salesPriya;
		await duplicate({ additionalFields: { salesPersonId } });
		expect(changes()).not.toContain('proposal.update');
		expect(service.control.proposal(newest()).dealer.salesperson.id).toBe(salesPersonId);
	});
});

describe('an unfinished copy', () => {
	it.each([
		['proposal.assignContact', '0 of 2 areas, 0 of 4 options, 0 of 16 items'],
		['area.create', '0 of 2 areas, 0 of 4 options, 0 of 16 items'],
		['areaOption.create', '1 of 2 areas, 1 of 4 options, 0 of 16 items'],
		['item.add', '2 areas, 4 options, 0 of 16 items'],
		['areaOption.updateInstallerNotes', '2 areas, 4 options, 16 items'],
		['item.updateSellPrice', '2 areas, 4 options, 16 items'],
	] as const)('is reported with its contents so far if %s fails', async (operationId, progress) => {
		fail(operationId, { status: 400 });
		const error = await duplicate().catch((reason) => reason);
		expect(error.message).toContain(`The copy (proposal ID ${newest()}) is incomplete: `);
		expect(error.description).toContain(`Copied: ${progress}.`);
		expect(error.description).toContain('Delete this copy in Portal.io before you run the step');
	});

	it("suggests another salesperson if the source's is not active", async () => {
		service.control.update('proposals', { id: proposalId }, { salesPersonId: seed.users.inactive });
		await expect(duplicate()).rejects.toMatchObject({
			description: expect.stringContaining(
				"Choose another 'Salesperson' under 'Additional Fields'",
			),
		});
	});

	it('is named in the error, even if the original is accepted', async () => {
		fail('area.create', { status: 409 });
		const error = await duplicate({ proposalId: seed.proposals.accepted }).catch(
			(reason) => reason,
		);
		expect(error.message).toContain(
			`The copy (proposal ID ${newest()}) is incomplete: The proposal's state`,
		);
	});

	it('creates only one proposal across all tries of Retry On Fail', async () => {
		const proposals = service.control.proposals().length;
		fail('areaOption.create', { status: 409 });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		await expect(run('proposal.duplicate', { proposalId }, { settings })).rejects.toThrow(
			/^The copy \(proposal ID \d+\) is incomplete/,
		);
		expect(service.control.proposals()).toHaveLength(proposals + 1);
	});

	it.each([
		['area.create', "the proposal has no new area 'Den'"],
		['areaOption.create', "the proposal has no new option of 'Den'"],
		['item.add', "Portal.io did not add 3 items to 'Den', option 1"],
		['item.updateSellPrice', 'Portal.io did not make 2 of the changes'],
	])('fails if %s does nothing', async (operationId, message) => {
		respond(operationId, {}, { times: 9 });
		await expect(duplicate()).rejects.toThrow(message);
	});

	it('sends a value again after a gateway error', async () => {
		const [note, price] = ['item.updateClientNote', 'item.updateSellPrice'];
		respond(note, {});
		fail(price, { status: 504 });
		await duplicate({ requestOptions: { requestAttempts: 2 } });
		expect([service.count(note), service.count(price)]).toEqual([2, 3]);
	});

	/** Creates a proposal with two areas named *Den*, which contain 1 and 5 of the same part. */
	async function makeTwins({ control, run }: FileService): Promise<number> {
		const [twins] = control.addProposals(1, { like: seed.proposals.empty }) as [number];
		for (const [name, quantity] of [
			['Den', 1],
			['Den B', 5],
		]) {
			const [area] = await run('area.create', { proposalId: twins, name });
			const items = { item: [{ catalogItemId: seed.catalogItems.mount, quantity }] };
			await run('item.add', { proposalId: twins, areaOptionId: area!.areaOptionId, items });
		}
		control.update('areas', { proposal_id: twins, name: 'Den B' }, { name: 'Den' });
		control.clearRequests();
		return twins;
	}

	const quantitiesIn = ({ control }: FileService, id: number) =>
		control
			.proposal(id)
			.areas.map(({ name, options }: { name: string; options: Array<{ items: Item[] }> }) => [
				name,
				...options[0]!.items.map(({ quantity }) => quantity),
			]);

	describe('a service that allows several areas of the same name', () => {
		const twinService = restoredService({ areaNames: 'any' });

		it('copies each of two areas with the same name', async () => {
			const twins = await makeTwins(twinService);
			const [copy] = await twinService.run('proposal.duplicate', { proposalId: twins });
			expect(quantitiesIn(twinService, Number(copy!.proposalId))).toEqual([
				['Den', 1],
				['Den', 5],
			]);
			expect(twinService.changes()).not.toContain('item.updateQuantity');
		});
	});

	it('fails if a second area with the same name is rejected', async () => {
		const twins = await makeTwins(service);
		const error = await run('proposal.duplicate', { proposalId: twins }).catch((reason) => reason);
		expect(error.message).toContain(`The copy (proposal ID ${newest()}) is incomplete: `);
		expect(error.description).toContain("The proposal already has an area named 'Den'.");
		expect(error.description).toContain('Copied: 1 of 2 areas');
		expect(error.description).toContain(
			"The source proposal has 2 areas named 'Den'. If Portal.io rejects the second one, rename it in the source proposal.",
		);
	});
});
