/** The value of every output field, from records in which all fields differ. */
import { describe, expect, it } from 'vitest';
import { findOperation, registry } from '../../nodes/PortalIo/resources/index.ts';
import type { Operation } from '../../nodes/PortalIo/operation/operation.ts';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/events.ts';
import { triggerDetailFields } from '../../nodes/shared/shapes.ts';
import { simplifyTo, type JsonType, type Shape } from '../../nodes/shared/simplify.ts';
import * as documented from './documentedRecords.mts';
import { operationOutput } from './operationOutput.mts';
import { playedSession } from './playedSession.mts';
import { event, Trigger } from './receivingTrigger.mts';

/** What *Selected Fields* outputs for a proposal in full with all fields chosen. */
const PROPOSAL = {
	proposalId: 48201,
	number: 1021,
	name: 'Lake House',
	status: 'Accepted',
	contactId: 7001,
	clientName: 'Loft Design',
	clientEmail: 'ann@loft.example',
	salesPersonName: 'Sam Poe',
	proposalTotal: 1633.62,
	lastModifiedDate: '2026-01-04T00:00:00Z',
	lastModifiedBy: 'Max Roe',
	profit: 401.01,
	margin: 31.1,
	partsTotal: 1072.51,
	laborTotal: 330.02,
	feeTotal: 45.03,
	salesTax: 186.06,
	currency: 'USD',
	createdDate: '2026-01-01T00:00:00Z',
	lastSubmittedDate: '2026-01-06T00:00:00Z',
	clientLastOpenedDate: '2026-01-07T00:00:00Z',
	clientLastDecisionDate: '2026-01-02T00:00:00Z',
	description: 'A home theater',
	subtotal: 1447.56,
	lastCompletedDate: '2026-01-03T00:00:00Z',
	salesPersonId: 7301,
	salesPersonEmail: 'sam@clear.example',
	locationId: 7101,
};

const LISTED_PROPOSAL = {
	proposalId: 48201,
	number: 1021,
	name: 'Lake House',
	status: 'Accepted',
	contactId: 7001,
	clientName: 'Ann Lee',
	clientEmail: 'ann@loft.example',
	salesPersonName: null,
	proposalTotal: 1633.62,
	lastModifiedDate: '2026-01-04T00:00:00Z',
	lastModifiedBy: null,
	profit: null,
	margin: null,
	partsTotal: null,
	laborTotal: null,
	feeTotal: null,
	salesTax: null,
	currency: 'USD',
	createdDate: '2026-01-01T00:00:00Z',
	lastSubmittedDate: null,
	clientLastOpenedDate: null,
	clientLastDecisionDate: null,
	description: null,
	subtotal: null,
	lastCompletedDate: null,
	salesPersonId: null,
	salesPersonEmail: null,
	locationId: null,
};

const CHANGE_ORDER = {
	changeOrderId: 5001,
	proposalId: 48201,
	number: 17,
	name: 'Add a subwoofer',
	status: 'Submitted',
	clientName: 'Loft Design',
	clientEmail: 'ann@loft.example',
	salesPersonName: 'Sam Poe',
	changeOrderTotal: 1447.57,
	lastModifiedDate: '2026-01-04T00:00:00Z',
	profit: 401.01,
	margin: 31.1,
	partsTotal: 1072.51,
	laborTotal: 330.02,
	feeTotal: 45.03,
	salesTax: 186.06,
	currency: 'USD',
	createdDate: '2026-01-01T00:00:00Z',
	lastSubmittedDate: '2026-01-06T00:00:00Z',
	clientLastOpenedDate: '2026-01-07T00:00:00Z',
	clientLastDecisionDate: '2026-01-02T00:00:00Z',
	description: 'A home theater',
	subtotal: 1447.57,
	// 1447.57 + 186.06
	totalWithTax: 1633.63,
};

const LISTED_CHANGE_ORDER = {
	changeOrderId: 5001,
	proposalId: 48201,
	number: 17,
	name: 'Add a subwoofer',
	status: 'Submitted',
	clientName: 'Bea Fox',
	clientEmail: 'bea@fox.example',
	changeOrderTotal: 910.01,
	lastModifiedDate: '2026-01-30T00:00:00Z',
	currency: 'CAD',
	createdDate: '2026-01-31T00:00:00Z',
};

const ITEM = {
	itemId: 9001,
	proposalId: 48201,
	areaName: 'Den',
	optionStatus: 'Declined',
	itemType: 'Part',
	name: 'Sonos AMPG1US1',
	supplier: 'Meridian',
	quantity: 3,
	cost: 450.03,
	sellPrice: 649.02,
	brand: 'Sonos',
	model: 'AMPG1US1',
	total: 1999.08,
	msrp: 699.01,
	areaOptionId: 8101,
	parentId: 9002,
	catalogItemId: 9003,
	shortDescription: 'Streaming amplifier',
	clientNote: 'In the rack',
	isTaxExempt: true,
	isRecurringService: true,
	isCombinedPrice: false,
	changeOrderId: null,
	costUpdateDate: '2026-01-13T00:00:00Z',
	// 3 × 649.02 and 3 × 450.03
	amount: 1947.06,
	costAmount: 1350.09,
	// Tax applies to parts, but the item is exempt.
	isTaxed: false,
};

const TAXED_ITEM = { ...ITEM, itemId: 9011, isTaxExempt: false, isTaxed: true };

const CONTACT = {
	contactId: 7001,
	partyType: 'Company',
	contactType: 'Client',
	firstName: 'Ann',
	lastName: 'Lee',
	companyName: 'Loft Design',
	email: 'ann@loft.example',
	phone: '555-0101',
	city: 'Reno',
	lastModifiedDate: '2026-03-01T00:00:00Z',
};

const FULL_CONTACT = {
	...CONTACT,
	emailCC: 'office@loft.example',
	notes: 'Has a dog',
	street: '4 Ash Street',
	postalCode: '89501',
	state: 'Nevada',
	country: 'Mexico',
	locationId: 7401,
	proposalCount: 4,
	paymentCount: 6,
};

/** An option with its area. */
const AREA_OPTION = {
	areaOptionId: 8101,
	areaId: 8001,
	areaName: 'Den',
	proposalId: 48201,
	status: 'Declined',
	total: 1948.07,
	totalRecurringService: 25.08,
	itemCount: 1,
	clientDescription: 'In oak',
	installerNotes: 'Bring a ladder',
};

const PART = {
	catalogItemId: 9003,
	itemType: 'Part',
	name: 'Sonos AMPG1US1',
	brand: 'Sonos',
	model: 'AMPG1US1',
	msrp: 702.02,
	sellPrice: null,
	cost: 451.04,
	supplier: 'Meridian',
	isInStock: true,
	shortDescription: 'Streaming amplifier',
	isDiscontinued: false,
};

const LABOR = {
	catalogItemId: 9004,
	itemType: 'Labor',
	name: 'Installation',
	brand: null,
	model: null,
	msrp: null,
	sellPrice: 95.01,
	cost: 40.02,
	supplier: null,
	isInStock: null,
	shortDescription: 'Per hour',
	isDiscontinued: null,
};

const LOCATION = {
	locationId: 7401,
	contactId: 7001,
	street: '4 Ash Street',
	suite: 'Unit 5',
	city: 'Reno',
	postalCode: '89501',
	state: 'Nevada',
	country: 'Mexico',
	isPrimary: true,
	isBilling: false,
	stateAbbrev: 'NV',
	phone: '555-0105',
	contactFirstName: 'Cy',
	contactLastName: 'Day',
	contactEmail: 'cy@day.example',
	contactPhoneNumber: '555-0106',
};

const PAYMENT = {
	paymentId: 6001,
	status: 'Paid',
	amount: 500.01,
	dueDate: '2026-02-01T00:00:00Z',
	description: 'Deposit',
	paymentMethod: 'Card',
	milestone: null,
	isScheduled: false,
	proposalNumber: 1021,
	proposalId: 48201,
};

const PLANNED_PAYMENT = {
	paymentId: null,
	status: null,
	amount: 600.02,
	dueDate: '2026-02-02T00:00:00Z',
	description: null,
	paymentMethod: null,
	milestone: 'Rough-in',
	isScheduled: true,
	proposalNumber: 1021,
	proposalId: 48201,
};

interface Example {
	values?: object;
	/** What is read before a change. */
	before?: unknown;
	response: unknown;
	outputs: object[];
}

const withItems = {
	...documented.proposal,
	areas: [
		{
			...documented.area,
			options: [{ ...documented.option, items: [documented.item, documented.taxedItem] }],
		},
	],
};

/** Returns a record that sells nothing, with the margin 0. */
const withoutSale = (record: { financialSummary: object }, totals: object) => ({
	...record,
	financialSummary: { ...record.financialSummary, ...totals },
	profit: { total: -20.02, percentage: 0 },
});

const emptyProposal = withoutSale(documented.proposal, { proposalSubtotal: 0, proposalTotal: 0 });
const EMPTY_PROPOSAL = {
	...PROPOSAL,
	proposalTotal: 0,
	subtotal: 0,
	profit: -20.02,
	margin: null,
};

/** One example or more of every shape; operations that have the same shape have it once. */
const examples: Record<string, Example[]> = {
	'aiBuild.start': [
		{
			response: { proposalId: 48201, status: 'Building' },
			outputs: [{ proposalId: 48201, status: 'Building' }],
		},
	],
	'aiContent.getMany': [
		{
			response: { items: [documented.content] },
			outputs: [
				{
					proposalId: 48201,
					contentId: 4001,
					name: 'Site walk',
					summary: 'Two speakers in the den',
					status: 'Transcribed',
					sourceType: 'Audio',
					createdDate: '2026-03-04T00:00:00Z',
					userCreated: {
						id: 7301,
						firstName: 'Sam',
						lastName: 'Poe',
						email: 'sam@clear.example',
					},
				},
			],
		},
	],
	'aiOutline.get': [
		{
			response: { proposalId: 48201, outlineId: 4101, status: 'Completed', outline: '# Den' },
			outputs: [{ proposalId: 48201, outlineId: 4101, status: 'Completed', outline: '# Den' }],
		},
	],
	'area.create': [
		{
			values: { name: 'Den' },
			before: { ...documented.proposal, areas: [] },
			response: documented.proposal,
			outputs: [{ ...AREA_OPTION, reused: false }],
		},
	],
	'area.getMany': [
		{
			response: documented.proposal,
			outputs: [AREA_OPTION],
		},
	],
	'catalog.get': [
		{ values: { itemType: 'Part' }, response: documented.part, outputs: [PART] },
		{
			values: { itemType: 'Part' },
			response: { ...documented.part, name: 'Amplifier', sellPrice: 650.05, cost: 452.06 },
			outputs: [{ ...PART, sellPrice: 650.05 }],
		},
		{ values: { itemType: 'Labor' }, response: documented.labor, outputs: [LABOR] },
	],
	'catalog.getCategories': [
		{
			response: [documented.industry],
			outputs: [
				{
					categoryId: 12,
					name: 'Audio',
					path: 'Audio',
					parentCategoryId: null,
					imageUrl: null,
				},
				{
					categoryId: 47,
					name: 'Amplifiers',
					path: 'Audio / Amplifiers',
					parentCategoryId: 12,
					imageUrl: 'https://images.example/47.png',
				},
			],
		},
	],
	'changeOrder.get': [
		{ response: documented.changeOrder, outputs: [CHANGE_ORDER] },
		{
			response: withoutSale(documented.changeOrder, { changeOrderSubtotal: 0 }),
			outputs: [
				{
					...CHANGE_ORDER,
					changeOrderTotal: 0,
					subtotal: 0,
					totalWithTax: 186.06,
					profit: -20.02,
					margin: null,
				},
			],
		},
	],
	'changeOrder.getMany': [
		{ response: [documented.listedChangeOrder], outputs: [LISTED_CHANGE_ORDER] },
	],
	'contact.create': [
		{ response: documented.contact, outputs: [{ ...FULL_CONTACT, reused: false }] },
	],
	'contact.get': [{ response: documented.contact, outputs: [FULL_CONTACT] }],
	'item.add': [
		{
			values: {
				areaOptionId: 8101,
				items: [{ catalogItemId: 9003, itemType: 'Part', quantity: 3, parentId: 9002 }],
			},
			before: {
				...documented.proposal,
				areas: [{ ...documented.area, options: [{ ...documented.option, items: [] }] }],
			},
			response: documented.proposal,
			outputs: [{ ...ITEM, reused: false }],
		},
		{
			values: {
				areaOptionId: 8101,
				items: [
					{ catalogItemId: 9003, itemType: 'Part', quantity: 3, parentId: 9002 },
					{ catalogItemId: 9003, itemType: 'Part', quantity: 3, parentId: 9002 },
				],
				options: { skipIfPresent: true },
			},
			response: withItems,
			outputs: [
				{ ...ITEM, reused: true },
				{ ...TAXED_ITEM, reused: true },
			],
		},
	],
	'item.getMany': [
		{
			values: { options: { includeDeclinedOptions: true } },
			response: withItems,
			outputs: [ITEM, TAXED_ITEM],
		},
	],
	'item.getSuppliers': [
		{
			values: { itemId: 9001 },
			response: [documented.supplier],
			outputs: [
				{
					proposalId: 48201,
					itemId: 9001,
					supplierId: 31,
					name: 'Meridian',
					cost: {
						value: 451.04,
						isPromo: false,
						isInStock: true,
						unitOfMeasure: 'Each',
						discountPercentage: 3.5,
						currency: { code: 'USD', symbol: '$' },
						lastVerifiedDate: '2026-03-03T00:00:00Z',
					},
				},
			],
		},
	],
	'location.create': [
		{
			values: { contactId: 7001 },
			response: documented.contactLocation,
			outputs: [{ ...LOCATION, reused: false }],
		},
		{
			values: { contactId: 7001, street: '4 Ash Street', options: { reuseExisting: true } },
			response: { contactLocations: [documented.contactLocation], locationCount: 1 },
			outputs: [{ ...LOCATION, reused: true }],
		},
	],
	'location.getMany': [
		{
			values: { contactId: 7001 },
			response: { contactLocations: [documented.contactLocation], locationCount: 1 },
			outputs: [LOCATION],
		},
	],
	'payment.getMany': [
		{
			values: { options: { includeSchedule: true } },
			response: documented.proposal,
			outputs: [PAYMENT, PLANNED_PAYMENT],
		},
	],
	'proposal.create': [
		{
			values: { salesPersonId: 4 },
			response: documented.proposal,
			outputs: [{ ...PROPOSAL, reused: false }],
		},
	],
	'item.move': [
		{
			values: { itemIds: [9001, 9011], areaOptionId: 8101 },
			response: withItems,
			outputs: [ITEM, TAXED_ITEM],
		},
	],
	'item.refreshCosts': [
		{
			before: { ...documented.proposal, profit: { total: 420.02, percentage: 32.7 } },
			response: documented.proposal,
			outputs: [{ ...PROPOSAL, profitBefore: 420.02, marginBefore: 32.7 }],
		},
		{
			before: emptyProposal,
			response: emptyProposal,
			outputs: [{ ...EMPTY_PROPOSAL, profitBefore: -20.02, marginBefore: null }],
		},
	],
	'proposal.get': [
		{ response: documented.proposal, outputs: [PROPOSAL] },
		{ response: emptyProposal, outputs: [EMPTY_PROPOSAL] },
	],
	'proposal.getMany': [
		{
			values: { sort: {} },
			response: { proposals: [documented.listedProposal], proposalCount: 1 },
			outputs: [LISTED_PROPOSAL],
		},
	],
	'recurringService.getMany': [
		{
			response: documented.proposal,
			outputs: [
				{
					name: 'Monitoring',
					quantity: 2,
					sellPrice: 30.01,
					totalSell: 60.02,
					proposalId: 48201,
				},
			],
		},
	],
	'user.getMany': [
		{
			response: { users: [documented.user], usersCount: 1 },
			outputs: [
				{
					userId: 7301,
					firstName: 'Sam',
					lastName: 'Poe',
					email: 'sam@clear.example',
					permissionGroup: 'Sales',
				},
			],
		},
	],
	'webhookSubscription.create': [
		{
			response: { ...documented.subscription, secretKey: 'k3y' },
			outputs: [
				{
					subscriptionId: 3001,
					url: 'https://n8n.example/webhook/1',
					description: 'Won proposals',
					enabled: true,
					events: ['proposal.status_changed'],
					secretKey: 'k3y',
				},
			],
		},
	],
	'webhookSubscription.getMany': [
		{
			response: [documented.subscription],
			outputs: [
				{
					subscriptionId: 3001,
					url: 'https://n8n.example/webhook/1',
					description: 'Won proposals',
					enabled: true,
					events: ['proposal.status_changed'],
				},
			],
		},
	],
};

const IS_OF_TYPE: Record<JsonType, (value: unknown) => boolean> = {
	array: (value) => Array.isArray(value),
	boolean: (value) => typeof value === 'boolean',
	integer: (value) => Number.isInteger(value),
	'integer?': (value) => Number.isInteger(value),
	// Amounts and quantities may have decimals.
	number: (value) => typeof value === 'number',
	object: (value) => typeof value === 'object' && !Array.isArray(value),
	string: (value) => typeof value === 'string',
};

const operationCalled = (name: string): Operation => {
	const [resource, operation] = name.split('.') as [string, string];
	return findOperation(resource, operation)!;
};

const shapeOf = ({ output }: Operation): object | undefined =>
	'confirms' in output ? undefined : 'asIs' in output ? output.asIs : output.flat;

const cases = Object.entries(examples).flatMap(([name, all]) =>
	all.map((example) => [name, example] as const),
);

describe('the node', () => {
	it.each(cases)('outputs each field of %s from its own source', async (name, example) => {
		const operation = operationCalled(name);
		const fields = Object.keys(shapeOf(operation)!);
		const { before = example.response, response } = example;
		const { session, context } = playedSession(({ method }) =>
			structuredClone(method === 'GET' ? before : response),
		);
		const values = {
			output: 'selected',
			fields,
			proposalId: 48201,
			options: {},
			filters: {},
			additionalFields: {},
			...example.values,
		};
		const outputs = await operationOutput(context, session, operation, values as never);
		expect(outputs).toEqual(example.outputs);
		for (const output of outputs) expect(Object.keys(output).toSorted()).toEqual(fields.toSorted());
	});

	it.each(Object.entries(examples))('declares the type of each field of %s', (name, all) => {
		const shape = shapeOf(operationCalled(name)) as Shape;
		const values = all.flatMap(({ outputs }) =>
			outputs.flatMap((output) => Object.entries(output)),
		);
		const wrongTypes = values.filter(([field, value]) => {
			const declared = shape[field]!;
			const type = typeof declared === 'string' ? declared : declared[0];
			return value !== null && !IS_OF_TYPE[type](value);
		});
		expect(wrongTypes).toEqual([]);
	});

	it('has an example of every shape', () => {
		const operations = Object.values(registry).flatMap((resource) =>
			Object.values(resource.operations),
		);
		const shapes = new Set(operations.map(shapeOf));
		for (const name of Object.keys(examples)) shapes.delete(shapeOf(operationCalled(name)));
		expect([...shapes]).toEqual([undefined]);
	});
});

const STATUS_EVENT = {
	proposalId: 48201,
	number: 1021,
	name: 'Lake House',
	status: 'Accepted',
	clientName: 'Loft Design',
	clientEmail: 'ann@loft.example',
	salesPersonName: 'Sam Poe',
	proposalTotal: 1633.62,
	lastModifiedBy: 'Max Roe',
	eventType: 'proposal.status_changed',
};

describe('the webhook trigger', () => {
	it.each([
		['in full', documented.proposal, 'Max Roe'],
		['as events for Zapier have it', documented.reportedProposal, null],
	])('outputs each field of a proposal %s from its own source', async (_, data, lastModifiedBy) => {
		const json = { ...STATUS_EVENT, lastModifiedBy };
		expect(await new Trigger().receive(event({ data }))).toEqual([[{ json }]]);
	});
});

const { id, number, name, status, customer, dealer } = documented.proposal;
const parent = { id, number, name, status, customer, dealer };

const POLLED_PROPOSAL = {
	proposalId: 48201,
	number: 1021,
	name: 'Lake House',
	status: 'Accepted',
	clientName: 'Ann Lee',
	clientEmail: 'ann@loft.example',
	proposalTotal: 1633.62,
};

const polled: Record<string, { changed: object; output: object }> = {
	changeOrderStatusChanged: {
		changed: {
			record: documented.listedChangeOrder,
			previousStatus: 'ViewedByClient',
			proposal: parent,
		},
		output: {
			changeOrderId: 5001,
			proposalId: 48201,
			number: 17,
			name: 'Add a subwoofer',
			status: 'Submitted',
			clientName: 'Bea Fox',
			clientEmail: 'bea@fox.example',
			salesPersonName: 'Sam Poe',
			changeOrderTotal: 910.01,
			previousStatus: 'ViewedByClient',
		},
	},
	contactCreatedOrUpdated: { changed: { record: documented.contact }, output: CONTACT },
	paymentStatusChanged: {
		changed: { record: documented.paymentRequest, previousStatus: 'Pending', proposal: parent },
		output: {
			paymentId: 6001,
			proposalId: 48201,
			proposalNumber: 1021,
			proposalName: 'Lake House',
			status: 'Paid',
			previousStatus: 'Pending',
			amount: 500.01,
			dueDate: '2026-02-01T00:00:00Z',
			clientName: 'Loft Design',
			clientEmail: 'ann@loft.example',
		},
	},
	proposalCreated: {
		changed: { record: documented.listedProposal, proposal: documented.proposal },
		output: {
			...POLLED_PROPOSAL,
			clientName: 'Loft Design',
			salesPersonName: 'Sam Poe',
			lastModifiedBy: 'Max Roe',
			lastModifiedDate: '2026-01-04T00:00:00Z',
		},
	},
	proposalStatusChanged: {
		changed: {
			record: documented.listedProposal,
			previousStatus: 'Submitted',
			proposal: documented.proposal,
		},
		output: {
			...POLLED_PROPOSAL,
			clientName: 'Loft Design',
			salesPersonName: 'Sam Poe',
			lastModifiedBy: 'Max Roe',
			previousStatus: 'Submitted',
		},
	},
	proposalUpdated: {
		changed: { record: documented.listedProposal, proposal: documented.proposal },
		output: {
			...POLLED_PROPOSAL,
			clientName: 'Loft Design',
			salesPersonName: 'Sam Poe',
			lastModifiedBy: 'Max Roe',
			lastModifiedDate: '2026-01-04T00:00:00Z',
		},
	},
};

describe('the polling trigger', () => {
	it.each(Object.keys(pollEvents))('outputs each field of %s from its own source', (eventName) => {
		const { canIncludeProposal, shape: listedShape, shapeSource } = pollEvents[eventName]!;
		const shape = { ...listedShape, ...(canIncludeProposal && triggerDetailFields) };
		expect(polled, `add an example of ${eventName}`).toHaveProperty(eventName);
		const { changed, output } = polled[eventName]!;
		expect(simplifyTo(shape, shapeSource(changed as never))).toEqual(output);
	});
});

describe('the expected values', () => {
	/** Without tax, as in lists, and under the name that a proposal has for it. */
	const SAME = ['changeOrder.get: changeOrderTotal, subtotal'];

	const outputsOf = (names: string[]) =>
		names.flatMap((name) => examples[name]!.flatMap(({ outputs }) => outputs));
	const byShape = Map.groupBy(Object.keys(examples), (name) => shapeOf(operationCalled(name)));
	const outputsByName: Array<[string, object[]]> = [
		...[...byShape.values()].map((names): [string, object[]] => [names[0]!, outputsOf(names)]),
		...Object.entries(polled).map(([name, { output }]): [string, object[]] => [name, [output]]),
		['webhook trigger', [STATUS_EVENT]],
	];

	it('expects different values in any two fields of an output', () => {
		const equalPairs: string[] = [];
		for (const [shape, outputs] of outputsByName) {
			const records = outputs as Array<Record<string, unknown>>;
			const fields = Object.keys(records[0]!);
			for (const [index, first] of fields.entries()) {
				for (const second of fields.slice(index + 1)) {
					if (records.every((record) => record[first] === record[second])) {
						equalPairs.push(`${shape}: ${first}, ${second}`);
					}
				}
			}
		}
		expect(equalPairs).toEqual(SAME);
	});

	const valuesIn = (value: unknown): unknown[] => {
		if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesIn);
		return typeof value === 'boolean' || value === null ? [] : [value];
	};

	it.each(Object.entries(documented))('has no value twice in the record %s', (_, record) => {
		const values = valuesIn(record);
		expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
	});
});
