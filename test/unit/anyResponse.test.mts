/** The outputs of all operations, and the lists of the editor, from responses of any shape. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { ShapeError, takeList } from '../../client/data.ts';
import { optionsOf, takeProposal } from '../../client/model.ts';
import {
	catalogItemName,
	contactName,
	itemChoices,
	optionChoice,
	proposalName,
	supplierName,
} from '../../nodes/PortalIo/editor/recordLabels.ts';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import { shapeResponse } from '../../nodes/PortalIo/operation/output.ts';

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

const values = {
	...{ proposalId: 1, areaId: 1, areaOptionId: 1, itemId: 1, catalogItemId: 1, supplierId: 1 },
	...{ itemIds: [1], areaOptionIds: [1], name: 'Den', contactId: 1, changeOrderId: 1 },
	...{ items: [{ itemId: 1, itemType: 'Part' }], filters: { itemTypes: [] }, options: {} },
	...{ updateFields: {}, additionalFields: {} },
};

/** What reads a response gives something, or says that its shape is another one. */
function assertReadable(read: (response: unknown) => unknown) {
	fc.assert(
		fc.property(json, (response) => {
			try {
				expect(read(response)).toBeDefined();
			} catch (error) {
				expect(error).toBeInstanceOf(ShapeError);
			}
		}),
		{ numRuns: 300 },
	);
}

const outputs = Object.entries(registry).flatMap(([resource, { operations }]) =>
	Object.entries(operations).flatMap(([name, { output, list }]) =>
		output ? [{ name: `${resource}.${name}`, output, list }] : [],
	),
);

it.each(outputs)('takes any JSON for the output of $name', ({ output, list }) => {
	for (const simplify of [true, false]) {
		assertReadable((response) => {
			const records = list?.records;
			const found =
				typeof records === 'function'
					? records(response as IDataObject)
					: output.list || records
						? takeList(response, ...(output.list ?? ([records] as [string])))
						: [response];
			return found.map((one) =>
				shapeResponse(output, one as IDataObject, { ...values, simplify } as never),
			);
		});
	}
});

it('takes any JSON for what the editor lists', () => {
	assertReadable((response) =>
		takeList(response, 'people').map((one) => contactName(one as never)),
	);
	assertReadable((response) =>
		takeList(response, 'proposals').map((one) => proposalName(one as never)),
	);
	assertReadable((response) => takeList(response, 'suppliers').map(supplierName));
	assertReadable((response) => takeList(response, 'items').map(catalogItemName));
	assertReadable((response) => optionsOf(takeProposal(response)).map(optionChoice));
	assertReadable((response) => optionsOf(takeProposal(response)).flatMap(itemChoices));
});
