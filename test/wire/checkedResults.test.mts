/** *Check Result*: a change fails that the proposal does not show. How items are matched: test/unit/match. */
import { describe, expect, it } from 'vitest';
import { restoredService, seed, type FileService } from './account.mts';

const proposalId = seed.proposals.staleTheater;
const ACCEPTED = 'Portal.io accepted the request, but ';

async function placesAt(service: FileService) {
	const [attic] = await service.run('area.create', { proposalId, name: 'Attic' });
	const [option] = service.control.proposal(proposalId).areas[0].options;
	service.control.clearRequests();
	const [first, second] = option.items;
	return { option: option.id as number, target: attic!.areaOptionId as number, first, second };
}
type Places = Awaited<ReturnType<typeof placesAt>>;

/** By operation: parameters, and what the error says where nothing is done. */
const changes: Record<string, (places: Places) => [parameters: object, message: string]> = {
	// An item like the one that is added is there already.
	'item.add': ({ option, first: { referencedItemId: itemId, quantity } }) => [
		{ areaOptionId: option, items: { item: [{ itemId, itemType: 'Part', quantity }] } },
		'the item was not added',
	],
	'item.copy': ({ option, first: { id } }) => [
		{ itemIds: [id], areaOptionIds: [option] },
		`item ${id} was not copied`,
	],
	'item.delete': ({ first: { id } }) => [{ itemIds: [id] }, `item ${id} is still there`],
	'item.move': ({ option, target, first: { id } }) => [
		{ itemIds: [id], areaOptionId: target },
		`item ${id}: 'Area Option' is ${option}, not ${target}`,
	],
	'item.replace': ({ first: { id, referencedItemId } }) => [
		{ itemId: id, catalogItemId: 9003 },
		`'Catalog Item' is ${referencedItemId}, not 9003`,
	],
	'item.update': ({ second: { id, quantity } }) => [
		{ itemId: id, updateFields: { quantity: 4 } },
		`'Quantity' is ${quantity}, not 4`,
	],
};
const names = Object.keys(changes);

const updates: [name: string, value: unknown, label: string][] = [
	['quantity', 3.5, 'Quantity'],
	['sellPrice', 20.25, 'Sell Price'],
	['cost', 1.5, 'Cost'],
	['msrp', 30, 'MSRP'],
	['isCombinedPrice', true, 'Combined Price'],
	['isTaxExempt', true, 'Tax Exempt'],
	['isRecurringService', true, 'Recurring Service'],
	['shortDescription', 'Sounds warm', 'Short Description'],
	['clientNote', 'Wall mount', 'Client Note'],
	['imageUrl', 'https://example.com/amp.png', 'Image URL'],
];

const methodsAt = ({ control }: FileService) => control.requests.map(({ method }) => method);
const changesAt = ({ control }: FileService) =>
	control.requests.filter(({ method }) => method !== 'GET');

async function failureOf(service: FileService, name: string, parameters: object) {
	const { message, description } = await service.run(name, { proposalId, ...parameters }).then(
		(output) => expect.fail(`It ended with ${JSON.stringify(output)}`),
		(error: Error & { description: string }) => error,
	);
	return { message, description };
}

describe('a service that ignores the names of this package', () => {
	const service = restoredService({
		names: (field, { mark }) => (mark === 'assumed' ? `Their${field}` : field),
		missing: 'ignored',
	});

	it.each(updates)('fails an update that did not set %s to %s', async (name, value, label) => {
		const { first } = await placesAt(service);
		const parameters = { itemId: first.id, updateFields: { [name]: value } };
		const failure = await failureOf(service, 'item.update', parameters);
		const message = new RegExp(`^${ACCEPTED}'${label}' is .+, not ${String(value)}$`);
		expect(failure.message).toMatch(message);
		expect(failure.description).toContain(`No values of item ${first.id} were changed.`);
		expect(failure.description).toContain('You can safely run the step again.');
		expect(changesAt(service)).toHaveLength(1);
	});

	it.each(names)('fails %s, which did nothing, and names the request', async (name) => {
		const [parameters, message] = changes[name]!(await placesAt(service));
		const before = service.control.items(proposalId);
		const failure = await failureOf(service, name, parameters);
		expect(failure.message).toBe(ACCEPTED + message);
		const [{ method, path } = {}, ...others] = changesAt(service);
		expect(failure.description).toContain(
			`another field name in ${method} ${service.simulator.url}${path}. You can send it with an HTTP Request`,
		);
		expect(others).toEqual([]);
		expect(service.control.items(proposalId)).toEqual(before);
	});

	it("passes on an item that was not updated where 'Check Result' is off", async () => {
		const { id: itemId, quantity } = (await placesAt(service)).first;
		const parameters = { updateFields: { quantity: 5 }, options: { checkResult: false } };
		const output = await service.run('item.update', { proposalId, itemId, ...parameters });
		expect(output).toMatchObject([{ id: itemId, quantity }]);
		const deletion = { proposalId, itemIds: [itemId], options: { checkResult: false } };
		expect(await service.run('item.delete', deletion)).toMatchObject([{ deleted: true }]);
	});
});

describe('a service with the names of this package', () => {
	const service = restoredService();
	/** All but an update read the items before they change them. */
	const methodsOf = (name: string) => {
		if (name === 'item.update') return ['POST'];
		return name === 'item.delete' ? ['GET', 'DELETE'] : ['GET', 'POST'];
	};
	const { respond } = service;

	it.each(names)('confirms %s by its response, or by a read where that is empty', async (name) => {
		const confirm = async () => {
			service.control.restoreState();
			const [parameters] = changes[name]!(await placesAt(service));
			return await service.run(name, { proposalId, ...parameters });
		};
		await confirm();
		expect(methodsAt(service)).toEqual(methodsOf(name));
		const operationId = name === 'item.update' ? 'item.updateQuantity' : name;
		service.respond(operationId, '', { status: 204, when: 'after' });
		const [output] = await confirm();
		expect(output).toMatchObject(name === 'item.delete' ? { deleted: true } : { proposalId });
		expect(methodsAt(service)).toEqual([...methodsOf(name), 'GET']);
	});

	it('confirms every value of an update', async () => {
		const { id: itemId } = (await placesAt(service)).first;
		const updateFields = Object.fromEntries(updates);
		const output = await service.run('item.update', { proposalId, itemId, updateFields });
		expect(output).toMatchObject([{ id: itemId, quantity: 3.5, cost: 1.5 }]);
	});

	it.each(['after', 'before'] as const)(
		'reads the proposal where the response shows none of its items, %s a move was done',
		async (when) => {
			const [parameters] = changes['item.move']!(await placesAt(service));
			const areas = [{ id: 1, name: 'Den', options: [{ id: 2, items: [] }] }];
			respond('item.move', { id: proposalId, number: 1021, areas }, { when });
			const moved = service.run('item.move', { proposalId, ...parameters });
			if (when === 'after') expect(await moved).toHaveLength(1);
			else await expect(moved).rejects.toThrow(ACCEPTED);
			expect(methodsAt(service)).toEqual(['GET', 'POST', 'GET']);
		},
	);

	it.each<[fault: object, start: RegExp, end: RegExp]>([
		[{ status: 403 }, /^Injected by a test.*\n/, /\n.*Ask the admin/s],
		[{ body: { maintenance: true } }, /^/, /\nIt returned an object with/],
		[{ body: { id: proposalId, areas: [] } }, /^/, /\nIt returned an object with/],
	])('says that a change was accepted where reading it fails: %j', async (fault, start, end) => {
		const [parameters] = changes['item.replace']!(await placesAt(service));
		respond('item.replace', '', { status: 204, when: 'after' });
		const gate = service.control.hold('item.replace');
		const failing = failureOf(service, 'item.replace', parameters);
		await gate.arrived(1);
		respond('proposal.get', undefined, fault);
		gate.release();
		const { description } = await failing;
		const doubt = 'Portal\\.io accepted the request, but the change could not be confirmed.*';
		expect(description).toMatch(new RegExp(start.source + doubt + end.source, 's'));
	});

	it('switches a combined price only where it differs, and never twice', async () => {
		const { second } = await placesAt(service);
		const update = async (isCombinedPrice: boolean) => {
			service.control.clearRequests();
			const updateFields = { isCombinedPrice };
			const parameters = { proposalId, itemId: second.id, updateFields };
			await service.run('item.update', parameters).catch(() => {});
			return methodsAt(service);
		};
		respond('proposal.get', { maintenance: true });
		expect(await update(true)).toEqual(['GET']);
		expect(await update(true)).toEqual(['GET', 'POST']);
		expect(await update(true)).toEqual(['GET']);
		service.fail('item.updateCombinedPrice', { status: 504 });
		expect(await update(false)).toEqual(['GET', 'POST']);
	});

	/** Adds parts to the Attic; returns their IDs and the option. */
	const addParts = async (count: number) => {
		const { target: areaOptionId } = await placesAt(service);
		const itemsJson = Array.from({ length: count }, () => ({ itemId: 9003 }));
		const add = { proposalId, areaOptionId, specifyItems: 'json', itemsJson };
		const ids = (await service.run('item.add', add)).map(({ id }) => id as number);
		service.control.clearRequests();
		return { ids, areaOptionId };
	};
	const deletedIds = () =>
		changesAt(service).map(({ query }) =>
			new URLSearchParams(query).get('ProposalItemIds')!.split(',').map(Number),
		);

	it('deletes a hundred items with each request, named in its query', async () => {
		const { ids } = await addParts(200);
		const before = service.control.items(proposalId).length;
		await service.run('item.delete', { proposalId, itemIds: ids });
		expect(service.control.items(proposalId)).toHaveLength(before - 200);
		expect(deletedIds()).toEqual([ids.slice(0, 100), ids.slice(100)]);
		expect(changesAt(service).map(({ bodyText }) => bodyText)).toEqual(['', '']);
	});

	it('deletes 120 items of which the last is nested under the first, and does not name it', async () => {
		const { ids, areaOptionId } = await addParts(119);
		const items = { item: [{ itemId: 9003, parentId: ids[0] }] };
		const [nested] = await service.run('item.add', { proposalId, areaOptionId, items });
		service.control.clearRequests();
		const before = service.control.items(proposalId).length;
		const itemIds = [...ids, nested!.id];
		expect(await service.run('item.delete', { proposalId, itemIds })).toMatchObject([
			{ deleted: true },
		]);
		expect(service.control.items(proposalId)).toHaveLength(before - 120);
		expect(deletedIds()).toEqual([ids.slice(0, 100), ids.slice(100)]);
	});

	it.each([
		[403, 'Not deleted'],
		[504, 'Not confirmed'],
	])(
		'says which items were deleted and which were not if a deletion fails halfway with %i',
		async (status, remaining) => {
			const { ids } = await addParts(120);
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

	it('fails an addition that Portal.io ignores because the same item was just added', async () => {
		const { target: areaOptionId } = await placesAt(service);
		const items = { item: [{ itemId: 9003, itemType: 'Part', quantity: 2 }] };
		const [first] = await service.run('item.add', { proposalId, areaOptionId, items });
		respond('item.add', service.control.proposal(proposalId));
		const failure = await failureOf(service, 'item.add', { areaOptionId, items });
		expect(failure.message).toBe(`${ACCEPTED}the item was not added`);
		expect(failure.description).toMatch(/has no new items\..*You can safely run the step again/s);
		expect(first).toMatchObject({ quantity: 2 });
	});

	it('returns the item that it added, not the one that someone else added at the same moment', async () => {
		const { target: areaOptionId } = await placesAt(service);
		const body = structuredClone(service.control.proposal(proposalId));
		const option = body.areas.at(-1).options[0];
		const template = structuredClone(body.areas[0].options[0].items[0]);
		const values = { itemType: 'Part', referencedItemId: 9003, parentId: null };
		option.items.push({ ...template, ...values, id: 900_001, quantity: 9 });
		option.items.push({ ...template, ...values, id: 900_002, quantity: 2 });
		respond('item.add', body);
		const items = { item: [{ itemId: 9003, itemType: 'Part', quantity: 2 }] };
		const added = await service.run('item.add', { proposalId, areaOptionId, items });
		expect(added).toMatchObject([{ id: 900_002, quantity: 2 }]);
	});

	it('fails where a deletion removed other items, but not for those nested under an item', async () => {
		const { first, second, option: areaOptionId } = await placesAt(service);
		const items = { item: [{ itemId: 9003, parentId: first.id }] };
		const [nested] = await service.run('item.add', { proposalId, areaOptionId, items });
		const [another] = await service.run('item.add', {
			...{ proposalId, areaOptionId, items: { item: [{ itemId: 9003 }] } },
		});
		for (const [lost, message] of [
			[[second.id], `another item was deleted too: ${second.id}`],
			[[second.id, another!.id], `2 other items were deleted too: ${second.id}, ${another!.id}`],
		]) {
			const body = structuredClone(service.control.proposal(proposalId));
			const [shown] = body.areas[0].options;
			const gone = [first.id, nested!.id, ...lost!];
			shown.items = shown.items.filter(({ id }: { id: number }) => !gone.includes(id));
			respond('item.delete', body);
			const failure = await failureOf(service, 'item.delete', { itemIds: [first.id] });
			expect(failure.message).toBe(ACCEPTED + message);
			expect(failure.description).toContain('Check the proposal in Portal.io before you run');
		}
	});

	it('returns the option that was created, not an option of another person', async () => {
		const body = structuredClone(service.control.proposal(proposalId));
		const [{ id: areaId, options }] = body.areas;
		const ours = { ...options[0], id: 100_001, clientDescription: 'In  oak', items: [] };
		const theirs = [{ clientDescription: 'In ash' }, { installerDescription: 'Ladder' }];
		options.push(ours, ...theirs.map((more, id) => ({ ...ours, id: 100_002 + id, ...more })));
		respond('areaOption.create', body);
		const additionalFields = { clientDescription: 'In oak' };
		const create = { proposalId, areaId, additionalFields };
		const created = await service.run('areaOption.create', create);
		expect(created).toMatchObject([{ id: 100_001 }]);
	});
});
