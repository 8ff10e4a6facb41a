/**
 * Tests *Check Result*, which makes a change to items fail if the proposal does not show the change.
 * test/unit/itemCheck tests which items show a change, and the errors.
 */
import { describe, expect, it } from 'vitest';
import { restoredService, seed, type FileService } from './account.mts';

// The first area of this proposal has several options (see dev/simulator/seed.yaml).
const proposalId = seed.proposals.staleWholeHome;
const OPTION_ID = 23_002;
const OTHER_OPTION_ID = 23_003;
const TELEVISION = { id: 700_007, catalogItemId: 9002, quantity: 2 };
const MOUNT = { id: 700_008, catalogItemId: 9007, quantity: 2 };
/** Catalog item that only other options contain. */
const PROJECTOR_CATALOG_ID = 9004;

const ACCEPTED = 'Portal.io accepted the request, but ';

interface Change {
	operation: string;
	parameters: object;
	/** Error if the proposal has not changed. */
	failure: string;
}

const changes: Change[] = [
	{
		operation: 'item.add',
		// Add a part that the option already contains, which the check must not take for the new item.
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
		failure: `item ${TELEVISION.id} was not deleted`,
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

interface ValueUpdate {
	name: string;
	label: string;
	value: unknown;
	/** Value that the error shows if the service sets 0 or false, or clears the text. */
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

/** Renames the fields of endpoints that Portal.io does not document, because the package's names are assumptions. */
const otherNames = (field: string, { mark }: { mark: string }) =>
	mark === 'assumed' ? `Their${field}` : field;

describe('a service that ignores the field names of this package', () => {
	const service = restoredService({ names: otherNames, missing: 'ignored' });

	it('fails an update that set none of ten values', async () => {
		const before = service.control.items(proposalId);
		const updateFields = Object.fromEntries(valueUpdates.map(({ name, value }) => [name, value]));
		const values = { itemId: TELEVISION.id, updateFields };
		const { message, description } = await failureOf(service, 'item.update', values);
		expect(message).toBe(`${ACCEPTED}${valueUpdates.length} changes did not take effect`);
		for (const { label, value } of valueUpdates) {
			expect(description).toMatch(new RegExp(`^'${label}' is .+, not ${String(value)}\\.$`, 'm'));
		}
		expect(changesAt(service)).toHaveLength(valueUpdates.length);
		expect(service.control.items(proposalId)).toEqual(before);
	});

	it.each(changes)('mentions the request path if $operation did nothing', async (change) => {
		const before = service.control.items(proposalId);
		const failure = await failureOf(service, change.operation, change.parameters);
		expect(failure.message).toBe(ACCEPTED + change.failure);
		const sent = changesAt(service);
		expect(sent).toHaveLength(1);
		const { method, path } = sent[0]!;
		expect(failure.description).toContain(
			`a different field name in ${method} ${service.simulator.url}${path}. To try another name, send the change with an HTTP Request`,
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

	it('outputs the same margin for before and after if the costs of the chosen items were not refreshed', async () => {
		const before = service.control.items(proposalId);
		const values = { proposalId, itemIds: [TELEVISION.id] };
		const [output] = await service.run('item.refreshCosts', values);
		expect(output).toMatchObject({ margin: output!.marginBefore, profit: output!.profitBefore });
		expect(service.control.items(proposalId)).toEqual(before);
	});

	it("with 'Check Result' off, returns the item even if it was not updated", async () => {
		const output = await service.run('item.update', {
			proposalId,
			itemId: TELEVISION.id,
			updateFields: { quantity: 5 },
			options: { checkResult: false },
		});
		expect(output).toMatchObject([{ itemId: TELEVISION.id, quantity: TELEVISION.quantity }]);
	});

	it("with 'Check Result' off, confirms a deletion even if nothing was deleted", async () => {
		const output = await service.run('item.delete', {
			proposalId,
			itemIds: [TELEVISION.id],
			options: { checkResult: false },
		});
		expect(output).toMatchObject([{ deleted: true }]);
	});
});

describe('a service that sets 0, false, or nothing instead of the values', () => {
	const service = restoredService({ names: otherNames, missing: 'zero' });

	it('lists the values that a failed update did and did not set', async () => {
		const updateFields = Object.fromEntries(valueUpdates.map(({ name, value }) => [name, value]));
		const values = { itemId: TELEVISION.id, updateFields: { ...updateFields, isTaxExempt: false } };
		const { description } = await failureOf(service, 'item.update', values);
		for (const { name, label, value, zero } of valueUpdates) {
			const line = `'${label}' is ${String(zero)}, not ${String(value)}.\n`;
			if (name !== 'isTaxExempt') expect(description).toContain(line);
		}
		expect(description).toContain("\nSet: 'Tax Exempt'.");
	});
});

describe('a service that responds with the short form of a proposal', () => {
	const service = restoredService();
	const unconfirmed = [
		...changes,
		{ operation: 'item.refreshCosts', parameters: {} },
		{ operation: 'proposal.duplicate', parameters: { name: 'Copy' } },
	];

	it.each(unconfirmed)(
		'gives $operation the same output as a full response',
		async ({ operation, parameters }) => {
			const run = async () => {
				const output = await service.run(operation, { proposalId, ...parameters });
				return output.map(({ lastModifiedDate: _, ...record }) => record);
			};
			const expected = await run();
			const sent = changesAt(service).map(({ operationId }) => operationId!);
			service.control.restoreState();
			// Keep the response to a creation, because only this response contains the new proposal's ID.
			for (const id of new Set(sent.filter((one) => one !== 'proposal.create'))) {
				const short = { id: proposalId, number: 1021, name: 'Short', status: 'Draft' };
				service.respond(id, short, { when: 'after', times: 99 });
			}
			expect(await run()).toEqual(expected);
			expect(changesAt(service).length).toBeGreaterThan(0);
		},
	);
});

describe('a service with the field names of this package', () => {
	const service = restoredService();
	const { respond } = service;

	describe.each(changes)('$operation', ({ operation, parameters }) => {
		/** Methods of all requests. Every operation except an update begins with a read. */
		const methods = {
			'item.update': ['POST'],
			'item.delete': ['GET', 'DELETE'],
		}[operation] ?? ['GET', 'POST'];

		it(`needs no read after the response to ${operation}`, async () => {
			await service.run(operation, { proposalId, ...parameters });
			expect(methodsAt(service)).toEqual(methods);
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

	describe('a combined price', () => {
		/** Returns the methods of an update's requests, and the update's error. */
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

		it('is turned on or off only if it is not already', async () => {
			expect(await switchTo(true)).toEqual({ methods: ['GET', 'POST'], error: undefined });
			expect(await switchTo(true)).toEqual({ methods: ['GET'], error: undefined });
			expect(itemAt(service, MOUNT.id)).toMatchObject({ is_combined_price: 1 });
		});

		it('is not switched if the item cannot be read', async () => {
			respond('proposal.get', { maintenance: true });
			const { methods, error } = await switchTo(true);
			expect(methods).toEqual(['GET']);
			expect(error).toMatch(/^Unexpected response: Portal\.io did not return a proposal/);
		});

		it('is not switched again if the result of the first attempt is unknown', async () => {
			service.fail('item.updateCombinedPrice', { status: 504 });
			const { methods, error } = await switchTo(true);
			expect(methods).toEqual(['GET', 'POST']);
			expect(error).toContain('could not process');
		});
	});

	/** Adds parts to the option. Returns their IDs. */
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

	/** Adds a part that is nested under another item. Returns its ID. */
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

	it('deletes up to a hundred items with each request, without sending the IDs of nested items', async () => {
		const before = service.control.items(proposalId).length;
		const ids = await addParts(200);
		const nestedId = await addNestedPart(ids[0]!);
		const output = await service.run('item.delete', { proposalId, itemIds: [...ids, nestedId] });
		expect(output).toMatchObject([{ deleted: true }]);
		expect(service.control.items(proposalId)).toHaveLength(before);
		expect(deletedIds()).toEqual([ids.slice(0, 100), ids.slice(100)]);
		expect(changesAt(service).map(({ bodyText }) => bodyText)).toEqual(['', '']);
	});

	it.each([
		[403, 'Not deleted'],
		[504, 'Not confirmed'],
	])(
		'lists the deleted and the remaining items if a deletion fails halfway with %i',
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
});
