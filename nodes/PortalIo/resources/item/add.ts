import { itemsOf, readProposal } from '../../../../client/model';
import { proposalId } from '../../fields/locators';
import { isSame } from '../../operation/changes';
import { field, itemOutput, linesOf, operation } from '../kit';
import type { Call, Values } from '../kit';
import { additionOptions, areaOptionId, itemFields, itemsJson } from './fields';
import { foundResult, type SentItem } from './find';
import { addRequest } from './values';

type Row = Values<typeof itemFields>;

/** The rows as the items to find in the proposal. */
const toSentItems = (areaOptionId: number, rows: Row[]): SentItem[] =>
	rows.map(({ itemId, parentId = null, ...row }, index, { length }) => ({
		name: length === 1 ? '' : `row ${index + 1}`,
		// Without a parent, the item is not nested.
		values: { ...row, parentId, areaOptionId, referencedItemId: itemId },
	}));

/** docs/dev/portal-api.md#items */
export const add = operation({
	name: 'Add',
	action: 'Add items to proposal',
	description: 'Add catalog items, labor, custom items or fees to an area option',
	fields: {
		proposalId,
		areaOptionId,
		specifyItems: field.choice('Specify Items', [
			{ name: 'Using Fields', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		]),
		items: field.shownIf(
			'specifyItems',
			'fields',
			field.rows('Items', { displayName: 'Item', name: 'item', fields: itemFields }, 'Add item'),
		),
		itemsJson: field.shownIf('specifyItems', 'json', itemsJson),
		options: additionOptions,
	},
	run: async (call) => {
		const { proposalId, areaOptionId, items, itemsJson = [], options } = call.values;
		const inputRows = items ?? itemsJson;
		const rows = toSentItems(areaOptionId, inputRows);
		const sent = options.skipIfPresent ? await withExisting(call, rows) : rows;
		const missing = inputRows.filter((_, index) => sent[index]!.id === undefined);
		const response =
			missing.length === 0
				? await readProposal(call.send, proposalId)
				: await call.send(addRequest(proposalId, areaOptionId, missing));
		return await foundResult(call, response, { items: sent, verb: 'added' });
	},
	output: itemOutput,
});

/** Gives rows the IDs of items that the option already has; each item counts for one row. */
async function withExisting(
	call: Call<{ proposalId: number }>,
	rows: SentItem[],
): Promise<SentItem[]> {
	const left = itemsOf(await readProposal(call.send, call.values.proposalId));
	const take = ({ values }: SentItem, isOfSameQuantity: boolean) => {
		const index = left.findIndex(
			(item) =>
				item.areaOptionId === values.areaOptionId &&
				item.referencedItemId === values.referencedItemId &&
				item.itemType === values.itemType &&
				(values.parentId === null || isSame('id', values.parentId, item.parentId)) &&
				(!isOfSameQuantity || isSame('quantity', values.quantity, item.quantity)),
		);
		return index < 0 ? undefined : left.splice(index, 1)[0];
	};
	const found = rows.map((row) => {
		const item = take(row, true);
		return item === undefined ? row : { ...row, id: item.id, values: {} };
	});
	const others = found.flatMap((row) => {
		const item = row.id === undefined ? take(row, false) : undefined;
		if (item === undefined) return [];
		const name = row.name ? `${row.name}:` : 'The item is';
		return [`${name} already in ${item.areaName} (quantity ${item.quantity})`];
	});
	if (others.length === 0) return found;
	const advice =
		"No items were added to the proposal. To change a quantity, use the operation 'Update'.";
	if (others.length === 1) throw call.error(others[0]!, advice);
	const what = `${others.length} rows are already in the proposal with another quantity`;
	throw call.error(what, `${linesOf(others)}\n${advice}`);
}
