/** See docs/dev/portal-api.md#items. */
import { itemsOf } from '../../../../client/proposal';
import { path } from '../../../../client/request';
import * as collection from '../../fields/collections';
import { itemIds, placementId, proposalId } from '../../fields/locators';
import { defineOperation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { createMissingArea } from '../area';
import { itemOutput } from '../outputs';
import {
	assertInProposal,
	requireItems,
	checkResult,
	compareRows,
	readItemsBefore,
	readAfterChange,
	selectItems,
	selectWithNested,
	selectUnchecked,
} from './checkResult';
import { addSecondNames, catalogValuesOf } from './itemValues';

export const move = defineOperation({
	name: 'Move',
	action: 'Move items in proposal',
	description: 'Move items in a proposal to another area option',
	unconfirmed: 'checked',
	kind: 'change',
	queue: 'proposalId',
	fields: {
		proposalId,
		itemIds,
		areaOptionId: placementId,
		options: collection.options({ createMissingArea, checkResult }),
	},
	run: async (call) => {
		const { proposalId, itemIds, areaOptionId } = call.values;
		const before = await readItemsBefore(call);
		assertInProposal(before, itemIds);
		const form = addSecondNames({ proposalItemIds: itemIds, areaOptionId });
		const itemsPath = path`/public/proposals/${proposalId}/items/move`;
		const response = await call.send(request.repeatablePost(itemsPath, form));
		if (before === undefined) return selectUnchecked(response, itemIds);
		const after = await readAfterChange(call, response);
		const items = itemsOf(after);
		// Look among new items as well, because Portal.io does not document whether a moved item keeps its ID.
		const rows = selectItems(before, itemIds).map((original) => ({
			name: `item ${original.id}`,
			id: original.id,
			values: { ...catalogValuesOf(original), areaOptionId },
		}));
		const moved = requireItems(call, compareRows(rows, before, items), 'moved');
		const ids = moved.map(({ id }) => id);
		return selectWithNested(items, ids);
	},
	output: itemOutput,
});
