/** Requests whose body is assumed, at services that have other names for their fields. */
import { describe, expect, it } from 'vitest';
import { theirName } from '../../dev/simulator/assumedNames.mts';
import { restoredService, seed, type FileService } from './account.mts';

const proposalId = seed.proposals.staleTheatre;
const HARMLESS = 'Running the step again does no harm.';

/** The first items of the proposal, their option, and one of a new area. */
async function placesAt(service: FileService) {
	const [attic] = await service.run('area.create', { proposalId, name: 'Attic' });
	const [option] = service.control.proposal(proposalId).areas[0].options;
	service.control.clearRequests();
	return {
		option: option.id as number,
		target: attic!.areaOptionId as number,
		first: option.items[0],
		second: option.items[1],
	};
}
type Places = Awaited<ReturnType<typeof placesAt>>;

/** The changes of the proposal that were sent. */
const changesAt = ({ control }: FileService) =>
	control.requests.filter(({ method }) => method !== 'GET');

/** What an operation says of its failure. */
async function failureOf(service: FileService, name: string, parameters: object) {
	const failure = await service.run(name, { proposalId, ...parameters }).then(
		(output) => expect.fail(`It ended with ${JSON.stringify(output)}`),
		(error: Error & { description: string }) => error,
	);
	return { message: failure.message, description: failure.description };
}

const accepted = 'Portal.io accepted the request, but ';

/** By operation: parameters, and what the error says where nothing is done. */
const ignored: Record<string, (places: Places) => [parameters: object, message: string]> = {
	'item.add': ({ option, first }) => [
		// An item like this is there already.
		{
			areaOptionId: option,
			items: {
				item: [{ itemId: first.referencedItemId, itemType: 'Part', quantity: first.quantity }],
			},
		},
		'the item was not added',
	],
	'item.copy': ({ option, first }) => [
		{ itemIds: [first.id], areaOptionIds: [option] },
		`item ${first.id} was not copied`,
	],
	'item.delete': ({ first }) => [{ itemIds: [first.id] }, `item ${first.id} is still there`],
	'item.move': ({ option, target, first }) => [
		{ itemIds: [first.id], areaOptionId: target },
		`item ${first.id} is in area option ${option}, not ${target}`,
	],
	'item.replace': ({ first }) => [
		{ itemId: first.id, catalogItemId: 9003 },
		`item ${first.id} is catalog item ${first.referencedItemId}, not catalog item 9003`,
	],
};

const values = {
	quantity: 3.5,
	sellPrice: 20.25,
	cost: 1.5,
	msrp: 30,
	isCombinedPrice: true,
	isTaxExempt: true,
	isRecurringService: true,
	shortDescription: 'Sounds warm',
	clientNote: 'Wall mount',
	imageUrl: 'https://example.com/amp.png',
};
const labels: Record<string, string> = {
	quantity: 'Quantity',
	sellPrice: 'Sell Price',
	cost: 'Cost',
	msrp: 'MSRP',
	isCombinedPrice: 'Combined Price',
	isTaxExempt: 'Tax Exempt',
	isRecurringService: 'Recurring Service',
	shortDescription: 'Short Description',
	clientNote: 'Client Note',
	imageUrl: 'Image URL',
};

describe('a name that the service ignores', () => {
	const service = restoredService({ assumedNames: 'ignored' });

	it.each(Object.keys(ignored))('fails %s, which did nothing', async (name) => {
		const [parameters, message] = ignored[name]!(await placesAt(service));
		const before = service.control.items(proposalId);
		const failure = await failureOf(service, name, parameters);
		expect(failure.message).toBe(accepted + message);
		expect(failure.description).toContain("under 'Extra Fields'");
		expect(service.control.items(proposalId)).toEqual(before);
		expect(changesAt(service)).toHaveLength(1);
	});

	it.each(Object.entries(values))('fails an update of %s to %s', async (name, value) => {
		const { first } = await placesAt(service);
		const updateFields = { [name]: value };
		const failure = await failureOf(service, 'item.update', { itemId: first.id, updateFields });
		expect(failure.message).toMatch(
			new RegExp(`^${accepted}'${labels[name]}' is .+, not ${String(value)}$`),
		);
		expect(failure.description).toMatch(/^Nothing was set\.$/m);
		expect(failure.description).toContain(HARMLESS);
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

	it("corrects a name that the service ignores with 'Extra Fields'", async () => {
		const { first } = await placesAt(service);
		const field = [{ name: theirName('Quantity'), value: '5' }];
		const parameters = { updateFields: { quantity: 5 }, options: { extraFields: { field } } };
		const [item] = await service.run('item.update', {
			proposalId,
			itemId: first.id,
			...parameters,
		});
		expect(item).toMatchObject({ id: first.id, quantity: 5 });
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
	const service = restoredService({ assumedNames: 'reset' });

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
			`Delete the new items before you run the step again, so that they are not there twice: `,
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

describe('a name that the service refuses', () => {
	const service = restoredService({ assumedNames: 'refused' });

	it('asks for a field that the service misses in the words of the node', async () => {
		const { first } = await placesAt(service);
		const updateFields = { quantity: 2 };
		expect(await failureOf(service, 'item.update', { itemId: first.id, updateFields })).toEqual({
			message: "Portal.io asks for a field 'TheirQuantity'",
			description: expect.stringMatching(/^Add it under 'Extra Fields' in 'Options'\.\n/),
		});
	});

	it('asks for a field that the service misses in the entry of a list', async () => {
		const { option } = await placesAt(service);
		const fieldName = 'Items[0].CatalogItemId';
		const body = { message: 'No.', responseStatus: { errors: [{ fieldName, message: 'No.' }] } };
		service.control.failNext({ operationId: 'item.add', status: 400, body });
		const items = { item: [{ itemId: 9003 }] };
		const { message, description } = await failureOf(service, 'item.add', {
			areaOptionId: option,
			items,
		});
		expect(message).toBe(`Portal.io asks for a field '${fieldName}'`);
		expect(description).toMatch(
			/^Add 'Items' under 'Extra Fields' in 'Options': a JSON list of entries with 'CatalogItemId'\./,
		);
	});

	it('does not ask for a field where its value, which was sent, is refused', async () => {
		const { first } = await placesAt(service);
		const body = {
			message: 'Too many.',
			responseStatus: { errors: [{ fieldName: 'quantity', message: 'Too many.' }] },
		};
		service.control.failNext({ operationId: 'item.updateQuantity', status: 400, body });
		const updateFields = { quantity: 2 };
		const failure = await failureOf(service, 'item.update', { itemId: first.id, updateFields });
		expect(failure.message).toBe('Portal.io did not accept the values of this request');
	});
});

describe('the names of this package', () => {
	const service = restoredService();
	const valid = (places: Places): Record<string, object> => ({
		...Object.fromEntries(Object.entries(ignored).map(([name, of]) => [name, of(places)[0]])),
		'item.update': { itemId: places.second.id, updateFields: { quantity: 4 } },
	});
	const names = [...Object.keys(ignored), 'item.update'];

	it.each(names)(
		'needs no further request where the response is the proposal: %s',
		async (name) => {
			const parameters = valid(await placesAt(service))[name];
			await service.run(name, { proposalId, ...parameters });
			expect(service.control.requests).toHaveLength(1);
		},
	);

	it.each(names)('checks by one read where the response of %s is none', async (name) => {
		const places = await placesAt(service);
		const [expected] = await service.run(name, { proposalId, ...valid(places)[name] });
		const text = { headers: { 'Content-Type': 'text/plain' }, body: 'Done' };
		for (const answer of [
			{ status: 204, body: '' },
			{ status: 200, ...text },
		]) {
			service.control.restoreState();
			const again = valid(await placesAt(service))[name];
			const operationId = name === 'item.update' ? 'item.updateQuantity' : name;
			service.control.failNext({ operationId, when: 'after', ...answer });
			const [output] = await service.run(name, { proposalId, ...again });
			expect(Object.keys(output!).filter((one) => one !== 'message')).toEqual(
				Object.keys(expected!),
			);
			expect(service.control.requests.map(({ method }) => method)).toEqual([
				name === 'item.delete' ? 'DELETE' : 'POST',
				'GET',
			]);
		}
	});

	it.each(
		['item.delete', 'item.move'].flatMap((name) => [
			[name, 'done', []],
			[name, 'not done', [{ id: 1, name: 'Den', options: [{ id: 2, items: [] }] }]],
		]) as [string, string, object[]][],
	)(
		'checks by one read where the proposal in the response of %s, %s, shows no items',
		async (name, outcome, areas) => {
			const parameters = valid(await placesAt(service))[name];
			service.control.failNext({
				...{ operationId: name, status: 200, body: { id: proposalId, number: 1021, areas } },
				when: outcome === 'done' ? 'after' : 'before',
			});
			const run = service.run(name, { proposalId, ...parameters });
			if (outcome === 'done') expect(await run).toHaveLength(1);
			else await expect(run).rejects.toThrow(accepted);
			expect(service.control.requests.map(({ method }) => method).slice(1)).toEqual(['GET']);
		},
	);

	it('says that a change was accepted where the proposal cannot be read afterwards', async () => {
		const { first } = await placesAt(service);
		service.control.failNext({ operationId: 'item.delete', when: 'after', status: 204, body: '' });
		service.control.failNext({ operationId: 'proposal.get', status: 403 });
		const { description } = await failureOf(service, 'item.delete', { itemIds: [first.id] });
		expect(description).toMatch(
			/^Portal\.io accepted the request, but whether it took effect could not be read/,
		);
	});

	it('switches a combined price only where it is not as wanted, and never twice', async () => {
		const { first } = await placesAt(service);
		const update = async (isCombinedPrice: boolean) =>
			await service.run('item.update', {
				proposalId,
				itemId: first.id,
				updateFields: { isCombinedPrice },
				simplify: false,
			});
		const sent = () => {
			const methods = service.control.requests.map(({ method }) => method);
			service.control.clearRequests();
			return methods;
		};
		await update(true);
		expect(sent()).toEqual(['GET', 'POST']);
		const [proposal] = await update(true);
		expect(proposal).toMatchObject({ id: proposalId, areas: expect.any(Array) });
		expect(sent()).toEqual(['GET']);
		service.control.failNext({ operationId: 'item.updateCombinedPrice', status: 504, times: 9 });
		await expect(update(false)).rejects.toThrow('Portal.io could not process the request');
		expect(sent()).toEqual(['GET', 'POST']);
		service.control.clearFaults();
	});
});
