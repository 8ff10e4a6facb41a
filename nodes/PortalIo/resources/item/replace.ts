/** See docs/dev/portal-api.md#items. */
import { itemsOf } from '../../../../client/proposal';
import { path } from '../../../../client/request';
import * as collection from '../../fields/collections';
import { catalogItemId, itemId, proposalId } from '../../fields/locators';
import { defineOperation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { itemType } from '../catalog';
import { itemOutput } from '../outputs';
import {
	assertInProposal,
	requireItems,
	checkResult,
	compareRows,
	readItemsBefore,
	readAfterChange,
	selectUnchecked,
} from './checkResult';
import { addSecondNames } from './itemValues';

export const replace = defineOperation({
	name: 'Replace',
	action: 'Replace item in proposal',
	description: 'Replace a proposal item with another catalog item',
	unconfirmed: 'checked',
	kind: 'change',
	queue: 'proposalId',
	fields: {
		proposalId,
		itemId,
		itemType,
		catalogItemId,
		options: collection.options({ checkResult }),
	},
	run: async (call) => {
		const { proposalId, itemId, itemType, catalogItemId } = call.values;
		const before = await readItemsBefore(call);
		assertInProposal(before, [itemId]);
		const itemsPath = path`/public/proposals/${proposalId}/items/${itemId}/replace`;
		const form = addSecondNames({ itemId: catalogItemId });
		const response = await call.send(request.repeatablePost(itemsPath, form));
		if (before === undefined) return selectUnchecked(response, [itemId]);
		const after = await readAfterChange(call, response);
		// Compare the type as well, because a part can have the same ID as a labor item. Also look among new items,
		// because Portal.io does not document whether a replaced item keeps its ID.
		const row = { name: '', id: itemId, values: { referencedItemId: catalogItemId, itemType } };
		const compared = compareRows([row], before, itemsOf(after));
		return requireItems(call, compared, 'replaced');
	},
	output: itemOutput,
});
