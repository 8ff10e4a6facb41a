import { itemsOf, proposalAfterChange } from '../../../../client/model';
import { itemId, proposalId } from '../../fields/locators';
import { fieldsOf, isSame, sendUpdate } from '../../operation/changes';
import { itemOutput, operation } from '../kit';
import { checkedOptions } from './fields';
import { foundResult } from './find';
import { UPDATED, updateRequest, valueOf } from './values';

/** docs/dev/portal-api.md#items */
export const update = operation({
	name: 'Update',
	action: 'Update item in proposal',
	description:
		'Update the quantity, prices, descriptions, image or tax settings of an item of a proposal',
	fields: { proposalId, itemId, updateFields: fieldsOf(UPDATED), options: checkedOptions },
	run: async (call) => {
		const { proposalId, itemId, updateFields } = call.values;
		/** A second request could undo a flag that is set already. */
		const responseIfSet = async (latest: unknown) => {
			const proposal = await proposalAfterChange(call.send, proposalId, latest);
			const item = itemsOf(proposal).find(({ id }) => id === itemId);
			const isSet = (one: typeof item & object) =>
				isSame('flag', updateFields.isCombinedPrice, valueOf(one, 'isCombinedPrice'));
			return item !== undefined && isSet(item) ? proposal : undefined;
		};
		const response = await sendUpdate(call, UPDATED, (part, value) => ({
			...updateRequest(proposalId, itemId, value),
			...(part === UPDATED.isCombinedPrice.part && { responseIfSet }),
		}));
		const items = [{ id: itemId, values: updateFields }];
		return await foundResult(call, response, { items });
	},
	output: itemOutput,
});
