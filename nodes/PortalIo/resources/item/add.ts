import {
	areaOptionId,
	choice,
	isSame,
	itemOutput,
	itemsOf,
	operation,
	path,
	proposalId,
	readProposal,
	rows,
	shownIf,
	type Call,
	type ProposalItem,
	type Values,
} from '../kit';
import { additionOptions, itemFields, itemsJson } from './fields';
import { foundResult, type SentItem } from './find';
import { assumedFields } from './values';

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
		specifyItems: choice('Specify Items', [
			{ name: 'Using Fields', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		]),
		items: shownIf(
			'specifyItems',
			'fields',
			rows('Items', { displayName: 'Item', name: 'item', fields: itemFields }, 'Add item'),
		),
		itemsJson: shownIf('specifyItems', 'json', itemsJson),
		options: additionOptions,
	},
	run: async (call) => {
		const { proposalId, areaOptionId, items, itemsJson = [], options } = call.values;
		const inputRows = items ?? itemsJson;
		const sent = toSentItems(areaOptionId, inputRows);
		const existing = options.skipIfPresent ? await findExisting(call, sent) : [];
		const missing = inputRows.filter((_, index) => existing[index] === undefined);
		const response =
			missing.length === 0
				? await readProposal(call.send, proposalId)
				: await call.send({
						method: 'POST',
						path: path`/public/proposals/${proposalId}/items`,
						form: assumedFields({ areaOptionId, items: missing }),
					});
		const output = sent.map((item, index) => {
			const found = existing[index];
			return found === undefined ? item : { ...item, id: found.id, values: {} };
		});
		const known = existing.flatMap((item) => item?.id ?? []);
		return await foundResult(call, response, () => ({ items: output, known, verb: 'added' }));
	},
	output: itemOutput,
});

/** Returns for each row the item that the option already has; each item counts for one row. */
async function findExisting(
	call: Call<{ proposalId: number }>,
	sent: SentItem[],
): Promise<Array<ProposalItem | undefined>> {
	const left = itemsOf(await readProposal(call.send, call.values.proposalId));
	const take = ({ values }: SentItem, hasQuantity: (item: ProposalItem) => boolean) => {
		const index = left.findIndex(
			(item) =>
				item.areaOptionId === values.areaOptionId &&
				item.referencedItemId === values.referencedItemId &&
				item.itemType === values.itemType &&
				(values.parentId === null || isSame('id', values.parentId, item.parentId)) &&
				hasQuantity(item),
		);
		return index < 0 ? undefined : left.splice(index, 1)[0];
	};
	const existing = sent.map((row) =>
		take(row, ({ quantity }) => isSame('quantity', row.values.quantity, quantity)),
	);
	const others = sent.flatMap((row, index) => {
		const other = existing[index] === undefined ? take(row, () => true) : undefined;
		if (other === undefined) return [];
		const name = row.name ? `${row.name}:` : 'The item is';
		return [`${name} already in ${other.areaName} (quantity ${other.quantity})`];
	});
	if (others.length === 0) return existing;
	const advice =
		"No items were added to the proposal. To change a quantity, use the operation 'Update'.";
	throw others.length === 1
		? call.error(others[0]!, advice)
		: call.error(
				`${others.length} rows are already in the proposal with another quantity`,
				[...others.slice(0, 10), advice].join('\n'),
			);
}
