/** See docs/dev/portal-api.md#items. */
import { itemsOf } from '../../../../client/proposal';
import { path } from '../../../../client/request';
import * as collection from '../../fields/collections';
import { catalogItemId, itemId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { request } from '../../operation/requests';
import { itemType } from '../catalog';
import { itemOutput } from '../shapes';
import {
	assertInProposal,
	assertRows,
	checkResult,
	compareRows,
	itemsBeforeChange,
	readAfterChange,
	selectUnchecked,
} from './check';
import { assumedFields } from './values';

export const replace = operation({
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
		const before = await itemsBeforeChange(call);
		assertInProposal(before, [itemId]);
		const itemsPath = path`/public/proposals/${proposalId}/items/${itemId}/replace`;
		const form = assumedFields({ itemId: catalogItemId });
		const response = await call.send(request.repeatablePost(itemsPath, form));
		if (before === undefined) return selectUnchecked(response, [itemId]);
		const after = await readAfterChange(call, response);
		// Compare the type, because the request has none, and a part can have the ID of a labor item. Portal.io does
		// not document whether a replaced item keeps its ID.
		const row = { name: '', id: itemId, values: { referencedItemId: catalogItemId, itemType } };
		const compared = compareRows([row], before, itemsOf(after));
		return assertRows(call, compared, 'replaced');
	},
	output: itemOutput,
});
