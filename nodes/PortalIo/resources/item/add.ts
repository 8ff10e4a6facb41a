/** See docs/dev/portal-api.md#items. */
import { PortalError } from '../../../../client/errors';
import { itemsOf, readProposal, type ProposalItem } from '../../../../client/proposal';
import * as collection from '../../fields/collections';
import { showIf } from '../../fields/declare';
import type { Values } from '../../fields/field';
import * as field from '../../fields/fieldTypes';
import { placementId, proposalId } from '../../fields/locators';
import { joinLines } from '../../fields/fieldError';
import { defineOperation } from '../../operation/operation';
import { createMissingArea } from '../area';
import { addedItemOutput } from '../outputs';
import {
	requireItems,
	checkResult,
	compareRows,
	isChecked,
	describeCreation,
	readAfterChange,
	type RequestedItem,
} from './checkResult';
import { itemFields, itemsJson } from './rows';
import { addItemsRequest, findDifferences, type ItemValues } from './itemValues';

const additionOptions = collection.options({
	createMissingArea,
	checkResult,
	skipIfPresent: field.flag('Skip If Present', {
		description:
			"Whether to skip items that the area option already has in the same quantity. Their output field 'reused' is then true. If a quantity differs, the step fails before anything is added.",
	}),
});

const toRows = (areaOptionId: number, items: Array<Values<typeof itemFields>>): RequestedItem[] =>
	items.map(({ catalogItemId, parentId = null, ...item }, index, { length }) => ({
		name: length === 1 ? '' : `row ${index + 1}`,
		// Expect null without a parent, because the item must not be nested.
		values: { ...item, parentId, areaOptionId, referencedItemId: catalogItemId },
	}));

export const add = defineOperation({
	name: 'Add',
	action: 'Add items to proposal',
	description: 'Add catalog items, labor, custom items, or fees to an area option',
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
		items: showIf(
			'specifyItems',
			'fields',
			collection.rows(
				'Items',
				{ displayName: 'Item', name: 'item', fields: itemFields },
				'Add item',
			),
		),
		itemsJson: showIf('specifyItems', 'json', itemsJson),
		options: additionOptions,
	},
	run: async (call) => {
		const { proposalId, areaOptionId, items, itemsJson = [], options } = call.values;
		const rows = toRows(areaOptionId, items ?? itemsJson);
		const skips = options.skipIfPresent === true;
		const proposal = skips || isChecked(call) ? await readProposal(call, proposalId) : undefined;
		const before = proposal && itemsOf(proposal);
		const present = matchPresentItems(skips ? rows : [], before ?? []);
		const newRows = rows.filter((row) => !present.has(row));
		const presentItems = [...present.values()].map((item) => ({ ...item, reused: true }));
		if (newRows.length === 0) return presentItems;
		const values = newRows.map((row) => row.values);
		const response = await call.send(addItemsRequest(proposalId, areaOptionId, values));
		if (before === undefined || !isChecked(call)) return [];
		const after = await readAfterChange(call, response);
		const compared = compareRows(newRows, before, itemsOf(after));
		const added = requireItems(call, compared, 'added', describeCreation(before, after));
		const addedItems = added.map((item) => ({ ...item, reused: false }));
		return [...presentItems, ...addedItems].toSorted((first, second) => first.id - second.id);
	},
	output: addedItemOutput,
});

/**
 * Returns the rows that the area option already has, each with its item. Throws a PortalError if an item differs from a
 * row only in its quantity.
 */
function matchPresentItems(
	rows: RequestedItem[],
	before: ProposalItem[],
): Map<RequestedItem, ProposalItem> {
	const remaining = new Set(before);
	// Also match nested items if the row has no parent.
	const takeItemWith = ({ parentId, ...values }: ItemValues) => {
		const rowValues = { ...values, parentId: parentId ?? undefined };
		const item = [...remaining].find(
			(candidate) => findDifferences(candidate, rowValues).length === 0,
		);
		if (item !== undefined) remaining.delete(item);
		return item;
	};
	const present = new Map<RequestedItem, ProposalItem>();
	for (const row of rows) {
		const item = takeItemWith(row.values);
		if (item !== undefined) present.set(row, item);
	}
	const otherQuantities = rows.flatMap((row) => {
		if (present.has(row)) return [];
		const item = takeItemWith({ ...row.values, quantity: undefined });
		if (item === undefined) return [];
		const subject = row.name ? `${row.name}:` : 'The item is';
		return [`${subject} already in ${item.areaName} (quantity ${item.quantity})`];
	});
	if (otherQuantities.length === 0) return present;
	const advice =
		"No items were added to the proposal. To change a quantity, use the operation 'Update'.";
	if (otherQuantities.length === 1)
		throw new PortalError(otherQuantities[0]!, { advice: [advice] });
	const what = `${otherQuantities.length} rows are already in the proposal with a different quantity`;
	throw new PortalError(what, { advice: [joinLines(otherQuantities), advice] });
}
