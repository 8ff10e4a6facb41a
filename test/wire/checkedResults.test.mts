/**
 * *Check Result*: a change of items fails if the proposal does not show it afterward. Operations on items
 * return the item that they changed. test/unit/compareRows.test.mts has which item shows what a row asked for.
 */
import { describe, expect, it } from 'vitest';
import { restoredService, seed, type FileService } from './account.mts';

// The first area of this proposal has several options: see dev/simulator/seed.yaml.
const proposalId = seed.proposals.staleWholeHome;
const AREA_ID = 12_002;
const OPTION_ID = 23_002;
const OTHER_OPTION_ID = 23_003;
const TELEVISION = { id: 700_007, catalogItemId: 9002, quantity: 2 };
const MOUNT = { id: 700_008, catalogItemId: 9007, quantity: 2 };
/** Its items are in other options only. */
const PROJECTOR_CATALOG_ID = 9004;

const ACCEPTED = 'Portal.io accepted the request, but ';

interface Change {
	operation: string;
	parameters: object;
	/** What the error says if the proposal is as before. */
	failure: string;
}

const changes: Change[] = [
	{
		operation: 'item.add',
		// The option already has such an item.
		parameters: {
			areaOptionId: OPTION_ID,
			items: { item: [{ catalogItemId: 9002, itemType: 'Part', quantity: 2 }] },
		},
		failure: 'the item was not added',
	},
	{
		operation: 'item.copy',
		parameters: { itemIds: [TELEVISION.id], areaOptionIds: [OPTION_ID] },
		failure: `item ${TELEVISION.id} was not copied`,
	},
	{
		operation: 'item.delete',
		parameters: { itemIds: [TELEVISION.id] },
		failure: `item ${TELEVISION.id} is still there`,
	},
	{
		operation: 'item.move',
		parameters: { itemIds: [TELEVISION.id], areaOptionId: OTHER_OPTION_ID },
		failure: `item ${TELEVISION.id}: 'Area Option' is ${OPTION_ID}, not ${OTHER_OPTION_ID}`,
	},
	{
		operation: 'item.replace',
		parameters: { itemId: TELEVISION.id, catalogItemId: PROJECTOR_CATALOG_ID },
		failure: `'Catalog Item' is ${TELEVISION.catalogItemId}, not ${PROJECTOR_CATALOG_ID}`,
	},
	{
		operation: 'item.update',
		parameters: { itemId: MOUNT.id, updateFields: { quantity: 4 } },
		failure: `'Quantity' is ${MOUNT.quantity}, not 4`,
	},
];
const parametersOf = (operation: string) =>
	changes.find((change) => change.operation === operation)?.parameters ?? {};

interface ValueUpdate {
	name: string;
	label: string;
	value: unknown;
	/** The error's word for the value of the item if the service sets 0, false or nothing. */
	zero: unknown;
}

const valueUpdates: ValueUpdate[] = [
	{ name: 'quantity', label: 'Quantity', value: 3.5, zero: 0 },
	{ name: 'sellPrice', label: 'Sell Price', value: 20.25, zero: 0 },
	{ name: 'cost', label: 'Cost', value: 1.5, zero: 0 },
	{ name: 'msrp', label: 'MSRP', value: 30, zero: 0 },
	{ name: 'isCombinedPrice', label: 'Combined Price', value: true, zero: false },
	{ name: 'isTaxExempt', label: 'Tax Exempt', value: true, zero: false },
	{ name: 'isRecurringService', label: 'Recurring Service', value: true, zero: false },
	{ name: 'shortDescription', label: 'Short Description', value: 'Sounds warm', zero: 'empty' },
	{ name: 'clientNote', label: 'Client Note', value: 'Wall mount', zero: 'empty' },
	{ name: 'imageUrl', label: 'Image URL', value: 'https://example.com/tv.png', zero: 'empty' },
];

const methodsAt = ({ control }: FileService) => control.requests.map(({ method }) => method);
const changesAt = ({ control }: FileService) =>
	control.requests.filter(({ method }) => method !== 'GET');
const itemAt = ({ control }: FileService, id: number) =>
	control.items(proposalId).find((item) => item.id === id);

async function failureOf(service: FileService, operation: string, parameters: object) {
	const { message, description } = await service.run(operation, { proposalId, ...parameters }).then(
		(output) => expect.fail(`It ended with ${JSON.stringify(output)}`),
		(error: Error & { description: string }) => error,
	);
	return { message, description };
}

/** Renames the fields of endpoints that Portal.io does not document, which this package had to assume. */
const otherNames = (field: string, { mark }: { mark: string }) =>
	mark === 'assumed' ? `Their${field}` : field;

describe('a service that ignores the field names of this package', () => {
	const service = restoredService({ names: otherNames, missing: 'ignored' });

	it.each(valueUpdates)('fails an update that did not set $name', async (update) => {
		const { name, label, value } = update;
		const before = service.control.items(proposalId);
		const failure = await failureOf(service, 'item.update', {
			itemId: TELEVISION.id,
			updateFields: { [name]: value },
		});
		const start = `${ACCEPTED}'${label}' is `;
		expect(failure.message.startsWith(start)).toBe(true);
		expect(failure.message.endsWith(`, not ${String(value)}`)).toBe(true);
		expect(failure.description).toContain(`Item ${TELEVISION.id} has none of the new values.`);
		expect(failure.description).toContain('You can safely run the step again.');
		expect(changesAt(service)).toHaveLength(1);
		expect(service.control.items(proposalId)).toEqual(before);
	});

	it.each(changes)('fails $operation, which did nothing, and names the request', async (change) => {
		const before = service.control.items(proposalId);
		const failure = await failureOf(service, change.operation, change.parameters);
		expect(failure.message).toBe(ACCEPTED + change.failure);
		const sent = changesAt(service);
		expect(sent).toHaveLength(1);
		const { method, path } = sent[0]!;
		expect(failure.description).toContain(
			`another field name in ${method} ${service.simulator.url}${path}. You can send it with an HTTP Request`,
		);
		expect(service.control.items(proposalId)).toEqual(before);
	});

	it('fails a copy of a proposal whose items were not added', async () => {
		const failure = await failureOf(service, 'proposal.duplicate', {});
		expect(failure.message).toMatch(
			/^The copy \(proposal ID \d+\) is incomplete: Portal\.io did not add \d+ items to '/,
		);
		expect(service.control.items(proposalId).length).toBeGreaterThan(0);
	});

	it('outputs the costs of chosen items as they were before if they were not refreshed', async () => {
		const before = service.control.items(proposalId);
		const values = { proposalId, itemIds: [TELEVISION.id] };
		const [output] = await service.run('item.refreshCosts', values);
		expect(output).toMatchObject({ margin: output!.marginBefore, profit: output!.profitBefore });
		expect(service.control.items(proposalId)).toEqual(before);
	});

	it("passes on an item that was not updated where 'Check Result' is off", async () => {
		const output = await service.run('item.update', {
			proposalId,
			itemId: TELEVISION.id,
			updateFields: { quantity: 5 },
			options: { checkResult: false },
		});
		expect(output).toMatchObject([{ itemId: TELEVISION.id, quantity: TELEVISION.quantity }]);
	});

	it("confirms a deletion that did nothing where 'Check Result' is off", async () => {
		const output = await service.run('item.delete', {
			proposalId,
			itemIds: [TELEVISION.id],
			options: { checkResult: false },
		});
		expect(output).toMatchObject([{ deleted: true }]);
	});
});

describe('a service that sets 0, false or nothing, as it does not find the field names of this package', () => {
	const service = restoredService({ names: otherNames, missing: 'zero' });

	it.each(valueUpdates)('says that an update of $name may have changed it', async (update) => {
		const { name, label, value, zero } = update;
		const failure = await failureOf(service, 'item.update', {
			itemId: TELEVISION.id,
			updateFields: { [name]: value },
		});
		expect(failure.message).toBe(`${ACCEPTED}'${label}' is ${zero}, not ${String(value)}`);
		expect(failure.description).toContain(
			`Item ${TELEVISION.id} has none of the new values. The request may have changed '${label}' to another value, or someone else did at the same moment: check the item in Portal.io.`,
		);
	});

	it('names the values that an update has set, and those that it may have changed', async () => {
		const failure = await failureOf(service, 'item.update', {
			itemId: TELEVISION.id,
			updateFields: { isTaxExempt: false, sellPrice: 20, cost: 10 },
		});
		expect(failure.description).toContain(
			"Set: 'Tax Exempt'. The request may have changed 'Sell Price', 'Cost' to another value, or someone else did at the same moment: check the item in Portal.io.",
		);
		expect(itemAt(service, TELEVISION.id)).toMatchObject({ sell_price_cents: 0, cost_cents: 0 });
	});

	it.each([
		'item.add',
		'item.copy',
		'item.delete',
		'item.move',
		'item.replace',
		'proposal.duplicate',
	])('fails %s, which did nothing', async (operation) => {
		const before = service.control.items(proposalId);
		await failureOf(service, operation, parametersOf(operation));
		expect(service.control.items(proposalId)).toEqual(before);
	});
});

describe('a service that responds with the short form of a proposal', () => {
	const service = restoredService();
	const unconfirmed = [
		...changes,
		{ operation: 'item.refreshCosts', parameters: {} },
		{ operation: 'proposal.duplicate', parameters: { name: 'Copy' } },
	];

	it.each(unconfirmed)('outputs the same from $operation', async ({ operation, parameters }) => {
		const run = async () => {
			const output = await service.run(operation, { proposalId, ...parameters });
			return output.map(({ lastModifiedDate: _, ...record }) => record);
		};
		const expected = await run();
		const sent = changesAt(service).map(({ operationId }) => operationId!);
		service.control.restoreState();
		// The response to a creation names the new proposal.
		for (const id of new Set(sent.filter((one) => one !== 'proposal.create'))) {
			const short = { id: proposalId, number: 1021, name: 'Short', status: 'Draft' };
			service.respond(id, short, { when: 'after', times: 99 });
		}
		expect(await run()).toEqual(expected);
		expect(changesAt(service).length).toBeGreaterThan(0);
	});
});

describe('a service with the field names of this package', () => {
	const service = restoredService();
	const { respond } = service;

	describe.each(changes)('$operation', ({ operation, parameters }) => {
		/** All but an update read the items before they change them. */
		const methods = {
			'item.update': ['POST'],
			'item.delete': ['GET', 'DELETE'],
		}[operation] ?? ['GET', 'POST'];

		it(`confirms ${operation} by its response`, async () => {
			await service.run(operation, { proposalId, ...parameters });
			expect(methodsAt(service)).toEqual(methods);
		});

		it(`confirms ${operation} by a read where the response is empty`, async () => {
			const operationId = operation === 'item.update' ? 'item.updateQuantity' : operation;
			respond(operationId, '', { status: 204, when: 'after' });
			const [output] = await service.run(operation, { proposalId, ...parameters });
			expect(output).toMatchObject(
				operation === 'item.delete' ? { deleted: true } : { proposalId },
			);
			expect(methodsAt(service)).toEqual([...methods, 'GET']);
		});
	});

	it('confirms every value of an update', async () => {
		const updateFields = Object.fromEntries(valueUpdates.map(({ name, value }) => [name, value]));
		const output = await service.run('item.update', {
			proposalId,
			itemId: TELEVISION.id,
			updateFields,
		});
		expect(output).toMatchObject([{ itemId: TELEVISION.id, quantity: 3.5, cost: 1.5 }]);
	});

	describe('a response that is a proposal without items', () => {
		const withoutItems = {
			id: proposalId,
			number: 1021,
			areas: [{ id: 1, name: 'Den', options: [{ id: 2, items: [] }] }],
		};

		it('reads the proposal if the response to a move has no items, and confirms the move', async () => {
			respond('item.move', withoutItems, { when: 'after' });
			const moved = await service.run('item.move', { proposalId, ...parametersOf('item.move') });
			expect(moved).toHaveLength(1);
			expect(methodsAt(service)).toEqual(['GET', 'POST', 'GET']);
		});

		it('reads the proposal if the response to a move has no items, and fails if the item was not moved', async () => {
			respond('item.move', withoutItems, { when: 'before' });
			const { message } = await failureOf(service, 'item.move', parametersOf('item.move'));
			expect(message.startsWith(ACCEPTED)).toBe(true);
			expect(methodsAt(service)).toEqual(['GET', 'POST', 'GET']);
		});
	});

	it.each([
		{
			reason: 'a status 403',
			fault: { status: 403 },
			before: 'Injected by a test[^\\n]*\\n',
			after: '\\n.*Ask the admin',
		},
		{
			reason: 'another object',
			fault: { body: { maintenance: true } },
			before: '',
			after: '\\nIt returned an object with',
		},
		{
			reason: 'a proposal without its number',
			fault: { body: { id: proposalId, areas: [] } },
			before: '',
			after: '\\nIt returned an object with',
		},
	])(
		'says that a change was accepted if the read that should confirm it gets $reason',
		async ({ fault, before, after }) => {
			respond('item.replace', '', { status: 204, when: 'after' });
			const gate = service.control.hold('item.replace');
			const failing = failureOf(service, 'item.replace', parametersOf('item.replace'));
			await gate.arrived(1);
			respond('proposal.get', undefined, fault);
			gate.release();
			const { description } = await failing;
			const doubt = 'Portal\\.io accepted the request, but the change could not be confirmed.*';
			expect(description).toMatch(new RegExp(`^${before}${doubt}${after}`, 's'));
		},
	);

	it('fails an update whose image Portal.io ignores, although another value of the item has changed', async () => {
		respond('item.updateImage', '', { status: 204 });
		const failure = await failureOf(service, 'item.update', {
			itemId: TELEVISION.id,
			updateFields: { quantity: 9, imageUrl: 'https://example.com/tv.png' },
		});
		const image = itemAt(service, TELEVISION.id)!.image_url;
		expect(failure.message).toBe(
			`${ACCEPTED}'Image URL' is ${String(image)}, not https://example.com/tv.png`,
		);
		expect(failure.description).toContain("Set: 'Quantity'.");
	});

	it('fails a replacement by an item of another type', async () => {
		const { message } = await failureOf(service, 'item.replace', {
			itemId: TELEVISION.id,
			itemType: 'Labor',
			catalogItemId: PROJECTOR_CATALOG_ID,
		});
		expect(message).toBe(`${ACCEPTED}'Item Type' is Part, not Labor`);
	});

	describe('a combined price', () => {
		/** The methods of the requests of an update, and its error. */
		async function switchTo(isCombinedPrice: boolean) {
			service.control.clearRequests();
			const error = await service
				.run('item.update', { proposalId, itemId: MOUNT.id, updateFields: { isCombinedPrice } })
				.then(
					() => undefined,
					({ message }: Error) => message,
				);
			return { methods: methodsAt(service), error };
		}

		it('switches a combined price only if the item has the other value', async () => {
			expect(await switchTo(true)).toEqual({ methods: ['GET', 'POST'], error: undefined });
			expect(await switchTo(true)).toEqual({ methods: ['GET'], error: undefined });
			expect(itemAt(service, MOUNT.id)).toMatchObject({ is_combined_price: 1 });
		});

		it('switches no combined price if the item cannot be read', async () => {
			respond('proposal.get', { maintenance: true });
			const { methods, error } = await switchTo(true);
			expect(methods).toEqual(['GET']);
			expect(error).toMatch(/^Unexpected response: Portal\.io did not return a proposal/);
		});

		it('does not send the switch of a combined price again if its result is unknown', async () => {
			service.fail('item.updateCombinedPrice', { status: 504 });
			const { methods, error } = await switchTo(true);
			expect(methods).toEqual(['GET', 'POST']);
			expect(error).toBe('Portal.io could not process the request');
		});
	});

	/** Adds parts to the option; returns their IDs. */
	async function addParts(count: number): Promise<number[]> {
		const itemsJson = Array.from({ length: count }, () => ({
			catalogItemId: PROJECTOR_CATALOG_ID,
		}));
		const added = await service.run('item.add', {
			proposalId,
			areaOptionId: OPTION_ID,
			specifyItems: 'json',
			itemsJson,
		});
		service.control.clearRequests();
		return added.map(({ itemId }) => Number(itemId));
	}

	/** Adds a part that is nested under another item; returns its ID. */
	async function addNestedPart(parentId: number): Promise<number> {
		const [added] = await service.run('item.add', {
			proposalId,
			areaOptionId: OPTION_ID,
			items: { item: [{ catalogItemId: PROJECTOR_CATALOG_ID, parentId }] },
		});
		service.control.clearRequests();
		return Number(added!.itemId);
	}

	const deletedIds = () =>
		changesAt(service).map(({ query }) =>
			new URLSearchParams(query).get('ProposalItemIds')!.split(',').map(Number),
		);

	it('deletes up to a hundred items with each request, named in its query', async () => {
		const before = service.control.items(proposalId).length;
		const ids = await addParts(200);
		await service.run('item.delete', { proposalId, itemIds: ids });
		expect(service.control.items(proposalId)).toHaveLength(before);
		expect(deletedIds()).toEqual([ids.slice(0, 100), ids.slice(100)]);
		expect(changesAt(service).map(({ bodyText }) => bodyText)).toEqual(['', '']);
	});

	it('deletes 119 items in two requests, and does not name an item nested under the first, which is deleted with it', async () => {
		const before = service.control.items(proposalId).length;
		const ids = await addParts(119);
		const nestedId = await addNestedPart(ids[0]!);
		const output = await service.run('item.delete', { proposalId, itemIds: [...ids, nestedId] });
		expect(output).toMatchObject([{ deleted: true }]);
		expect(service.control.items(proposalId)).toHaveLength(before);
		expect(deletedIds()).toEqual([ids.slice(0, 100), ids.slice(100)]);
	});

	it.each([
		[403, 'Not deleted'],
		[504, 'Not confirmed'],
	])(
		'says which items were deleted and which were not if a deletion fails halfway with %i',
		async (status, remaining) => {
			const ids = await addParts(120);
			const gate = service.control.hold('item.delete', 'after');
			const failing = failureOf(service, 'item.delete', { itemIds: ids });
			await gate.arrived(1);
			service.fail('item.delete', { status });
			gate.release();
			const { description } = await failing;
			expect(description).toContain(`Deleted: ${ids.slice(0, 100).join(', ')}.`);
			expect(description).toContain(`${remaining}: ${ids.slice(100).join(', ')}.`);
			expect(description).not.toContain('You can safely run the step again');
		},
	);

	it.each([1, 2])(
		'fails where a deletion removed %i other items, but not for those nested under an item',
		async (count) => {
			const nestedId = await addNestedPart(TELEVISION.id);
			const lostIds = [MOUNT.id, ...(await addParts(1))].slice(0, count);
			const goneIds = [TELEVISION.id, nestedId, ...lostIds];
			const body = structuredClone(service.control.proposal(proposalId));
			const [option] = body.areas[0].options;
			option.items = option.items.filter(({ id }: { id: number }) => !goneIds.includes(id));
			respond('item.delete', body);
			const failure = await failureOf(service, 'item.delete', { itemIds: [TELEVISION.id] });
			const others = count === 1 ? 'another item was' : '2 other items were';
			expect(failure.message).toBe(`${ACCEPTED}${others} deleted too: ${lostIds.join(', ')}`);
			expect(failure.description).toContain('Check the proposal in Portal.io before you run');
		},
	);

	const newProjector = { catalogItemId: PROJECTOR_CATALOG_ID, itemType: 'Part', quantity: 2 };
	const addition = { areaOptionId: OPTION_ID, items: { item: [newProjector] } };

	it('fails an addition that Portal.io ignores, although the same item exists from an addition before', async () => {
		const [first] = await service.run('item.add', { proposalId, ...addition });
		expect(first).toMatchObject({ quantity: 2 });
		respond('item.add', service.control.proposal(proposalId));
		const failure = await failureOf(service, 'item.add', addition);
		expect(failure.message).toBe(`${ACCEPTED}the item was not added`);
		expect(failure.description).toMatch(/has no new items\..*You can safely run the step again/s);
	});

	it('says of a value that differs after an update that someone else may have changed it at the same moment', async () => {
		const body = structuredClone(service.control.proposal(proposalId));
		for (const item of body.areas[0].options[0].items) item.quantity = 7;
		respond('item.updateQuantity', body);
		const failure = await failureOf(service, 'item.update', {
			itemId: TELEVISION.id,
			updateFields: { quantity: 3 },
		});
		expect(failure.message).toBe(`${ACCEPTED}'Quantity' is 7, not 3`);
		expect(failure.description).toContain('or someone else did at the same moment');
	});

	it('returns the item that it added, not the one that someone else added at the same moment', async () => {
		const body = structuredClone(service.control.proposal(proposalId));
		const [option] = body.areas[0].options;
		const values = { itemType: 'Part', referencedItemId: PROJECTOR_CATALOG_ID, parentId: null };
		const projector = { ...option.items[0], ...values };
		option.items.push({ ...projector, id: 900_001, quantity: 9 });
		option.items.push({ ...projector, id: 900_002, quantity: 2 });
		respond('item.add', body);
		const added = await service.run('item.add', { proposalId, ...addition });
		expect(added).toMatchObject([{ itemId: 900_002, quantity: 2 }]);
	});

	it('returns the area option that it created, not those that other people created at the same moment', async () => {
		const body = structuredClone(service.control.proposal(proposalId));
		const [{ options }] = body.areas;
		// Portal.io may return a text with other spaces.
		const ours = { ...options[0], id: 100_001, clientDescription: 'In  oak', items: [] };
		options.push(ours);
		options.push({ ...ours, id: 100_002, clientDescription: 'In ash' });
		options.push({ ...ours, id: 100_003, installerDescription: 'Ladder' });
		respond('areaOption.create', body);
		const created = await service.run('areaOption.create', {
			proposalId,
			areaId: AREA_ID,
			additionalFields: { clientDescription: 'In oak' },
		});
		expect(created).toMatchObject([{ areaOptionId: 100_001 }]);
	});
});
