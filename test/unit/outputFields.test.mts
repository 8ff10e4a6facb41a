/** Tests the source of every output field, with records in which all values differ. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import type { Operation } from '../../nodes/PortalIo/operation/operation.ts';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/pollEvents.ts';
import { triggerDetailFields } from '../../nodes/shared/shapes.ts';
import { simplifyTo, type JsonType, type Shape } from '../../nodes/shared/simplify.ts';
import * as documented from './documentedRecords.mts';
import { event, Trigger } from './receivingTrigger.mts';
import { operationCalled, runOperation } from './runOperation.mts';

interface Example {
	values?: object;
	/** Response to the read before a change. */
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

/** Returns a record whose total and margin are 0. */
const withoutSale = (record: { financialSummary: object }, totals: object) => ({
	...record,
	financialSummary: { ...record.financialSummary, ...totals },
	profit: { total: -20.02, percentage: 0 },
});

const emptyProposal = withoutSale(documented.proposal, { proposalSubtotal: 0, proposalTotal: 0 });
const EMPTY_PROPOSAL = {
	...documented.proposalOutput,
	proposalTotal: 0,
	subtotal: 0,
	profit: -20.02,
	margin: null,
};

/** At least one example of every output shape, by operation. Operations with the same shape share their examples. */
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
			outputs: [{ ...documented.areaOptionOutput, reused: false }],
		},
	],
	'area.getMany': [
		{
			response: documented.proposal,
			outputs: [documented.areaOptionOutput],
		},
	],
	'catalog.get': [
		{ values: { itemType: 'Part' }, response: documented.part, outputs: [documented.partOutput] },
		{
			values: { itemType: 'Part' },
			response: { ...documented.part, name: 'Amplifier', sellPrice: 650.05, cost: 452.06 },
			outputs: [{ ...documented.partOutput, sellPrice: 650.05 }],
		},
		{
			values: { itemType: 'Labor' },
			response: documented.labor,
			outputs: [documented.laborOutput],
		},
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
		{ response: documented.changeOrder, outputs: [documented.changeOrderOutput] },
		{
			response: withoutSale(documented.changeOrder, { changeOrderSubtotal: 0 }),
			outputs: [
				{
					...documented.changeOrderOutput,
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
		{ response: [documented.listedChangeOrder], outputs: [documented.listedChangeOrderOutput] },
	],
	'contact.create': [
		{ response: documented.contact, outputs: [{ ...documented.contactOutput, reused: false }] },
	],
	'contact.get': [{ response: documented.contact, outputs: [documented.contactOutput] }],
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
			outputs: [{ ...documented.itemOutput, reused: false }],
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
				{ ...documented.itemOutput, reused: true },
				{ ...documented.taxedItemOutput, reused: true },
			],
		},
	],
	'item.getMany': [
		{
			values: { options: { includeDeclinedOptions: true } },
			response: withItems,
			outputs: [documented.itemOutput, documented.taxedItemOutput],
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
			outputs: [{ ...documented.locationOutput, reused: false }],
		},
		{
			values: { contactId: 7001, street: '4 Ash Street', options: { reuseExisting: true } },
			response: { contactLocations: [documented.contactLocation], locationCount: 1 },
			outputs: [{ ...documented.locationOutput, reused: true }],
		},
	],
	'location.getMany': [
		{
			values: { contactId: 7001 },
			response: { contactLocations: [documented.contactLocation], locationCount: 1 },
			outputs: [documented.locationOutput],
		},
	],
	'payment.getMany': [
		{
			values: { options: { includeSchedule: true } },
			response: documented.proposal,
			outputs: [documented.paymentOutput, documented.plannedPaymentOutput],
		},
	],
	'proposal.create': [
		{
			values: { salesPersonId: 4 },
			response: documented.proposal,
			outputs: [{ ...documented.proposalOutput, reused: false }],
		},
	],
	'item.move': [
		{
			values: { itemIds: [9001, 9011], areaOptionId: 8101 },
			response: withItems,
			outputs: [documented.itemOutput, documented.taxedItemOutput],
		},
	],
	'item.refreshCosts': [
		{
			before: { ...documented.proposal, profit: { total: 420.02, percentage: 32.7 } },
			response: documented.proposal,
			outputs: [{ ...documented.proposalOutput, profitBefore: 420.02, marginBefore: 32.7 }],
		},
		{
			before: emptyProposal,
			response: emptyProposal,
			outputs: [{ ...EMPTY_PROPOSAL, profitBefore: -20.02, marginBefore: null }],
		},
	],
	'proposal.get': [
		{ response: documented.proposal, outputs: [documented.proposalOutput] },
		{ response: emptyProposal, outputs: [EMPTY_PROPOSAL] },
	],
	'proposal.getMany': [
		{
			values: { sort: {} },
			response: { proposals: [documented.listedProposal], proposalCount: 1 },
			outputs: [documented.listedProposalOutput],
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
	// Accept decimals in amounts and quantities.
	number: (value) => typeof value === 'number',
	object: (value) => typeof value === 'object' && !Array.isArray(value),
	string: (value) => typeof value === 'string',
};

const shapeOf = ({ output }: Operation): object | undefined =>
	'confirms' in output ? undefined : 'asIs' in output ? output.asIs : output.flat;

const cases = Object.entries(examples).flatMap(([name, all]) =>
	all.map((example) => [name, example] as const),
);

describe('the node', () => {
	it.each(cases)('outputs each field of %s from its own source', async (name, example) => {
		const { values, response, before = response, outputs } = example;
		const respond = ({ method }: { method?: string }) => (method === 'GET' ? before : response);
		const found = await runOperation(name, { proposalId: 48201, ...values }, respond);
		expect(found).toEqual(outputs);
		const fields = Object.keys(shapeOf(operationCalled(name))!).toSorted();
		for (const output of found) expect(Object.keys(output).toSorted()).toEqual(fields);
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

	it('has an example of every output shape', () => {
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
		['in the form of events for Zapier', documented.reportedProposal, null],
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
	contactCreatedOrUpdated: {
		changed: { record: documented.contact },
		output: documented.simplifiedContact,
	},
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
