/** What *Duplicate* makes of a proposal, and what becomes of one that was left half-way. */
import { beforeAll, describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

const service = restoredService();
const { run } = service;
const contactId = seed.contacts.withPrimary;

interface Item {
	id: number;
	parentId?: number;
	[field: string]: unknown;
}

/** Everything of a proposal that a duplicate has too, without IDs and dates. */
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

/** A proposal with 3 areas, 6 options and 40 items, with nesting, texts and three changed prices. */
async function makeTemplate(): Promise<number> {
	const [proposal] = await run('proposal.create', {
		salesPersonId: seed.users.salesJordan,
		name: 'Template',
		additionalFields: { contactId },
	});
	const proposalId = proposal!.proposalId as number;
	const description = 'Sound in every room';
	await run('proposal.update', {
		proposalId,
		updateFields: { description, internalNotes: 'Ours' },
	});
	const add = async (areaOptionId: unknown, item: object[]) =>
		await run('item.add', { proposalId, areaOptionId, items: { item } });
	const some = (count: number) =>
		[9001, 9006, 9010, 9010, 9036, 9007].slice(0, count).map((itemId) => ({ itemId, quantity: 2 }));
	const update = async (itemId: unknown, updateFields: object) =>
		await run('item.update', { proposalId, itemId, updateFields });
	for (const name of ['Den', 'Kitchen', 'Rack']) {
		const [area] = await run('area.create', { proposalId, name });
		const { id: areaId, areaOptionId } = area!;
		const [first, , , twin] = await add(areaOptionId, some(6));
		const [nested] = await add(areaOptionId, [
			{ itemId: 9025, quantity: 1, parentId: first!.id },
			{ itemId: 8001, itemType: 'Labor', quantity: 2.5, parentId: first!.id },
		]);
		await add(areaOptionId, [{ itemId: 9026, quantity: -1, parentId: nested!.id }]);
		// The second of two equal items.
		await update(twin!.id, { sellPrice: 99.95, clientNote: 'On the left' });
		await update(nested!.id, { isCombinedPrice: true, isTaxExempt: true });
		if (name === 'Rack') continue;
		const texts = { clientDescription: `${name} in oak`, installerNotes: 'Bring a ladder' };
		const [option] = await run('areaOption.create', {
			proposalId,
			areaId,
			additionalFields: texts,
		});
		await add(option!.areaOptionId, some(6));
		const updateFields = { installerNotes: 'Mind the cat' };
		await run('areaOption.update', { proposalId, areaId, areaOptionId, updateFields });
	}
	const areaId = service.control.proposal(proposalId).areas[2].id;
	const [last] = await run('areaOption.create', { proposalId, areaId });
	// Monitoring is a recurring service.
	await add(last!.areaOptionId, [{ itemId: 8103, itemType: 'CustomItem' }]);
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
const changes = () =>
	service.control.requests.flatMap(({ operationId, method }) =>
		method === 'POST' ? [operationId] : [],
	);

describe('proposal.duplicate', () => {
	it('makes the same areas, options and items, with the same nesting, prices and totals', async () => {
		expect(service.control.items(proposalId)).toHaveLength(40);
		const [output] = await duplicate({ name: 'For a client' });
		expect(output).toMatchObject({ proposalId: newest(), name: 'For a client', contactId });
		expect(newest()).not.toBe(proposalId);
		expect(contentsOf(newest())).toEqual(contentsOf(proposalId));
		// The original, and the copy with its contact.
		const reads = service.control.requests.filter(({ method }) => method === 'GET');
		expect(reads).toHaveLength(2);
	});

	it('duplicates for another contact and site, under the name of the original', async () => {
		const { company } = seed.contacts;
		const locationId = seed.locations.companyThird;
		const [full] = await duplicate({
			additionalFields: { contactId: company, locationId },
			simplify: false,
		});
		expect(full).toMatchObject({
			name: 'Template',
			status: 'Draft',
			customer: { id: company, location: { id: locationId } },
		});
	});

	it('completes the copy that a failed step names, whatever it failed at, and adds nothing twice', async () => {
		let options = {};
		for (const [operationId, progress] of [
			['proposal.assignContact', '0 of 3 areas'],
			['area.create', '0 of 3 areas, 0 of 6 options, 0 of 40 items'],
			['areaOption.create', '3 areas, 3 of 6 options, 0 of 40 items'],
			['item.add', '3 areas, 6 options, 0 of 40 items'],
			['item.add', '3 areas, 6 options, 6 of 40 items'],
			['areaOption.updateInstallerNotes', '3 areas, 6 options, 40 items'],
			['item.updateSellPrice', '3 areas, 6 options, 40 items'],
		] as const) {
			// It is done, but its response does not come through.
			service.control.failNext({ operationId, status: 500, when: 'after' });
			const error = await duplicate({ options, requestOptions: { requestAttempts: 1 } }).catch(
				(reason) => reason,
			);
			const id = newest();
			expect(error.message, operationId).toContain(
				`The proposal was copied to the ID ${id}, but not completely: `,
			);
			expect(error.description).toContain(progress);
			expect(error.description).toContain(`'Existing Proposal' ${id}`);
			options = { existingProposalId: id };
		}
		const proposals = service.control.proposals().length;
		await duplicate({ options });
		expect(service.control.proposals()).toHaveLength(proposals);
		expect(contentsOf(newest())).toEqual(contentsOf(proposalId));
		// Complete, it is left as it is.
		service.control.clearRequests();
		await duplicate({ options });
		expect(changes()).toEqual([]);
	});

	it('switches a combined price once, whatever becomes of its response', async () => {
		const operationId = 'item.updateCombinedPrice';
		service.control.failNext({ operationId, status: 504, when: 'after' });
		await expect(duplicate()).rejects.toThrow('but not completely');
		expect(changes().filter((one) => one === operationId)).toHaveLength(1);
		await duplicate({ options: { existingProposalId: newest() } });
		expect(contentsOf(newest())).toEqual(contentsOf(proposalId));
	});

	it('copies nothing on where something else comes than the copy, and names it', async () => {
		const assignment = service.control.hold('proposal.assignContact');
		const copying = duplicate().catch((reason: Error) => reason);
		await assignment.arrived(1);
		const body = { maintenance: true };
		service.control.failNext({ operationId: 'proposal.get', status: 200, body });
		assignment.release();
		expect(await copying).toMatchObject({
			message: `The proposal was copied to the ID ${newest()}, but not completely: Unexpected response: Portal.io did not return a proposal`,
			description: expect.stringContaining(`'Existing Proposal' ${newest()}`),
		});
		expect(changes()).toEqual(['proposal.create', 'proposal.assignContact']);
	});

	it('continues under Retry On Fail without a second proposal', async () => {
		const proposals = service.control.proposals().length;
		service.control.failNext({ operationId: 'areaOption.create', status: 409 });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const [output] = await run('proposal.duplicate', { proposalId }, { settings });
		expect(service.control.proposals()).toHaveLength(proposals + 1);
		expect(contentsOf(Number(output!.proposalId))).toEqual(contentsOf(proposalId));
	});

	it('assigns the site of the original only with its contact', async () => {
		const { company } = seed.contacts;
		const locationId = seed.locations.companyThird;
		const original = { proposalId, contactId: company };
		await run('proposal.assignContact', original);
		await run('proposal.assignLocation', { proposalId, locationId });
		await duplicate();
		expect(service.control.proposal(newest()).customer.location.id).toBe(locationId);
		service.control.clearRequests();
		await duplicate({ additionalFields: { contactId } });
		expect(changes()).toContain('proposal.assignContact');
		expect(changes()).not.toContain('proposal.assignLocation');
	});

	it.each([
		['area.create', "Portal.io did not add the area 'Den'"],
		['areaOption.create', "Portal.io did not add option 2 to 'Den'"],
		['item.add', "Portal.io did not add 9 items to 'Den'"],
	])('stops where %s does nothing, and says so', async (operationId, message) => {
		service.control.failNext({ operationId, status: 200, body: {} });
		await expect(duplicate()).rejects.toThrow(message);
		const sent = changes();
		expect(sent.lastIndexOf(operationId)).toBe(sent.length - 1);
		await duplicate({ options: { existingProposalId: newest() } });
		expect(contentsOf(newest())).toEqual(contentsOf(proposalId));
	});

	it('repeats a value of a copy after a gateway error, and accepts a text that is kept differently', async () => {
		const [note, price] = ['item.updateClientNote', 'item.updateSellPrice'];
		service.control.failNext({ operationId: note, status: 200, body: {} });
		service.control.failNext({ operationId: price, status: 504 });
		service.control.failNext({ operationId: 'proposal.updateDescription', status: 504 });
		await duplicate({ requestOptions: { requestAttempts: 2 } });
		expect(changes().filter((one) => one === price)).toHaveLength(4);
		expect(changes().filter((one) => one === note)).toHaveLength(3);
	});

	it('ends with a price that Portal.io keeps to the cent', async () => {
		const body = structuredClone(service.control.proposal(proposalId));
		body.areas[0].options[0].items[0].sellPrice = 1799.004;
		let options = {};
		for (const operationIds of [['item.updateSellPrice'], []]) {
			service.control.failNext({ operationId: 'proposal.get', status: 200, body });
			service.control.clearRequests();
			await duplicate({ options });
			options = { existingProposalId: newest() };
			expect(changes()).toEqual(expect.arrayContaining(operationIds));
		}
		expect(changes()).toEqual([]);
	});

	it('says so when Portal.io takes a change and does nothing', async () => {
		const [copy] = await duplicate();
		const options = { existingProposalId: copy!.proposalId };
		const id = Number(copy!.proposalId);
		const [item] = service.control.items(id);
		await run('item.update', { proposalId: id, itemId: item!.id, updateFields: { quantity: 9 } });
		service.control.failNext({
			operationId: 'item.updateQuantity',
			status: 200,
			body: service.control.proposal(id),
		});
		await expect(duplicate({ options })).rejects.toThrow(
			`Portal.io did not set the 'Quantity' of item ${String(item!.id)}`,
		);
	});
});
