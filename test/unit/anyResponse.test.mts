/** Tests the outputs of all operations for random JSON responses. */
import fc from 'fast-check';
import { UserError } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { isRecord } from '../../client/responseShape.ts';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { CallLog, createCall } from '../../nodes/PortalIo/run/call.ts';
import { presentRecords } from '../../nodes/PortalIo/run/present.ts';
import { playedSession } from './playedSession.mts';

/** Property names that the package reads. Random responses have random values for them. */
const names = [
	'areas',
	'options',
	'items',
	'labors',
	'customItems',
	'favoriteItems',
	'suppliers',
	'users',
	'id',
	'number',
	'name',
	'status',
	'itemType',
	'parentId',
	'referencedItemId',
	'quantity',
	'customer',
	'dealer',
	'salesperson',
	'financialSummary',
	'total',
	'primaryLocation',
	'cost',
	'msrp',
	'defaultCost',
	'firstName',
	'clientDescription',
	'events',
	'proposal',
	'outline',
];
// Create objects with a prototype, as JSON.parse does.
const plain = { noNullPrototype: true };
const { json } = fc.letrec((tie) => ({
	json: fc.oneof(
		{ maxDepth: 5, withCrossShrink: true },
		fc.constantFrom<unknown>(null, true, 0, 1, 'text', '', [null], [5], {}),
		fc.array(tie('json'), { maxLength: 2 }),
		fc.dictionary(fc.constantFrom(...names), tie('json'), { maxKeys: 6, noNullPrototype: true }),
		// Create proposals with random areas.
		fc.record({ id: fc.constant(1), number: fc.constant(1), areas: tie('json') }, plain),
		fc.tuple(fc.record({ id: fc.constant(1), options: tie('json'), items: tie('json') }, plain)),
	),
}));

const filters = { itemTypes: [], brands: [], suppliers: [] };
const values = {
	proposalId: 1,
	areaId: 1,
	areaOptionId: 1,
	itemId: 1,
	catalogItemId: 1,
	supplierId: 1,
	itemIds: [1],
	areaOptionIds: [1],
	name: 'Den',
	contactId: 1,
	changeOrderId: 1,
	items: [
		{
			catalogItemId: 1,
			itemType: 'Part',
		},
	],
	filters,
	options: {},
	updateFields: {
		name: 'Den',
		clientDescription: '',
		isTaxExempt: false,
	},
	additionalFields: {},
	sort: {},
};

const quiet = { addExecutionHints: () => {}, logger: { warn: () => {} } };

// Exclude the upload, which requires a file.
const operations = Object.entries(registry)
	.flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([name, one]) => [`${resource}.${name}`, one] as const),
	)
	.filter(([name]) => name !== 'aiContent.upload');

const record = { id: 1, number: 1, name: 'Den', status: 'Draft' };
const lists = [
	'changeOrders',
	'contactLocations',
	'industries',
	'items',
	'paymentRequests',
	'people',
	'proposals',
	'subscriptions',
	'suppliers',
	'users',
];

/** Returns a response that every operation accepts. It has one record in each list, and items with the given IDs. */
function documentedResponse(...itemIds: number[]) {
	const items = itemIds.map((id) => ({ id, itemType: 'Part', referencedItemId: 1, quantity: 1 }));
	return {
		...record,
		...Object.fromEntries(lists.map((name) => [name, [record]])),
		areas: [{ ...record, options: [{ ...record, items }] }],
		recurringServices: { items: [record] },
	};
}

/**
 * First response and later responses to each operation that checks its result. Any other operation always receives
 * `documentedResponse(1)`.
 */
const SHOWN: Record<string, [first: object, later: object]> = {
	'area.create': [{ ...documentedResponse(1), areas: [] }, documentedResponse(1)],
	'areaOption.create': [
		{ ...documentedResponse(1), areas: [{ ...record, options: [] }] },
		documentedResponse(1),
	],
	'item.add': [documentedResponse(1), documentedResponse(1, 2)],
	'item.copy': [documentedResponse(1), documentedResponse(1, 2)],
	'item.delete': [documentedResponse(1, 2), documentedResponse(2)],
};

/**
 * Operation that always fails here, because it requires a copy that equals its original. test/unit/severalRequests
 * tests it.
 */
const NEVER_ENDS = 'proposal.duplicate';

it.each(operations)(
	'returns records or an error for any JSON response to %s',
	async (name, operation) => {
		const details = fc.constantFrom('raw', 'selected', 'simplified');
		const responses = fc.tuple(json, json, details);
		const [shownFirst, shownLater] = SHOWN[name] ?? [documentedResponse(1), documentedResponse(1)];
		let successes = 0;
		await fc.assert(
			fc.asyncProperty(responses, async ([first, others, output]) => {
				let sent = 0;
				const { session, context } = playedSession(() => (sent++ === 0 ? first : others), quiet);
				const all = { ...values, output, fields: ['name'] } as never;
				const log = new CallLog();
				const call = createCall({ context, hints: new Map() }, session, log, all, Infinity);
				const outcome = await operation
					.run(call)
					.then((records) => presentRecords(operation, records, all, log.lastChange !== undefined))
					.catch((error: Error) => error);
				if (outcome instanceof Error) {
					expect(outcome).toBeInstanceOf(UserError);
					return;
				}
				expect(outcome.filter((one) => !isRecord(one))).toEqual([]);
				// Expect an item from a change, because n8n ends the workflow if a step returns none.
				if (log.lastChange !== undefined) expect(outcome).not.toEqual([]);
				if (outcome.length > 0) successes++;
			}),
			{ numRuns: 60, examples: [[[shownFirst, shownLater, 'simplified']]] },
		);
		if (name !== NEVER_ENDS) expect(successes).toBeGreaterThan(0);
	},
);
