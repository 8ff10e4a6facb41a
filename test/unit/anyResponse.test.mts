/** The outputs of all operations from responses of any shape. Lists of the editor: test/wire/responses. */
import fc from 'fast-check';
import { UserError } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { isRecord } from '../../client/response.ts';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { callOf, outputOf } from '../../nodes/PortalIo/run/call.ts';
import { playedSession } from './playedSession.mts';

/** Names that the code reads, so that what is odd stands in their place. */
const names = [
	...['areas', 'options', 'items', 'labors', 'customItems', 'favoriteItems', 'suppliers', 'users'],
	...['id', 'number', 'name', 'status', 'itemType', 'parentId', 'referencedItemId', 'quantity'],
	...['customer', 'dealer', 'salesperson', 'financialSummary', 'total', 'primaryLocation', 'cost'],
	...['msrp', 'defaultCost', 'firstName', 'clientDescription', 'events', 'proposal', 'outline'],
];
// As JSON.parse makes objects.
const plain = { noNullPrototype: true };
const { json } = fc.letrec((tie) => ({
	json: fc.oneof(
		{ maxDepth: 5, withCrossShrink: true },
		fc.constantFrom<unknown>(null, true, 0, 1, 'text', '', [null], [5], {}),
		fc.array(tie('json'), { maxLength: 2 }),
		fc.dictionary(fc.constantFrom(...names), tie('json'), { maxKeys: 6, noNullPrototype: true }),
		// A proposal as it is known, with anything further down.
		fc.record({ id: fc.constant(1), number: fc.constant(1), areas: tie('json') }, plain),
		fc.tuple(fc.record({ id: fc.constant(1), options: tie('json'), items: tie('json') }, plain)),
	),
}));

const filters = { itemTypes: [], brands: [], suppliers: [] };
const values = {
	...{ proposalId: 1, areaId: 1, areaOptionId: 1, itemId: 1, catalogItemId: 1, supplierId: 1 },
	...{ itemIds: [1], areaOptionIds: [1], name: 'Den', contactId: 1, changeOrderId: 1 },
	...{ items: [{ itemId: 1, itemType: 'Part' }], filters, options: {} },
	...{ updateFields: { name: 'Den' }, additionalFields: {}, sort: {} },
};

const quiet = { addExecutionHints: () => {}, logger: { warn: () => {} } };

// An upload ends in a form, not in JSON.
const operations = Object.entries(registry)
	.flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([name, one]) => [`${resource}.${name}`, one] as const),
	)
	.filter(([name]) => name !== 'aiContent.upload');

it.each(operations)('accepts any JSON as the response to %s', async (_, operation) => {
	const details = fc.constantFrom('raw', 'selected', 'simplified');
	const responses = fc.tuple(json, json, details);
	await fc.assert(
		fc.asyncProperty(responses, async ([first, others, output]) => {
			let sent = 0;
			const { session, context } = playedSession(() => (sent++ === 0 ? first : others), quiet);
			const all = { ...values, output, fields: ['name'] } as never;
			const outcome = await outputOf(operation, callOf(context, session, all)).catch(
				(error: Error) => error,
			);
			if (outcome instanceof Error) expect(outcome).toBeInstanceOf(UserError);
			else expect(outcome.every((one) => isRecord(one))).toBe(true);
		}),
		{ numRuns: 60 },
	);
});
