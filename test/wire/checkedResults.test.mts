/** Requests whose body is assumed, at services that have other names for their fields. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Settings } from '../../dev/simulator/index.mts';
import { restoredService } from './account.mts';
import {
	accepted,
	changesAt,
	failureOf,
	itemChanges,
	labels,
	placesAt,
	proposalId,
	values,
} from './itemChanges.mts';

/** The names of a service that knows none of ours where no document has them. */
const theirName = (field: string) => `Their${field}`;
const names: Settings['names'] = (field, { mark }) =>
	mark === 'assumed' ? theirName(field) : field;

/** The same, but new items are found, without their quantity and parent. */
const namesOfDetails: Settings['names'] = (field, endpoint) => {
	if (endpoint.id !== 'item.add') return names(field, endpoint);
	const isDetail = field === 'Items.quantity' || field === 'Items.parentId';
	return isDetail ? theirName(field) : field.replace('Items.', '');
};

const HARMLESS = 'Running the step again does no harm.';

describe.each(['ignored', 'zero'] as const)('a name that counts as %s', (missing) => {
	const service = restoredService({ names, missing });

	it.each(Object.entries(values))(
		'fails an update that did not set %s to %s',
		async (name, value) => {
			const { first } = await placesAt(service);
			const updateFields = { [name]: value };
			const failure = await failureOf(service, 'item.update', { itemId: first.id, updateFields });
			expect(failure.message).toMatch(
				new RegExp(`^${accepted}'${labels[name]}' is .+, not ${String(value)}$`),
			);
			expect(failure.description).toMatch(/^Nothing was set\.$/m);
			expect(failure.description).toContain(HARMLESS);
			expect(changesAt(service)).toHaveLength(1);
		},
	);
});

describe('a name that the service ignores', () => {
	const service = restoredService({ names, missing: 'ignored' });

	it.each(Object.keys(itemChanges))('fails %s, which did nothing', async (name) => {
		const [parameters, message] = itemChanges[name]!(await placesAt(service));
		const before = service.control.items(proposalId);
		const failure = await failureOf(service, name, parameters);
		expect(failure.message).toBe(accepted + message);
		const { method, path } = changesAt(service)[0]!;
		expect(failure.description).toContain(
			`a field of ${method} ${service.simulator.url}${path}. You can send it with an HTTP Request`,
		);
		expect(service.control.items(proposalId)).toEqual(before);
		expect(changesAt(service)).toHaveLength(1);
	});

	it('gives each failed input one item on Continue on Fail, and goes on with the others', async () => {
		const { first, second } = await placesAt(service);
		const inputs = [
			{ id: first.id, quantity: 5 },
			{ id: second.id, quantity: second.quantity },
		];
		const output = await service.run(
			'item.update',
			{
				proposalId,
				itemId: '={{ $json.id }}',
				updateFields: { quantity: '={{ $json.quantity }}' },
			},
			{ items: inputs, continueOnFail: true },
		);
		expect(output).toMatchObject([
			{ error: `${accepted}'Quantity' is ${first.quantity}, not 5` },
			{ id: second.id, quantity: second.quantity },
		]);
	});

	it("succeeds with a name that the service ignores when 'Check Result' is off", async () => {
		const { first } = await placesAt(service);
		const parameters = { updateFields: { quantity: 5 }, options: { checkResult: false } };
		const [item] = await service.run('item.update', {
			proposalId,
			itemId: first.id,
			...parameters,
		});
		expect(item).toMatchObject({ id: first.id, quantity: first.quantity });
	});

	it('fails with the rows that were not added, ten of them', async () => {
		const { target } = await placesAt(service);
		const rows = Array.from({ length: 12 }, () => ({ itemId: 9003 }));
		const { message, description } = await failureOf(service, 'item.add', {
			areaOptionId: target,
			specifyItems: 'json',
			itemsJson: rows,
		});
		expect(message).toBe(`${accepted}12 things are not as they were sent`);
		expect(description).toMatch(
			/^row 1 was not added\.\n(row \d+ was not added\.\n){9}And 2 more\.\nNothing was added\.\n/,
		);
		expect(description).not.toContain('row 11');
		expect(description).toContain(HARMLESS);
	});
});

describe('a name that counts as its default', () => {
	const service = restoredService({ names: namesOfDetails, missing: 'zero' });

	it.each(Object.keys(itemChanges).filter((name) => name !== 'item.add'))(
		'fails %s, where no list came',
		async (name) => {
			const [parameters, message] = itemChanges[name]!(await placesAt(service));
			expect((await failureOf(service, name, parameters)).message).toBe(accepted + message);
		},
	);

	it('fails an add whose items have another quantity and parent, and says that they exist', async () => {
		const { option, first } = await placesAt(service);
		const rows = [
			{ itemId: 9003, quantity: 3 },
			{ itemId: 9003, quantity: 1 },
			{ itemId: 9001, quantity: 1, parentId: first.id },
		];
		const { message, description } = await failureOf(service, 'item.add', {
			areaOptionId: option,
			specifyItems: 'json',
			itemsJson: rows,
		});
		const [third, second, newest] = service.control
			.items(proposalId)
			.map(({ id }) => id)
			.sort((one, other) => Number(other) - Number(one));
		expect(message).toBe(`${accepted}2 things are not as they were sent`);
		expect(description).toMatch(
			new RegExp(
				`^row 1: 'Quantity' is 1, not 3\\.\nrow 3: 'Parent Item' is empty, not ${first.id}\\.\nNew in the proposal: 3 of 3 items\\.\n`,
			),
		);
		expect(description).toContain(
			'Delete the new items before you run the step again, to avoid duplicates: ',
		);
		for (const id of [third, second, newest]) expect(description).toContain(String(id));
		expect(changesAt(service)).toHaveLength(1);
	});

	it('fails an update of several fields with what was set and what was not', async () => {
		const { first } = await placesAt(service);
		const updateFields = { quantity: 2, isTaxExempt: false, clientNote: 'Wall mount' };
		const { message, description } = await failureOf(service, 'item.update', {
			itemId: first.id,
			updateFields,
		});
		expect(message).toBe(`${accepted}2 things are not as they were sent`);
		expect(description).toMatch(
			/^'Quantity' is 0, not 2\.\n'Client Note' is empty, not Wall mount\.\nSet: 'Tax Exempt'\.\n/,
		);
		expect(changesAt(service)).toHaveLength(3);
	});
});

/** Portal.io's second words for what the operations on items send. */
const SECOND: Record<string, string> = {
	...{ Quantity: 'Qty', IsCombinedPrice: 'CombinePrice', IsTaxExempt: 'TaxExempt' },
	...{ IsRecurringService: 'RecurringService', ClientNote: 'Note', ImageUrl: 'Image' },
	...{ ProposalItemIds: 'ItemIds', ItemId: 'ReferencedItemId' },
	...{ 'Items.itemId': 'referencedItemId', 'Items.quantity': 'qty' },
};

describe('a service that knows only the second word for a value', () => {
	const service = restoredService({
		names: (field, { mark }) =>
			mark === 'assumed' ? (SECOND[field] ?? field.replace('Items.', '')) : field,
	});

	it('accepts every change of items', async () => {
		const { first } = await placesAt(service);
		await service.run('item.update', { proposalId, itemId: first.id, updateFields: values });
		for (const [name, parametersAt] of Object.entries(itemChanges)) {
			service.control.restoreState();
			const [parameters] = parametersAt(await placesAt(service));
			expect(await service.run(name, { proposalId, ...parameters }), name).not.toEqual([]);
		}
	});
});

describe('a deletion', () => {
	const service = restoredService();

	it('names a hundred items in the query of a request, and sends no body', async () => {
		const { target } = await placesAt(service);
		const itemsJson = Array.from({ length: 201 }, () => ({ itemId: 9003 }));
		const added = await service.run('item.add', {
			...{ proposalId, areaOptionId: target, specifyItems: 'json', itemsJson },
		});
		service.control.clearRequests();
		const before = service.control.items(proposalId).length;
		await service.run('item.delete', { proposalId, itemIds: added.map(({ id }) => id) });
		expect(service.control.items(proposalId)).toHaveLength(before - 201);
		const sent = changesAt(service).map(({ query, bodyText }) => ({
			ids: new URLSearchParams(query).get('ProposalItemIds')!.split(',').length,
			bodyText,
		}));
		expect(sent).toEqual([100, 100, 1].map((ids) => ({ ids, bodyText: '' })));
	});

	it('fails loudly where other items are gone too, but not for those nested under an item', async () => {
		const { first, second, option } = await placesAt(service);
		const [nested] = await service.run('item.add', {
			...{ proposalId, areaOptionId: option },
			items: { item: [{ itemId: 9003, parentId: first.id }] },
		});
		const body = structuredClone(service.control.proposal(proposalId));
		const [shown] = body.areas[0].options;
		const gone = [first.id, nested!.id, second.id];
		shown.items = shown.items.filter(({ id }: { id: number }) => !gone.includes(id));
		service.control.failNext({ operationId: 'item.delete', status: 200, body });
		const { message, description } = await failureOf(service, 'item.delete', {
			itemIds: [first.id],
		});
		expect(message).toBe(`${accepted}another item is gone, too: ${second.id}`);
		expect(description).toContain('Check the proposal in Portal.io before you run the step again');
	});
});

describe('a result that is shown in another way', () => {
	const service = restoredService();
	const now = '2126-01-01T00:00:00Z';
	const earlier = '2020-01-01T00:00:00Z';

	/** Responds to an update or a replacement with the proposal, whose first items are these. */
	async function shows(operationId: string, changed: (first: object) => object[]) {
		const body = structuredClone(service.control.proposal(proposalId));
		const [option] = body.areas[0].options;
		const [first, ...others] = option.items;
		option.items = [...changed(first), ...others];
		service.control.failNext({ operationId, status: 200, body });
		return first.id as number;
	}

	const image = 'https://example.com/amp.png';
	const other = 'https://cdn.example/1';

	it.each([
		['an image under another URL', 'Image', image, { imageUrl: other }, true],
		['an old image', 'Image', image, { imageUrl: other, lastModifiedDate: earlier }, false],
		['an image that is not there', 'Image', image, { imageUrl: '' }, false],
		['an image that stays', 'Image', '', { imageUrl: other }, false],
		['a text', 'ClientNote', 'Wall', { clientNote: 'Wall mount' }, false],
		['an amount in fractions of a cent', 'Cost', 10.004, { cost: 10 }, true],
		['a quantity to the hundredth', 'Quantity', 3.004, { quantity: 3 }, false],
	])('checks %s as it is shown', async (_, part, sent, found, isEqual) => {
		const more = { lastModifiedDate: now, ...found };
		const itemId = await shows(`item.update${part}`, (first) => [{ ...first, ...more }]);
		const updateFields = { [Object.keys(found)[0]!]: sent };
		const run = service.run('item.update', { proposalId, itemId, updateFields });
		if (isEqual) expect(await run).toHaveLength(1);
		else await expect(run).rejects.toThrow(accepted);
	});

	/** Responds to a change with the proposal after it, to which another person has added these items. */
	async function addsMeanwhile(operationId: string, ours: object[], theirs: object[]) {
		const body = structuredClone(service.control.proposal(proposalId));
		const [option] = body.areas[0].options;
		const [first] = option.items;
		const added = [...ours, ...theirs].map((more, index) => ({
			...{ ...first, ...more, id: 100_001 + index, createdDate: now },
		}));
		option.items = [...option.items, ...added];
		service.control.failNext({ operationId, status: 200, body });
		return { first, areaOptionId: option.id as number };
	}

	it.each([
		[[{ quantity: 3 }], [{ quantity: 1 }]],
		[[{ quantity: 3 }], [{ quantity: 3, itemType: 'Labor' }]],
		[
			[{ quantity: 3 }, { quantity: 5 }],
			[{ quantity: 3, parentId: 9 }, { quantity: 4 }],
		],
	])('returns the added items %j, not %j of another person', async (ours, theirs) => {
		const { first, areaOptionId } = await addsMeanwhile('item.add', ours, theirs);
		const { referencedItemId: itemId } = first;
		const item = ours.map(({ quantity }) => ({ itemId, itemType: 'Part', quantity }));
		const output = await service.run('item.add', { proposalId, areaOptionId, items: { item } });
		expect(output.map(({ id }) => id)).toEqual(ours.map((_, index) => 100_001 + index));
	});

	it('returns the copy of an item, not one of another person', async () => {
		const { first, areaOptionId } = await addsMeanwhile('item.copy', [{}], [{ quantity: 99 }]);
		const ids = { itemIds: [first.id], areaOptionIds: [areaOptionId] };
		const output = await service.run('item.copy', { proposalId, ...ids });
		expect(output.map(({ id }) => id)).toEqual([100_001]);
	});

	it('returns the option that was created, not one of another person', async () => {
		const body = structuredClone(service.control.proposal(proposalId));
		const [{ id: areaId, options }] = body.areas;
		const ours = { ...options[0], id: 100_001, clientDescription: 'In  oak', items: [] };
		options.push(ours, { ...ours, id: 100_002, clientDescription: 'In ash' });
		service.control.failNext({ operationId: 'areaOption.create', status: 200, body });
		const additionalFields = { clientDescription: 'In oak' };
		const [output] = await service.run('areaOption.create', {
			...{ proposalId, areaId, additionalFields },
		});
		expect(output).toMatchObject({ id: 100_001 });
	});

	it('fails an update of an item that is gone', async () => {
		const itemId = await shows('item.updateQuantity', () => []);
		const failure = await failureOf(service, 'item.update', {
			itemId,
			updateFields: { quantity: 2 },
		});
		expect(failure.message).toBe(`${accepted}item ${itemId} is not in the proposal`);
		expect(failure.description).toMatch(/^Portal\.io may have another name/);
	});

	it('returns a moved item that has a new ID, and no other item of the option', async () => {
		const [{ id: areaOptionId }] = service.control.proposal(proposalId).areas[0].options;
		const itemId = await shows('item.move', (first) => [
			{ ...first, id: 100_001, createdDate: now },
		]);
		const output = await service.run('item.move', { proposalId, itemIds: [itemId], areaOptionId });
		expect(output.map(({ id }) => id)).toEqual([100_001]);
	});

	it('returns a replacement that has an ID of its own, the newest of its catalog item', async () => {
		const replaced = (first: object) =>
			[100_001, 100_003, 100_002].map((id) => ({
				...{ ...first, id, referencedItemId: 9003, createdDate: id === 100_003 ? now : earlier },
			}));
		const itemId = await shows('item.replace', replaced);
		const output = await service.run('item.replace', { proposalId, itemId, catalogItemId: 9003 });
		expect(output.map(({ id }) => id)).toEqual([100_003]);
	});

	it.each([
		['another catalog item', 9006, now],
		['an item from before', 9003, earlier],
	])('fails a replacement that leaves only %s', async (_, referencedItemId, createdDate) => {
		const more = { id: 100_001, referencedItemId, createdDate };
		const itemId = await shows('item.replace', (first) => [{ ...first, ...more }]);
		const failure = await failureOf(service, 'item.replace', { itemId, catalogItemId: 9003 });
		expect(failure.message).toBe(`${accepted}item ${itemId} is not in the proposal`);
	});
});

describe('text that cannot be sent as it was given', () => {
	const service = restoredService();

	it.each([
		['an emoji cut in half', 'Great speaker 😀'.slice(0, 15), 'Great speaker \ufffd'],
		['another way to write the same letter', 'Ku\u0308che', 'Ku\u0308che'],
	])('sets %s', async (_, shortDescription, stored) => {
		const { first } = await placesAt(service);
		const updateFields = { shortDescription };
		const [item] = await service.run('item.update', {
			...{ proposalId, itemId: first.id, updateFields, simplify: false },
		});
		const [shown] = service.control.proposal(proposalId).areas[0].options[0].items;
		expect(shown.shortDescription).toBe(stored);
		expect(item).toMatchObject({ id: proposalId });
	});

	it('clears a text that the response then leaves out', async () => {
		const { first } = await placesAt(service);
		for (const shortDescription of ['Warm', '']) {
			await service.run('item.update', {
				...{ proposalId, itemId: first.id, updateFields: { shortDescription } },
			});
		}
		const [shown] = service.control.proposal(proposalId).areas[0].options[0].items;
		expect(shown.shortDescription ?? '').toBe('');
	});
});

describe('an n8n server in another time zone', () => {
	const service = restoredService();
	const { TZ } = process.env;
	afterAll(() => {
		process.env.TZ = TZ ?? 'UTC';
	});

	it.each(['Europe/Berlin', 'Asia/Tokyo', 'America/Los_Angeles'])(
		'tells new items from old ones in %s',
		async (zone) => {
			process.env.TZ = zone;
			const { first, option } = await placesAt(service);
			const { referencedItemId: itemId, quantity } = first;
			const parameters = { areaOptionId: option, items: { item: [{ itemId, quantity }] } };
			const [added] = await service.run('item.add', { proposalId, ...parameters });
			const newest = Math.max(...service.control.items(proposalId).map(({ id }) => Number(id)));
			expect(added).toMatchObject({ id: newest });
			const body = service.control.proposal(proposalId);
			service.control.failNext({ operationId: 'item.add', status: 200, body });
			await service.control.advance(120);
			const failure = await failureOf(service, 'item.add', parameters);
			expect(failure.message).toBe(`${accepted}the item was not added`);
		},
	);
});
