/** The simplified output of each operation, from responses made by hand; what else they may be: anyResponse. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { withKnown } from '../../nodes/PortalIo/operation/output.ts';
import { catalogPages } from '../../nodes/PortalIo/resources/catalog.ts';
import { findOperation } from '../../nodes/PortalIo/resources/index.ts';
import { callOf, outputOf } from '../../nodes/PortalIo/run/call.ts';
import { playedSession } from './playedSession.mts';

const all = { itemTypes: [], brands: [], suppliers: [] };

/** The output of an operation for values as they are read, by the path of each response. */
async function outputs(name: string, values: object, response: unknown): Promise<IDataObject[]> {
	const [resource, operation] = name.split('.') as [string, string];
	const { session, context } = playedSession(({ url }) =>
		typeof response === 'function' ? (response(url) as unknown) : response,
	);
	const given = {
		...{ output: 'simplified', options: {}, filters: all, additionalFields: {} },
		...{ proposalId: 42, updateFields: { clientDescription: 'In oak' }, ...values },
	};
	const call = callOf(context, session, given as never);
	return await outputOf(findOperation(resource, operation)!, call);
}

const salesperson = { firstName: 'Sam', lastName: 'Poe' };
const person = {
	...{ id: 7, partyType: 'Person', contactType: 'Client', firstName: 'Ann', lastName: 'Lee' },
	...{ companyName: 'Loft', contactEmail: 'a@b.example', contactPhone: '555', notes: 'x' },
	...{ primaryLocation: { id: 3, city: 'Boise' }, lastModifiedDate: '2026-04-14T00:00:00Z' },
};
const client = { clientName: 'Ann Lee', clientEmail: 'a@b.example', salesPersonName: 'Sam Poe' };
const option = {
	...{ id: 6, status: 'Draft', clientDescription: 'In oak', installerDescription: 'Ladder' },
	...{ total: 90, totalRecurringService: 5 },
};
const item = {
	...{ id: 8, brand: 'Sonos', model: 'Amp', name: 'AMPG1', quantity: 2, sellPrice: 45, cost: 30 },
	...{ total: { amount: 90 }, supplier: 'Meridian', itemType: 'Part', referencedItemId: 55 },
};
const den = { id: 5, name: 'Den', options: [{ ...option, items: [item] }] };
const loft = {
	...{ id: 9, name: 'Loft' },
	options: [
		{ ...option, id: 11 },
		{ ...option, id: 13 },
		{ ...option, id: 12 },
	],
};
const proposal = {
	...{ id: 42, number: 1021, name: 'Lake House', status: 'Draft' },
	customer: { ...person, companyName: null },
	...{ dealer: { salesperson }, lastModifiedDate: '2026-04-14T00:00:00Z', areas: [den, loft] },
	financialSummary: { proposalTotal: 99 },
};
const flatItem = {
	...{ id: 8, proposalId: 42, areaName: 'Den', optionStatus: 'Draft', itemType: 'Part' },
	...{ name: 'Sonos Amp', supplier: 'Meridian', quantity: 2, cost: 30, sellPrice: 45 },
};
const flatOption = {
	...{ id: 6, proposalId: 42, areaId: 5, areaOptionId: 6, areaName: 'Den', status: 'Draft' },
	...{ clientDescription: 'In oak', installerNotes: 'Ladder', total: 90 },
};
const flatContact = {
	...{ id: 7, partyType: 'Person', contactType: 'Client', firstName: 'Ann', lastName: 'Lee' },
	...{ companyName: 'Loft', email: 'a@b.example', phone: '555', city: 'Boise' },
	lastModifiedDate: '2026-04-14T00:00:00Z',
};
const location = {
	...{ id: 3, contactId: 9, street: '1 Elm', suite: 'B', city: 'Boise', postalCode: '83702' },
	...{ state: 'ID', country: 'US', isPrimary: true, isBilling: false },
};
const part = {
	...{ id: 55, itemType: 'Part', name: 'Amplifier', brand: 'Sonos', model: 'Amp' },
	...{ msrp: { value: 60 }, defaultCost: { value: 30, supplierName: 'Meridian', isInStock: true } },
};
const flatPart = {
	...{ id: 55, itemType: 'Part', name: 'Amplifier', brand: 'Sonos', model: 'Amp', msrp: 60 },
	...{ sellPrice: null, cost: 30, supplier: 'Meridian', isInStock: true },
};
const noDetails = { supplier: null, isInStock: null };
const order = { ...proposal, id: 4, number: 2, total: { changeOrderTotal: 12 } };
const flatOrder = {
	...{ id: 4, proposalId: 42, number: 2, name: 'Lake House', status: 'Draft', ...client },
	...{ changeOrderTotal: 12, lastModifiedDate: '2026-04-14T00:00:00Z' },
};
const payment = {
	...{ id: 1, status: 'Paid', amount: 50, dueDate: '2026-05-01', description: 'First' },
	paymentMethod: 'Card',
};
const flatPayment = {
	...payment,
	...{ milestone: null, isScheduled: false, proposalNumber: 1021, proposalId: 42 },
};
const planned = {
	...{ id: null, status: null, description: null, paymentMethod: null, isScheduled: true },
	...{ proposalNumber: 1021, proposalId: 42 },
};

describe('the output', () => {
	it.each<[name: string, values: object, response: unknown, expected: object[]]>([
		[
			'proposal.get',
			{},
			proposal,
			[
				{
					...{ proposalId: 42, number: 1021, name: 'Lake House', status: 'Draft', contactId: 7 },
					...{ ...client, proposalTotal: 99, lastModifiedDate: '2026-04-14T00:00:00Z' },
				},
			],
		],
		[
			'area.create',
			{ name: ' den' },
			proposal,
			[{ id: 5, proposalId: 42, name: 'Den', areaOptionId: 6 }],
		],
		[
			'area.create',
			{ name: 'Other' },
			{ id: 42, number: 1042, areas: [den, { id: 10, name: 'Attic' }, loft] },
			[{ id: 10, proposalId: 42, name: 'Attic', areaOptionId: null }],
		],
		['area.create', { name: 'Den' }, { areas: [den] }, [{ areas: [den] }]],
		[
			'area.create',
			{ name: 'Den' },
			{ id: 42, number: 1042, areas: [] },
			[{ id: 42, number: 1042, areas: [] }],
		],
		[
			'area.getMany',
			{},
			{ ...proposal, areas: [den, { ...loft, options: [{ id: 11, status: 'Draft' }] }] },
			[
				{
					...{
						areaName: 'Den',
						status: 'Draft',
						total: 90,
						totalRecurringService: 5,
						itemCount: 1,
					},
					...{ clientDescription: 'In oak', installerNotes: 'Ladder', areaOptionId: 6, areaId: 5 },
					proposalId: 42,
				},
				{
					...{ areaName: 'Loft', status: 'Draft', total: null, totalRecurringService: null },
					...{ itemCount: 0, clientDescription: null, installerNotes: null, areaOptionId: 11 },
					...{ areaId: 9, proposalId: 42 },
				},
			],
		],
		['areaOption.update', { areaId: 5, areaOptionId: 6 }, proposal, [flatOption]],
		[
			'areaOption.create',
			{ areaId: 9, additionalFields: {} },
			proposal,
			[{ ...flatOption, id: 13, areaId: 9, areaOptionId: 13, areaName: 'Loft' }],
		],
		['areaOption.update', { areaId: 9, areaOptionId: 6 }, proposal, [proposal]],
		['areaOption.update', { areaId: 1, areaOptionId: 6 }, proposal, [proposal]],
		['areaOption.update', { areaId: 5, areaOptionId: 6 }, { areas: [den] }, [{ areas: [den] }]],
		['catalog.get', {}, part, [flatPart]],
		[
			'catalog.get',
			{},
			{ id: 55, msrp: { value: 60 } },
			[
				{
					id: 55,
					itemType: 'Part',
					name: null,
					brand: null,
					model: null,
					msrp: 60,
					sellPrice: null,
					cost: null,
					...noDetails,
				},
			],
		],
		[
			'catalog.get',
			{ itemType: 'Labor' },
			{ id: 55, shortDescription: 'Per hour', msrp: { value: 95 }, cost: 40 },
			[
				{
					...{ id: 55, itemType: 'Labor', name: 'Per hour', brand: null, model: null, msrp: null },
					...{ sellPrice: 95, cost: 40, ...noDetails },
				},
			],
		],
		[
			'catalog.search',
			{ filters: { itemType: 'Part' } },
			{ items: [{ ...part, sellPrice: 50 }], totalItemCount: 1 },
			[{ ...flatPart, sellPrice: 50 }],
		],
		['changeOrder.get', { proposalId: 42 }, order, [flatOrder]],
		[
			'changeOrder.getMany',
			{ proposalId: 42 },
			[{ ...order, total: null, financialSummary: { changeOrderSubtotal: 13 } }],
			[{ ...flatOrder, changeOrderTotal: 13 }],
		],
		['changeOrder.get', { proposalId: 42 }, { ...order, total: 12 }, [flatOrder]],
		['contact.get', {}, person, [flatContact]],
		['item.getMany', {}, proposal, [flatItem]],
		[
			'item.getMany',
			{},
			{
				...proposal,
				areas: [{ ...den, options: [{ ...option, items: [{ id: 8, name: 'Trim' }] }] }],
			},
			[
				{
					...{ id: 8, proposalId: 42, areaName: 'Den', optionStatus: 'Draft', itemType: null },
					...{ name: 'Trim', supplier: null, quantity: null, cost: null, sellPrice: null },
				},
			],
		],
		[
			'item.getMany',
			{ options: { includeChangeOrders: true } },
			(url: string) =>
				url.endsWith('/4') ? { ...proposal, id: 4 } : url.endsWith('s') ? [{ id: 4 }] : proposal,
			[null, 4].map((changeOrderId) => ({ ...flatItem, changeOrderId })),
		],
		['location.create', { contactId: 9 }, { ...location, contactId: null }, [location]],
		[
			'location.getMany',
			{ contactId: 8 },
			{ contactLocations: [location], locationCount: 1 },
			[location],
		],
		['payment.getMany', {}, { ...proposal, paymentRequests: [payment] }, [flatPayment]],
		[
			'payment.getMany',
			{},
			{ ...proposal, paymentRequests: [{ ...payment, dueDate: null }] },
			[{ ...flatPayment, dueDate: null }],
		],
		[
			'payment.getMany',
			{ options: { includeSchedule: true } },
			{
				...proposal,
				paymentSchedule: {
					payments: [
						{ amount: 10, due: { date: '2026-06-01' } },
						{ amount: 20, due: { milestone: 'Completion' } },
					],
				},
			},
			[
				{ ...planned, amount: 10, dueDate: '2026-06-01', milestone: null },
				{ ...planned, amount: 20, dueDate: null, milestone: 'Completion' },
			],
		],
		[
			'aiBuild.start',
			{},
			{ proposalId: 42, status: 'Building', x: 1 },
			[{ proposalId: 42, status: 'Building' }],
		],
	])('of %s has the fields that people map: %#', async (name, values, response, expected) => {
		expect(await outputs(name, values, response)).toEqual(expected);
	});

	it.each([
		[{ brands: ['SONOS'] }, [8, 10]],
		[{ suppliers: [' meridian', 'Other'] }, [8, 9]],
		[{ brands: ['Sonos'], suppliers: ['Other'] }, []],
	])('has the items of brands and suppliers, whatever their case: %j', async (filters, ids) => {
		const items = [item, { ...item, id: 9, brand: 'Bose' }, { ...item, id: 10, supplier: null }];
		const areas = [{ ...den, options: [{ ...option, items }] }];
		const found = await outputs(
			'item.getMany',
			{ filters: { ...all, ...filters } },
			{ ...proposal, areas },
		);
		expect(found.map(({ id }) => id)).toEqual(ids);
	});

	it('leaves out of a list the salespeople that it does not have', async () => {
		const listed = { ...proposal, dealer: undefined };
		const response = { proposals: [listed], proposalCount: 1 };
		const [found] = await outputs('proposal.getMany', { sort: {} }, response);
		expect(found).not.toHaveProperty('salesPersonName');
		expect(found).toHaveProperty('clientName', 'Ann Lee');
	});

	it('is the response where it is no record, and a record that has no more than its ID', async () => {
		expect(await outputs('contact.get', {}, { ok: true })).toEqual([{ ok: true }]);
		expect(await outputs('contact.get', {}, { id: 7 })).toEqual([
			Object.fromEntries(Object.keys(flatContact).map((name) => [name, name === 'id' ? 7 : null])),
		]);
	});

	it('is the response itself where that is no record, although a part of one is known', async () => {
		const said = { message: 'It is being replaced' };
		expect(await outputs('catalog.get', { itemType: 'Part' }, said)).toEqual([
			{ ...said, itemType: 'Part' },
		]);
	});

	it('has what is known where the response leaves it out, and nothing in the place of what it says', () => {
		expect(withKnown({ a: 1, b: null, d: 0 }, { a: 9, b: 2, c: 3, d: 8 })).toEqual({
			a: 1,
			b: 2,
			c: 3,
			d: 0,
		});
	});
});

describe('a page of the catalog', () => {
	const { records, counted } = catalogPages();
	const read = records as (answer: IDataObject) => IDataObject[];

	it('has each item with its type, and counts favorites apart', () => {
		const page = { items: [{ id: 1 }], favoriteItems: [{ id: 2 }], labors: [{ id: 3 }] };
		const [one, two] = [1, 2].map((id) => ({ id, itemType: 'Part' }));
		const three = { id: 3, itemType: 'Labor' };
		expect(read(page)).toEqual([one, three, two]);
		expect(counted!(page)).toEqual([one, three]);
		expect(read({ Items: [{ id: 1 }] })).toEqual([one]);
	});

	it('is empty only where it says so', () => {
		expect(read({ totalItemCount: 0 })).toEqual([]);
		expect(() => read({ totalItemCount: 2 })).toThrow("did not return the list 'items'");
	});
});
