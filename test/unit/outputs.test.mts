/** The simplified output of each operation, from responses made by hand; what else they may be: anyResponse. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { readPagedList } from '../../client/lists.ts';
import { plainValues } from '../../dev/scripts/recordedCall.mts';
import { withDefaults } from '../../nodes/PortalIo/operation/output.ts';
import { catalogList } from '../../nodes/PortalIo/resources/catalog.ts';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';
import { operationOutput } from './operationOutput.mts';
import { playedSession, recordingSession } from './playedSession.mts';

const all = { itemTypes: [], brands: [], suppliers: [] };

async function outputs(name: string, values: object, response: unknown): Promise<IDataObject[]> {
	const [resource, operation] = name.split('.') as [string, string];
	const { session, context } = playedSession(({ url }) =>
		typeof response === 'function' ? (response(url) as unknown) : response,
	);
	const given = {
		output: 'simplified',
		options: {},
		filters: all,
		additionalFields: {},
		proposalId: 42,
		updateFields: { clientDescription: 'In oak' },
		...values,
	};
	return await operationOutput(
		context,
		session,
		findOperation(resource, operation)!,
		given as never,
	);
}

const salesperson = { firstName: 'Sam', lastName: 'Poe' };
const person = {
	id: 7,
	partyType: 'Person',
	contactType: 'Client',
	firstName: 'Ann',
	lastName: 'Lee',
	companyName: 'Loft',
	contactEmail: 'a@b.example',
	contactPhone: '555',
	notes: 'x',
	primaryLocation: {
		id: 3,
		city: 'Boise',
	},
	lastModifiedDate: '2026-04-14T00:00:00Z',
};
const client = { clientName: 'Ann Lee', clientEmail: 'a@b.example', salesPersonName: 'Sam Poe' };
const option = {
	id: 6,
	status: 'Draft',
	clientDescription: 'In oak',
	installerDescription: 'Ladder',
	total: 90,
	totalRecurringService: 5,
};
const item = {
	id: 8,
	brand: 'Sonos',
	model: 'Amp',
	name: 'AMPG1',
	quantity: 2,
	sellPrice: 45,
	cost: 30,
	total: { amount: 90 },
	supplier: 'Meridian',
	itemType: 'Part',
	referencedItemId: 55,
};
const den = { id: 5, name: 'Den', options: [{ ...option, items: [item] }] };
const loft = { id: 9, name: 'Loft', options: [11, 13, 12].map((id) => ({ ...option, id })) };
const proposal = {
	id: 42,
	number: 1021,
	name: 'Lake House',
	status: 'Draft',
	customer: {
		...person,
		companyName: null,
	},
	financialSummary: { proposalTotal: 99 },
	dealer: { salesperson },
	lastModifiedDate: '2026-04-14T00:00:00Z',
	areas: [den, loft],
};
const flatItem = {
	itemId: 8,
	name: 'Sonos Amp',
	quantity: 2,
	cost: 30,
	sellPrice: 45,
	areaName: 'Den',
	supplier: 'Meridian',
	brand: 'Sonos',
	model: 'Amp',
	proposalId: 42,
};
const flatOption = {
	areaOptionId: 6,
	areaId: 5,
	areaName: 'Den',
	proposalId: 42,
	status: 'Draft',
	total: 90,
	totalRecurringService: 5,
	itemCount: 1,
	clientDescription: 'In oak',
	installerNotes: 'Ladder',
};
const flatContact = {
	contactId: 7,
	partyType: 'Person',
	contactType: 'Client',
	firstName: 'Ann',
	lastName: 'Lee',
	companyName: 'Loft',
	email: 'a@b.example',
	phone: '555',
	city: 'Boise',
	lastModifiedDate: '2026-04-14T00:00:00Z',
};
const location = {
	id: 3,
	contactId: 9,
	street: '1 Elm',
	suite: 'B',
	city: 'Boise',
	postalCode: '83702',
	state: 'ID',
	country: 'US',
	isPrimary: true,
	isBilling: false,
};
const part = {
	id: 55,
	itemType: 'Part',
	shortDescription: 'Amplifier',
	brand: 'Sonos',
	model: 'Amp',
	msrp: { value: 60 },
	defaultCost: {
		value: 30,
		supplierName: 'Meridian',
		isInStock: true,
	},
};
const flatPart = {
	catalogItemId: 55,
	name: 'Sonos Amp',
	cost: 30,
	msrp: 60,
	sellPrice: null,
	isInStock: true,
	supplier: 'Meridian',
	brand: 'Sonos',
	model: 'Amp',
	itemType: 'Part',
};
const order = { ...proposal, id: 4, number: 2, total: { changeOrderTotal: 12 } };
const flatOrder = {
	changeOrderId: 4,
	proposalId: 42,
	number: 2,
	name: 'Lake House',
	status: 'Draft',
	...client,
	changeOrderTotal: 12,
	lastModifiedDate: '2026-04-14T00:00:00Z',
};
const payment = {
	id: 1,
	status: 'Paid',
	amount: 50,
	dueDate: '2026-05-01',
	description: 'First',
	paymentMethod: 'Card',
};
const { id: paymentId, ...requestedPayment } = payment;
const flatPayment = {
	paymentId,
	...requestedPayment,
	milestone: null,
	isScheduled: false,
	proposalNumber: 1021,
	proposalId: 42,
};
const planned = {
	paymentId: null,
	status: null,
	description: null,
	paymentMethod: null,
	isScheduled: true,
	proposalNumber: 1021,
	proposalId: 42,
};

const expectOutput = async (name: string, values: object, response: unknown, ...all: object[]) =>
	expect(await outputs(name, values, response)).toEqual(all);

it('outputs the people, the total and the last change of a proposal or change order', async () => {
	const flat = {
		proposalId: 42,
		number: 1021,
		name: 'Lake House',
		status: 'Draft',
		contactId: 7,
		...client,
		proposalTotal: 99,
		lastModifiedDate: '2026-04-14T00:00:00Z',
	};
	await expectOutput('proposal.get', {}, proposal, flat);
	await expectOutput('changeOrder.get', {}, order, flatOrder);
	await expectOutput('changeOrder.get', {}, { ...order, total: 12 }, flatOrder);
	const listed = { ...order, total: null, financialSummary: { changeOrderSubtotal: 13 } };
	const expected: IDataObject = { ...flatOrder, changeOrderTotal: 13, createdDate: null };
	delete expected.salesPersonName;
	await expectOutput('changeOrder.getMany', {}, [listed], expected);
});

/** Plays the responses in the order of the requests: first the proposal before a change. */
const inOrder =
	(...responses: unknown[]) =>
	() =>
		responses.shift();
const withAreas = (...areas: object[]) => ({ ...proposal, areas });
/** A response to a change may not show the areas of the proposal. */
const short = { ...proposal, areas: undefined };
const withoutAreas = [
	'',
	'Done',
	{},
	{ areas: [den] },
	short,
	withAreas(),
	{ ...proposal, id: 41 },
];

it('outputs the area that did not exist before, with the ID of its option', async () => {
	const create = 'area.create';
	const [before, after] = [withAreas(loft), withAreas(loft, den)];
	const made: IDataObject = { ...flatOption, reused: false };
	delete made.totalRecurringService;
	await expectOutput(create, { name: ' den' }, inOrder(before, after), made);
	for (const response of withoutAreas) {
		await expectOutput(create, { name: 'Den' }, inOrder(before, response, after), made);
	}
	// Portal.io may have changed the name.
	await expectOutput(create, { name: 'Other' }, inOrder(before, after), made);
	// Another user has added an area at the same moment.
	const attic = { id: 10, name: 'Attic', options: [{ id: 14 }] };
	const two = withAreas(attic, den, loft);
	await expectOutput(create, { name: 'DEN' }, inOrder(before, two), made);
	const creating = outputs(create, { name: 'Other' }, inOrder(before, two));
	await expect(creating).rejects.toThrow('it is unknown which one is new');
	const ineffective = outputs(create, { name: 'Den' }, inOrder(after, after));
	await expect(ineffective).rejects.toThrow('but the proposal has no new area');
});

it('confirms a change of areas if Portal.io does not show them', async () => {
	const values = { areaId: 5, areaOptionId: 6, name: 'Den' };
	const confirmed = { success: true, proposalId: 42 };
	await expectOutput('area.create', values, short, confirmed);
	await expectOutput('areaOption.create', values, short, { ...confirmed, areaId: 5 });
	const ids = { areaId: 5, areaOptionId: 6 };
	await expectOutput('areaOption.update', values, short, { ...confirmed, ...ids });
});

it('outputs the whole proposal or the item after an update, whatever the response is', async () => {
	const flat = {
		proposalId: 42,
		number: 1021,
		name: 'Lake House',
		status: 'Draft',
		contactId: 7,
		...client,
		proposalTotal: 99,
		lastModifiedDate: '2026-04-14T00:00:00Z',
	};
	const updates: Array<[name: string, values: object, output: object]> = [
		['proposal.update', { updateFields: { name: 'Lake House' } }, flat],
		['proposal.assignLocation', { locationId: 3 }, flat],
		['item.setSupplier', { itemId: 8, supplierId: 1 }, flatItem],
	];
	const unsummarized = { ...proposal, financialSummary: undefined };
	for (const response of ['', true, 'Done', {}, short, unsummarized, { ...proposal, id: 41 }]) {
		for (const [name, values, output] of updates) {
			await expectOutput(name, values, inOrder(response, proposal), output);
		}
		const before = { ...proposal, profit: { total: 30, percentage: 30 } };
		const after = { ...proposal, profit: { total: 40, percentage: 41 } };
		const [costs] = await outputs('item.refreshCosts', {}, inOrder(before, response, after));
		expect(costs).toMatchObject({ profitBefore: 30, marginBefore: 30, profit: 40, margin: 41 });
	}
	for (const [name, values, output] of updates) {
		await expectOutput(name, values, inOrder(proposal), output);
		await expect(outputs(name, values, inOrder('', {}))).rejects.toMatchObject({
			doubt: expect.stringContaining('You can safely run the step again.'),
		});
	}
	await expectOutput('item.setSupplier', { itemId: 7, supplierId: 1 }, proposal, {
		success: true,
		proposalId: 42,
		itemId: 7,
		supplierId: 1,
	});
});

it('outputs areas as one record for each option', async () => {
	const empty = { ...loft, options: [{ id: 11, status: 'Draft' }] };
	const response = { ...proposal, areas: [den, empty] };
	const second = {
		areaName: 'Loft',
		status: 'Draft',
		total: null,
		totalRecurringService: null,
		itemCount: 0,
		clientDescription: null,
		installerNotes: null,
		areaOptionId: 11,
		areaId: 9,
		proposalId: 42,
	};
	await expectOutput('area.getMany', {}, response, flatOption, second);
});

it('outputs the option of an area that did not exist before', async () => {
	const create = 'areaOption.create';
	const loftWith = (...options: object[]) => withAreas(den, { ...loft, options });
	const [first, oak, elm] = [11, 12, 13].map((id) => ({ ...option, id }));
	const inElm = { ...elm!, clientDescription: 'In elm' };
	const made = {
		...flatOption,
		areaOptionId: 12,
		areaId: 9,
		areaName: 'Loft',
		itemCount: 0,
	};
	const before = loftWith(first!);
	const texts = { clientDescription: 'In oak', installerNotes: 'Ladder' };
	const values = { areaId: 9, additionalFields: texts };
	await expectOutput(create, values, inOrder(before, loftWith(first!, oak!)), made);
	for (const response of withoutAreas) {
		await expectOutput(create, values, inOrder(before, response, loftWith(first!, oak!)), made);
	}
	// Another user has added an option at the same moment.
	await expectOutput(create, values, inOrder(before, loftWith(first!, oak!, inElm)), made);
	const creating = outputs(create, values, inOrder(before, loftWith(first!, oak!, elm!)));
	await expect(creating).rejects.toThrow('it is unknown which one is new');
	// Only options of the area count.
	const elsewhere = withAreas({ ...den, options: [option, elm] }, { ...loft, options: [first] });
	const ineffective = outputs(create, values, inOrder(before, elsewhere));
	await expect(ineffective).rejects.toThrow('but the proposal has no new option');
});

it('outputs the updated option, wherever it is', async () => {
	const update = 'areaOption.update';
	const chosen = { areaId: 5, areaOptionId: 6 };
	await expectOutput(update, chosen, proposal, flatOption);
	await expectOutput(update, { ...chosen, areaId: 9 }, proposal, flatOption);
	for (const response of withoutAreas) {
		await expectOutput(update, chosen, inOrder(response, proposal), flatOption);
	}
	await expect(outputs(update, { ...chosen, areaOptionId: 7 }, proposal)).rejects.toThrow(
		'Portal.io accepted the request, but the proposal has no area option 7',
	);
});

it.each<[number, object, string, number]>([
	[0, {}, 'simplified', 1],
	[0, { skipEmpty: true }, 'simplified', 0],
	[0, { skipEmpty: true }, 'raw', 0],
	[99, { skipEmpty: true }, 'simplified', 1],
])('refreshes a proposal with the total %d with %j, %s: %d', async (...row) => {
	const [total, options, output, count] = row;
	const response = { ...proposal, financialSummary: { proposalSubtotal: total } };
	const given = { options, output };
	expect(await outputs('item.refreshCosts', given, response)).toHaveLength(count);
});

it('outputs catalog prices under one name, wherever Portal.io has them', async () => {
	await expectOutput('catalog.get', {}, part, flatPart);
	const nulls = Object.fromEntries(Object.keys(flatPart).map((name) => [name, null]));
	const bare = { ...nulls, catalogItemId: 55, msrp: 60, itemType: 'Part' };
	await expectOutput('catalog.get', {}, { id: 55, msrp: { value: 60 } }, bare);
	const labor = { id: 55, name: '', shortDescription: 'Per hour', msrp: { value: 95 }, cost: 40 };
	await expectOutput('catalog.get', { itemType: 'Labor' }, labor, {
		...nulls,
		catalogItemId: 55,
		name: 'Per hour',
		sellPrice: 95,
		cost: 40,
		itemType: 'Labor',
	});
	const page = { items: [{ ...part, sellPrice: 50, model: '' }], totalItemCount: 1 };
	const sold = { ...flatPart, name: 'Sonos', sellPrice: 50, model: '' };
	await expectOutput('catalog.search', { filters: { itemType: 'Part' } }, page, sold);
});

it('outputs a contact or location flat, with the ID of the contact', async () => {
	await expectOutput('contact.get', {}, person, flatContact);
	const without = { ...location, contactId: null };
	const { id: locationId, ...rest } = location;
	const flatLocation = { locationId, ...rest };
	const { isBilling, ...created } = { ...flatLocation, reused: false };
	expect(isBilling).toBe(false);
	await expectOutput('location.create', { contactId: 9 }, without, created);
	const page = { contactLocations: [location], locationCount: 1 };
	await expectOutput('location.getMany', { contactId: 8 }, page, flatLocation);
});

it('outputs an item with its place, full name and change order', async () => {
	await expectOutput('item.getMany', {}, proposal, flatItem);
	const trim = { ...option, items: [{ id: 8, name: 'Trim' }] };
	const nulls = { supplier: null, quantity: null, cost: null, sellPrice: null };
	const bare = { ...flatItem, brand: null, model: null, name: 'Trim', ...nulls };
	const unknown = { ...proposal, areas: [{ ...den, options: [trim] }] };
	await expectOutput('item.getMany', {}, unknown, bare);
	const withOrders = { options: { includeChangeOrders: true } };
	const byUrl = (url: string) =>
		url.endsWith('/4') ? { ...proposal, id: 4 } : url.endsWith('s') ? [{ id: 4 }] : proposal;
	await expectOutput('item.getMany', withOrders, byUrl, flatItem, flatItem);
	const fields = { output: 'selected', fields: ['changeOrderId'] };
	const ids = [null, 4].map((changeOrderId) => ({ itemId: 8, changeOrderId }));
	await expectOutput('item.getMany', { ...withOrders, ...fields }, byUrl, ...ids);
});

it('outputs first what people map most: the ID, name, quantity and prices', async () => {
	const [ofItem] = await outputs('item.getMany', {}, proposal);
	expect(Object.keys(ofItem!)).toEqual(Object.keys(flatItem));
	const [ofPart] = await outputs('catalog.get', {}, part);
	expect(Object.keys(ofPart!)).toEqual(Object.keys(flatPart));
});

it('outputs the requested and, if chosen, the planned payments', async () => {
	const undated = { ...payment, dueDate: null };
	const requested = { ...proposal, paymentRequests: [payment, undated] };
	const both = [flatPayment, { ...flatPayment, dueDate: null }];
	await expectOutput('payment.getMany', {}, requested, ...both);
	const dated = { amount: 10, due: { date: '2026-06-01' } };
	const later = { amount: 20, due: { milestone: 'Completion' } };
	const schedule = { ...proposal, paymentSchedule: { payments: [dated, later] } };
	const first = { ...planned, amount: 10, dueDate: '2026-06-01', milestone: null };
	const second = { ...planned, amount: 20, dueDate: null, milestone: 'Completion' };
	const options = { includeSchedule: true };
	await expectOutput('payment.getMany', { options }, schedule, first, second);
});

it('returns what Portal.io said about a build, also in a workflow that used to wait', async () => {
	const build = { proposalId: 42, status: 'Building', x: 1 };
	const options = { waitForCompletion: true, maxWait: 60 };
	await expectOutput('aiBuild.start', { options }, build, build);
});

it.each([
	[{ brands: ['SONOS'] }, [8, 10]],
	[{ suppliers: [' meridian', 'Other'] }, [8, 9]],
	[{ brands: ['Sonos'], suppliers: ['Other'] }, []],
])('filters items by brand and supplier regardless of case: %j', async (filters, ids) => {
	const items = [item, { ...item, id: 9, brand: 'Bose' }, { ...item, id: 10, supplier: null }];
	const areas = [{ ...den, options: [{ ...option, items }] }];
	const given = { filters: { ...all, ...filters } };
	const found = await outputs('item.getMany', given, { ...proposal, areas });
	expect(found.map(({ itemId }) => itemId)).toEqual(ids);
});

it.each([{}, { includeDetails: true }])(
	'outputs as Simplified only fields of proposals that lists have: %j',
	async (options) => {
		const byUrl = (url: string) =>
			url.endsWith('/42') ? proposal : { proposals: [proposal], proposalCount: 1 };
		const [found] = await outputs('proposal.getMany', { sort: {}, options }, byUrl);
		expect(Object.keys(found!)).toEqual([
			'proposalId',
			'number',
			'name',
			'status',
			'contactId',
			'clientName',
			'clientEmail',
			'proposalTotal',
			'lastModifiedDate',
			'createdDate',
		]);
	},
);

it('rejects the selection of fields that a list of proposals lacks', async () => {
	const given = { output: 'selected', fields: ['name', 'margin', 'salesPersonName'] };
	const getMany = findOperation('proposal', 'getMany')!;
	await expect(plainValues(getMany, given)).rejects.toThrow(
		"'Fields' contains what a list lacks: Margin, Salesperson Name. Add the option 'Include Full Proposal'.",
	);
	const options = { includeDetails: true };
	expect(await plainValues(getMany, { ...given, options })).toMatchObject(given);
	expect(await plainValues(getMany, { ...given, output: 'simplified' })).toMatchObject({
		output: 'simplified',
	});
});

it('outputs a record with only an ID, and reports a response that has none', async () => {
	const nulls = Object.fromEntries(Object.keys(flatContact).map((name) => [name, null]));
	await expectOutput('contact.get', {}, { id: 7 }, { ...nulls, contactId: 7 });
	for (const response of [{ ok: true }, {}]) {
		await expect(outputs('contact.get', {}, response)).rejects.toThrow(
			'Unexpected response: Portal.io did not return a record',
		);
	}
});

it('fills in what the response leaves out, and overwrites nothing', () => {
	const filled = withDefaults({ a: 1, b: null, d: 0 }, { a: 9, b: 2, c: 3, d: 8 });
	expect(filled).toEqual({ a: 1, b: 2, c: 3, d: 0 });
});

const read = (answer: IDataObject) =>
	(catalogList({}).records as (answer: IDataObject) => IDataObject[])(answer);

it('returns each catalog item with its type, and counts favorites separately', () => {
	const page = { items: [{ id: 1 }], favoriteItems: [{ id: 2 }], labors: [{ id: 3 }] };
	const [one, two] = [1, 2].map((id) => ({ id, itemType: 'Part' }));
	const three = { id: 3, itemType: 'Labor' };
	expect(read(page)).toEqual([one, three]);
	expect(catalogList({}).uncounted!(page)).toEqual([two]);
	expect(read({ Items: [{ id: 1 }] })).toEqual([one]);
});

describe('a search for favorites', () => {
	const listed = Array.from({ length: 250 }, (_, index) => ({ id: index + 1 }));
	const pageOf = (query: URLSearchParams) => {
		const [number, size] = [query.get('PageNumber'), query.get('PageSize')].map(Number);
		return listed.slice((number! - 1) * size!, number! * size!);
	};

	it.each<[string, (query: URLSearchParams) => object]>([
		['as items', (query) => ({ items: pageOf(query), totalItemCount: 250 })],
		[
			'in their own list',
			(query) => ({
				items: [],
				totalItemCount: 0,
				favoriteItems: pageOf(query),
				favoriteItemCount: 250,
			}),
		],
		[
			'as items, and in their own list',
			(query) => ({
				items: pageOf(query),
				totalItemCount: 250,
				favoriteItems: pageOf(query),
				favoriteItemCount: 250,
			}),
		],
		[
			'as items, and all of them beside each page',
			(query) => ({
				items: pageOf(query),
				totalItemCount: 250,
				favoriteItems: listed,
				favoriteItemCount: 250,
			}),
		],
		[
			'as items, beside an empty list of their own',
			(query) => ({
				items: pageOf(query),
				totalItemCount: 250,
				favoriteItems: [],
				favoriteItemCount: 300,
			}),
		],
	])('returns each of 250 favorites once that Portal.io returns %s', async (_how, respond) => {
		const { session } = recordingSession(respond);
		const { records } = await readPagedList(session, catalogList({ isFavorite: true }));
		expect(records.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
	});
});

it('reads a page of the catalog as empty only if it says so', () => {
	expect(read({ totalItemCount: 0 })).toEqual([]);
	expect(() => read({ totalItemCount: 2 })).toThrow("did not return the list 'items'");
});
