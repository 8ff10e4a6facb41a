/** See docs/dev/portal-api.md#items. */
import { itemsOf } from '../../../../client/proposal';
import { path } from '../../../../client/request';
import * as collection from '../../fields/collections';
import { areaOptionIds, itemIds, proposalId } from '../../fields/locators';
import { defineOperation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { itemOutput } from '../outputs';
import {
	assertInProposal,
	requireItems,
	checkResult,
	compareRows,
	readItemsBefore,
	describeCreation,
	readAfterChange,
	selectItems,
	selectWithNested,
	selectUnchecked,
} from './checkResult';
import { addSecondNames, catalogValuesOf } from './itemValues';

export const copy = defineOperation({
	name: 'Copy',
	action: 'Copy items in proposal',
	description: 'Copy items in a proposal to one or more area options',
	unconfirmed: 'checked',
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId, itemIds, areaOptionIds, options: collection.options({ checkResult }) },
	run: async (call) => {
		const { proposalId, itemIds, areaOptionIds } = call.values;
		const before = await readItemsBefore(call);
		assertInProposal(before, itemIds);
		const form = addSecondNames({ proposalItemIds: itemIds, areaOptionIds });
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
		const copies = requireItems(call, compared, 'copied', describeCreation(before, after));
		const ids = copies.map(({ id }) => id);
		return selectWithNested(items, ids);
	},
	output: itemOutput,
});
