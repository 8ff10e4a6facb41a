import { path } from '../../../../client/encoding';
import { readProposal, type ProposalItem } from '../../../../client/model';
import { assumedFields } from '../../operation/assumedFields';
import { shownIf, type Values } from '../../fields/field';
import { choice, rows } from '../../fields/types';
import { simplify } from '../../fields/lists';
import { areaOptionId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { findResult } from './checkResult';
import type { SentItem } from './find';
import { itemFields, itemsJson } from './itemFields';
import { additionOptions } from './itemOptions';
import { itemShape } from './itemShape';
import { findPresent } from './present';

/** What was added, and the items that were there already. */
interface Addition {
	response: unknown;
	present: Array<ProposalItem | undefined>;
}

/** A row of the items to add. */
type Row = Values<typeof itemFields>;

/** The rows as they are looked for in the proposal. */
const rowsOf = ({
	areaOptionId,
	items,
	itemsJson = [],
}: {
	areaOptionId: number;
	items?: Row[] | undefined;
	itemsJson?: Row[] | undefined;
}): SentItem[] =>
	(items ?? itemsJson).map(({ itemId, parentId = null, ...row }, index, { length }) => ({
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
		simplify,
		options: additionOptions,
	},
	execute: async (call): Promise<Addition> => {
		const { proposalId, areaOptionId, items, itemsJson = [], options } = call.values;
		const present = options.skipIfPresent ? await findPresent(call, rowsOf(call.values)) : [];
		const missing = (items ?? itemsJson).filter((_, index) => present[index] === undefined);
		if (missing.length === 0) {
			return { response: await readProposal(call.send, proposalId), present };
		}
		const response = await call.send({
			method: 'POST',
			path: path`/public/proposals/${proposalId}/items`,
			form: assumedFields({ areaOptionId, items: missing }),
		});
		return { response, present };
	},
	find: async (call, addition) => {
		const { response, present } = addition as Addition;
		const sent = rowsOf(call.values).map((row, index) => {
			const item = present[index];
			return item === undefined ? row : { name: row.name, id: item.id, values: {} };
		});
		const known = present.flatMap((item) => item?.id ?? []);
		return await findResult(call, response, () => ({ items: sent, known, verb: 'added' }));
	},
	output: { shape: itemShape },
});
