/** See docs/dev/portal-api.md#items. */
import { itemsOf } from '../../../../client/proposal';
import { path } from '../../../../client/request';
import * as collection from '../../fields/collections';
import { areaOptionIds, itemIds, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { itemOutput } from '../shapes';
import {
	assertInProposal,
	assertRows,
	checkResult,
	compareRows,
	itemsBeforeChange,
	progressOfCreation,
	readAfterChange,
	selectItems,
	selectWithNested,
	selectUnchecked,
} from './check';
import { assumedFields, catalogValuesOf } from './values';

export const copy = operation({
	name: 'Copy',
	action: 'Copy items in proposal',
	description: 'Copy items in a proposal to one or more area options',
	unconfirmed: 'checked',
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId, itemIds, areaOptionIds, options: collection.options({ checkResult }) },
	run: async (call) => {
		const { proposalId, itemIds, areaOptionIds } = call.values;
		const before = await itemsBeforeChange(call);
		assertInProposal(before, itemIds);
		const form = assumedFields({ proposalItemIds: itemIds, areaOptionIds });
		const itemsPath = path`/public/proposals/${proposalId}/items/copy`;
		const response = await call.send(request.post(itemsPath, form));
		if (before === undefined) return selectUnchecked(response, []);
		const after = await readAfterChange(call, response);
		const items = itemsOf(after);
		const rows = areaOptionIds.flatMap((areaOptionId) =>
			selectItems(before, itemIds).map((original) => ({
				name: `item ${original.id}`,
				values: { ...catalogValuesOf(original), areaOptionId },
			})),
		);
		const compared = compareRows(rows, before, items);
		const copies = assertRows(call, compared, 'copied', progressOfCreation(before, after));
		const ids = copies.map(({ id }) => id);
		return selectWithNested(items, ids);
	},
	output: itemOutput,
});
