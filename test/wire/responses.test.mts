/** Tests responses without optional fields, and unexpected responses. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { Control, Fault } from '../../dev/simulator/index.mts';
import { type FileService, seed } from './account.mts';
import { calls, operationNames, preparedService, runCall } from './calls.mts';
import { editorLists, listIn } from './editorLists.mts';

/**
 * All operations except *Duplicate*, whose copy needs the contents of its original and of the new proposal. See
 * test/unit/severalRequests.
 */
const names = operationNames.filter((name) => name !== 'proposal.duplicate');
const LIST_OPERATIONS = ['getCategories', 'getMany', 'getSuppliers', 'search'];
const lists = names.filter((name) => LIST_OPERATIONS.includes(name.split('.')[1]!));
const others = names.filter((name) => !lists.includes(name));

/** Runs an operation's call without *Check Result*, which checkedResults.test.mts tests. */
async function outputOf(service: FileService, name: string, more: object = {}) {
	const unchecked = name.startsWith('item.') && { options: { checkResult: false } };
	const details = name === 'proposal.getMany' && { options: { includeDetails: true } };
	const parameters = { ...details, ...unchecked, ...more };
	const output = await runCall(service.account, name, calls[name]!, parameters);
	return output.map(({ json }) => json);
}

/**
 * Returns the path and value of each odd value in an output: a value that JSON cannot contain, or text that was
 * converted from such a value, for example 'NaN'.
 */
function oddPlacesIn(value: unknown, place = 'output'): string[] {
	if (typeof value === 'object' && value !== null) {
		return Object.entries(value).flatMap(([name, inner]) => oddPlacesIn(inner, `${place}.${name}`));
	}
	const isWord = /\b(undefined|NaN|null)\b|\[object Object\]/.test(String(value));
	return value !== null && isWord ? [`${place} is ${String(value)}`] : [];
}

/** Returns all records with the given ID, at any depth of a response. */
function recordsWithId(id: unknown, value: unknown): IDataObject[] {
	if (typeof value !== 'object' || value === null) return [];
	const inner = Object.values(value).flatMap((one) => recordsWithId(id, one));
	return (value as IDataObject).id === id ? [value as IDataObject, ...inner] : inner;
}

/** Returns the fields of an output record that are null although the response has a value under the same name. */
function lostFieldsOf(record: IDataObject, response: unknown): string[] {
	const [id] = Object.values(record);
	const sources = recordsWithId(id, response);
	const isPlain = (value: unknown) => value !== undefined && typeof value !== 'object';
	return Object.keys(record).filter(
		(name) => record[name] === null && sources.some((source) => isPlain(source[name])),
	);
}

const { staleWholeHome, accepted } = seed.proposals;
const dateNow = (control: Control) => new Date(control.now()).toISOString();

interface PolledChange {
	event: string;
	/** Changes something at the service. Returns the ID of the record that the poll reports. */
	change(control: Control): number;
	/** Name of the reported record's ID in the simplified output. */
	idName: string;
	/** Whether the change is in one of the proposal's optional lists. */
	isInOptionalList?: true;
	/** True if the dates by which a poll finds the change are optional. */
	hasOptionalDates?: true;
}

const polledChanges: PolledChange[] = [
	{
		event: 'changeOrderStatusChanged',
		change: (control) => {
			control.setStatus(seed.changeOrders.draft, 'Submitted');
			return seed.changeOrders.draft;
		},
		idName: 'changeOrderId',
		isInOptionalList: true,
	},
	{
		event: 'contactCreatedOrUpdated',
		change: (control) => control.addContact('New'),
		idName: 'contactId',
		hasOptionalDates: true,
	},
	{
		event: 'paymentStatusChanged',
		change: (control) => {
			const [payment] = control.rows('payment_requests', { proposal_id: accepted });
			control.update('payment_requests', { id: payment!.id! }, { status: 'Refunded' });
			control.update('proposals', { id: accepted }, { lastModifiedDate: dateNow(control) });
			return Number(payment!.id);
		},
		idName: 'paymentId',
		isInOptionalList: true,
	},
	{
		event: 'proposalCreated',
		change: (control) => {
			const [id] = control.addProposals(1, { like: staleWholeHome });
			const date = dateNow(control);
			control.update('proposals', { id: id! }, { createdDate: date, lastModifiedDate: date });
			return id!;
		},
		idName: 'proposalId',
	},
	{ event: 'proposalStatusChanged', change: acceptProposal, idName: 'proposalId' },
	{ event: 'proposalUpdated', change: acceptProposal, idName: 'proposalId' },
];

function acceptProposal(control: Control): number {
	control.accept(staleWholeHome);
	return staleWholeHome;
}

/** Operations that can return nothing, because their whole output comes from optional fields of the response. */
const MAY_RETURN_NOTHING = [
	'area.getMany',
	'item.getMany',
	'payment.getMany',
	'recurringService.getMany',
];

/** Lists in the editor that can be empty, because all their entries come from optional fields of the response. */
const MAY_LIST_NOTHING = [
	'getAreaOptions',
	'getCategories',
	'getItems',
	'searchAreaOptions',
	'searchAreas',
	'searchChangeOrders',
	'searchContactLocations',
	'searchContent',
	'searchItems',
	'searchOptionsOfArea',
	'searchProposalLocations',
	'searchSubscriptions',
];

describe.each([
	['leaves out all optional fields', 'absent'],
	['has null in all optional fields', 'null'],
	['leaves out the optional fields of nested records', 'absentInside'],
	['has null in the optional fields of nested records', 'nullInside'],
] as const)('a service that %s', (_, optionalFields) => {
	const service = preparedService({ optionalFields });

	it.each(names)('outputs every plain value of the response to %s', async (name) => {
		const response = await outputOf(service, name, { output: 'raw' });
		service.control.restoreState();
		const output = await outputOf(service, name, { output: 'simplified' });
		if (!MAY_RETURN_NOTHING.includes(name)) expect(output).not.toEqual([]);
		expect(oddPlacesIn([response, output])).toEqual([]);
		expect(output.flatMap((record) => lostFieldsOf(record, response))).toEqual([]);
	});

	it.each(names)('outputs the IDs in the parameters of %s', async (name) => {
		const ids = Object.entries(calls[name]!.parameters).filter(
			([field, value]) => field.endsWith('Id') && typeof value === 'number',
		);
		const output = await outputOf(service, name, { output: 'simplified' });
		const shown = output.map((record) => ids.filter(([field]) => field in record));
		const expected = shown.map((some) => Object.fromEntries(some));
		expect(output).toMatchObject(expected);
	});

	it.each(editorLists)('lists only records with an ID and a name: %s', async (list) => {
		const choices = await listIn(service, list).catch((error: Error) => {
			// Accept this error, because a proposal's contact is optional.
			expect(error.message).toBe('Assign a contact to the proposal first');
			return [];
		});
		if (!MAY_LIST_NOTHING.includes(list)) expect(choices).not.toEqual([]);
		expect(choices.filter(({ value }) => !(Number(value) > 0))).toEqual([]);
		expect(choices.filter(({ name }) => !/\w/.test(name))).toEqual([]);
		expect(oddPlacesIn(choices)).toEqual([]);
	});

	describe.each(polledChanges)('the polling trigger', (polled) => {
		const { event, change, idName, isInOptionalList, hasOptionalDates } = polled;
		const isListed = !isInOptionalList || optionalFields.endsWith('Inside');

		it.each(['simplified', 'raw'] as const)(
			`reports ${event}, %s, without undefined or NaN`,
			async (detail) => {
				const node = service.polling(event, {
					output: detail,
					options: { fetchProposal: true },
				});
				if (hasOptionalDates) {
					await expect(node.poll()).rejects.toThrow('did not return a date');
					return;
				}
				await node.poll();
				await service.control.advance(1);
				const id = change(service.control);
				const output = (await node.poll()) ?? [];
				const expected = detail === 'simplified' ? { [idName]: id } : { id };
				expect(output).toMatchObject(isListed ? [expected] : []);
				expect(oddPlacesIn(output)).toEqual([]);
			},
		);

		it(`shows a sample of ${event} without undefined or NaN, or reports that there is no sample`, async () => {
			const sample = await service
				.polling(event)
				.test()
				.catch((error: Error) => error.message);
			if (isListed) expect(sample).not.toEqual([]);
			else expect(sample).toBe('No sample record found');
			expect(oddPlacesIn(sample)).toEqual([]);
		});
	});
});

describe('a service that responds with unexpected data', () => {
	const service = preparedService();
	const foreign = { ok: true, code: 7 };
	const withoutList = /^Unexpected response: Portal\.io did not return (the list '\w+'|a proposal)/;
	async function outputFor(name: string, response: Fault) {
		for (const id of calls[name]!.requests) {
			service.fail(id, { status: 200, times: 9, ...response });
		}
		return await outputOf(service, name).finally(() => service.control.clearFaults());
	}

	/** Returns whether an incomplete response makes the operation read the proposal (test/unit/outputEdgeCases). */
	const isReadAgain = (name: string) =>
		name.startsWith('area') ||
		['item.refreshCosts', 'item.setSupplier'].includes(name) ||
		['proposal.assignLocation', 'proposal.update'].includes(name);
	const confirmed = others.filter((name) => !isReadAgain(name) && calls[name]!.kind !== 'read');
	const acknowledgments: Fault[] = [
		{ status: 204, body: '' },
		{ body: [] },
		{ body: true },
		{ headers: { 'Content-Type': 'application/json' }, body: '"OK"' },
		{ headers: { 'Content-Type': 'text/plain' }, body: 'Done' },
	];
	it.each(confirmed)(
		'confirms %s with the sent IDs if the response is an acknowledgment',
		async (name) => {
			const { kind, parameters } = calls[name]!;
			const confirmation = kind === 'delete' ? { deleted: true } : { success: true };
			for (const response of acknowledgments) {
				const [output, ...more] = await outputFor(name, response);
				expect(more).toEqual([]);
				expect(output).toMatchObject(confirmation);
				expect(output!.proposalId).toBe(parameters.proposalId);
				expect(Object.values(output!)).not.toContain(null);
			}
		},
	);

	// Skip outlines, which are output as they are.
	const reads = others.filter((name) => calls[name]!.kind === 'read' && name !== 'aiOutline.get');
	it.each(reads)('causes an error if the response to %s is not a record', async (name) => {
		await expect(outputFor(name, { body: foreign })).rejects.toThrow(
			/^Unexpected response: Portal\.io did not return a (record|proposal)/,
		);
	});

	it.each(['area.create', 'areaOption.create', 'item.move'])(
		'causes an error if the response to %s has no list of items',
		async (name) => {
			const { proposalId: id } = calls[name]!.parameters;
			const body = { id, number: 1021, areas: [{ id: 1, options: [null] }] };
			await expect(outputFor(name, { body })).rejects.toMatchObject({
				message: expect.stringMatching(withoutList),
				description: expect.stringMatching(
					/Portal\.io (might have processed|accepted) the request.*\nIt returned/s,
				),
			});
		},
	);

	const bare = ['changeOrder.getMany', 'catalog.getCategories', 'webhookSubscription.getMany'];
	const named = lists.filter((name) => !bare.includes(name));
	it.each(named)('finds the list of %s in a response with additional lists', async (name) => {
		const documented = await outputOf(service, name);
		expect(documented.length).toBeGreaterThan(0);
		service.control.failNext({ brokenResponse: 'extended', times: 9 });
		expect(await outputOf(service, name)).toEqual(documented);
	});

	it.each(lists)('causes an error if the response to %s has no list', async (name) => {
		await expect(outputFor(name, { body: foreign })).rejects.toMatchObject({
			message: expect.stringMatching(withoutList),
			description: expect.stringMatching(/^It returned an object with 'ok', 'code'\./),
		});
	});

	it.each(editorLists)(
		'causes an error in the editor list %s if the response has no list',
		async (method) => {
			// Use the response for several requests, because a proposal's content is listed only after the proposal is
			// read.
			service.control.failNext({ status: 200, body: foreign, times: 9 });
			await expect(listIn(service, method)).rejects.toThrow(withoutList);
		},
	);
});
