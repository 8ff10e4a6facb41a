/** docs/dev/portal-api.md#items */
import { PortalError } from '../../../../client/errors';
import { isRecord } from '../../../../client/guards';
import { itemsOf, readProposal, type ProposalItem } from '../../../../client/proposal';
import * as collection from '../../fields/collections';
import { shownIf } from '../../fields/declare';
import type { Values } from '../../fields/field';
import * as field from '../../fields/kinds';
import { placementId, proposalId } from '../../fields/locators';
import { joinLines } from '../../fields/fieldError';
import { operation } from '../../operation/operation';
import { addedItemOutput } from '../shapes';
import { itemsBeforeChange, itemsResult } from './checkResult';
import { placementFields } from './fields';
import { differing, type ExpectedItem } from './match';
import { itemFields, itemsJson } from './rows';
import { addRequest, type ItemValues } from './values';

const additionOptions = collection.options({
	...placementFields,
	skipIfPresent: field.flag('Skip If Present', {
		description:
			"Whether to skip items that the area option already has with the same quantity, and return those with 'reused'. If a quantity differs, the step fails before anything is added.",
	}),
});

type Row = Values<typeof itemFields>;

const toExpectedItems = (areaOptionId: number, rows: Row[]): ExpectedItem[] =>
	rows.map(({ itemId, parentId = null, ...row }, index, { length }) => ({
		name: length === 1 ? '' : `row ${index + 1}`,
		// An item must not be nested if its row has no parent.
		values: { ...row, parentId, areaOptionId, referencedItemId: itemId },
	}));

export const add = operation({
	name: 'Add',
	action: 'Add items to proposal',
	description: 'Add catalog items, labor, custom items or fees to an area option',
	unconfirmed: 'checked',
	kind: 'change',
	queue: 'proposalId',
	fields: {
		proposalId,
		areaOptionId: placementId,
		specifyItems: field.choice('Specify Items', [
			{ name: 'Using Fields', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		]),
		items: shownIf(
			'specifyItems',
			'fields',
			collection.rows(
				'Items',
				{ displayName: 'Item', name: 'item', fields: itemFields },
				'Add item',
			),
		),
		itemsJson: shownIf('specifyItems', 'json', itemsJson),
		options: additionOptions,
	},
	run: async (call) => {
		const { proposalId, areaOptionId, items, itemsJson = [], options } = call.values;
		const proposal = options.skipIfPresent ? await readProposal(call, proposalId) : undefined;
		const before = proposal ? itemsOf(proposal) : await itemsBeforeChange(call);
		const rows = toExpectedItems(areaOptionId, items ?? itemsJson);
		const expectedItems = proposal ? withPresentItems(rows, itemsOf(proposal)) : rows;
		const toAdd = expectedItems.filter(({ id }) => id === undefined).map(({ values }) => values);
		const response =
			toAdd.length === 0 ? proposal : await call.send(addRequest(proposalId, areaOptionId, toAdd));
		const result = await itemsResult(call, { response, before, expectedItems, verb: 'added' });
		const presentIds = new Set(expectedItems.map(({ id }) => id));
		const records = result.records.map((record) =>
			isRecord(record) && typeof record.id === 'number'
				? { ...record, reused: presentIds.has(record.id) }
				: record,
		);
		const extraFields = options.skipIfPresent ? ['reused'] : [];
		return { ...result, records, extraFields };
	},
	output: addedItemOutput,
});

/** Gives rows the IDs of items that the option already has; each item counts for one row. */
function withPresentItems(rows: ExpectedItem[], before: ProposalItem[]): ExpectedItem[] {
	const remaining = new Set(before);
	// A row that has no parent also matches nested items.
	const takeItemWith = ({ parentId, ...values }: ItemValues) => {
		const rowValues = { ...values, parentId: parentId ?? undefined };
		const item = [...remaining].find((candidate) => differing(candidate, rowValues).length === 0);
		if (item !== undefined) remaining.delete(item);
		return item;
	};
	const expectedItems = rows.map((row) => {
		const item = takeItemWith(row.values);
		return item === undefined ? row : { ...row, id: item.id, values: {} };
	});
	const otherQuantities = expectedItems
		.filter(({ id }) => id === undefined)
		.flatMap(({ name, values }) => {
			const item = takeItemWith({ ...values, quantity: undefined });
			if (item === undefined) return [];
			const row = name ? `${name}:` : 'The item is';
			return [`${row} already in ${item.areaName} (quantity ${item.quantity})`];
		});
	if (otherQuantities.length === 0) return expectedItems;
	const advice =
		"No items were added to the proposal. To change a quantity, use the operation 'Update'.";
	if (otherQuantities.length === 1)
		throw new PortalError(otherQuantities[0]!, { advice: [advice] });
	const what = `${otherQuantities.length} rows are already in the proposal with another quantity`;
	throw new PortalError(what, { advice: [joinLines(otherQuantities), advice] });
}
