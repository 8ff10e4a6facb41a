import { areaOptionId, itemIds, itemOutput, operation, path, proposalId } from '../kit';
import { placementOptions } from './fields';
import { foundResult } from './find';
import { assumedFields } from './values';

/** docs/dev/portal-api.md#items */
export const move = operation({
	name: 'Move',
	action: 'Move items in proposal',
	description: 'Move items of a proposal to another area option',
	fields: { proposalId, itemIds, areaOptionId, options: placementOptions },
	run: async (call) => {
		const { proposalId, itemIds, areaOptionId } = call.values;
		const response = await call.send({
			method: 'POST',
			isRepeatable: true,
			path: path`/public/proposals/${proposalId}/items/move`,
			form: assumedFields({ proposalItemIds: itemIds, areaOptionId }),
		});
		const items = itemIds.map((id) => ({
			...{ name: `item ${id}`, id, mayBeNew: true },
			values: { areaOptionId },
		}));
		return await foundResult(call, response, () => ({ items, withNested: true }));
	},
	output: itemOutput,
});
