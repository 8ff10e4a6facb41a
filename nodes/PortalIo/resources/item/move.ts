import { path } from '../../../../client/encoding';
import { assumedFields } from '../../operation/assumedFields';
import { simplify } from '../../fields/lists';
import { areaOptionId, itemIds, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { findResult } from './checkResult';
import { placementOptions } from './itemOptions';
import { itemShape } from './itemShape';

/** docs/dev/portal-api.md#items */
export const move = operation({
	name: 'Move',
	action: 'Move items in proposal',
	description: 'Move items of a proposal to another area option',
	fields: { proposalId, itemIds, areaOptionId, simplify, options: placementOptions },
	request: ({ proposalId, itemIds, areaOptionId }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/items/move`,
		form: assumedFields({ proposalItemIds: itemIds, areaOptionId }),
	}),
	find: async (call, response) => {
		const { itemIds, areaOptionId } = call.values;
		const items = itemIds.map((id) => ({
			...{ name: `item ${id}`, id, mayBeNew: true },
			values: { areaOptionId },
		}));
		return await findResult(call, response, () => ({ items, withNested: true }));
	},
	output: { shape: itemShape },
});
