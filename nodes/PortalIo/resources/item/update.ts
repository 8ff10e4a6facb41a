import {
	added,
	clearableText,
	isSame,
	itemId,
	itemOutput,
	itemsOf,
	money,
	operation,
	proposalAfterChange,
	proposalId,
	quantity,
	requiredFlag,
	sendUpdate,
	updateFields,
} from '../kit';
import { checkedOptions } from './fields';
import { foundResult } from './find';
import { UPDATED, updateRequest, valueOf } from './values';

const fields = {
	clientNote: added(
		clearableText('Client Note', {
			typeOptions: { rows: 3 },
			description: 'The note for the client. Leave empty to clear it.',
		}),
	),
	isCombinedPrice: added(
		requiredFlag('Combined Price', {
			description: 'Whether the price of the item includes the items nested under it',
		}),
	),
	cost: added(
		money('Cost', {
			description: 'What the item costs you per unit. This changes the margin, not the price.',
		}),
	),
	imageUrl: added(
		clearableText('Image URL', {
			placeholder: 'e.g. https://example.com/display.jpg',
			description: 'The URL of the new image. Leave empty to remove it.',
		}),
	),
	msrp: added(money('MSRP', { description: "The manufacturer's suggested retail price per unit" })),
	quantity: added(
		quantity('Quantity', {
			description: 'Number of units or labor hours. A negative quantity takes items back.',
		}),
	),
	isRecurringService: added(
		requiredFlag('Recurring Service', {
			description: 'Whether the item is a recurring service, which is left out of the total',
		}),
	),
	sellPrice: added(money('Sell Price', { description: 'The price that the client pays per unit' })),
	shortDescription: added(
		clearableText('Short Description', { description: 'Leave empty to clear it' }),
	),
	isTaxExempt: added(
		requiredFlag('Tax Exempt', { description: 'Whether the item is exempt from sales tax' }),
	),
};

/** docs/dev/portal-api.md#items */
export const update = operation({
	name: 'Update',
	action: 'Update item in proposal',
	description:
		'Update the quantity, prices, descriptions, image or tax settings of an item of a proposal. Fields that are not added keep their value.',
	fields: {
		proposalId,
		itemId,
		updateFields: updateFields(fields),
		options: checkedOptions,
	},
	run: async (call) => {
		const { proposalId, itemId, updateFields } = call.values;
		const responseIfSet = async (latest: unknown) => {
			const proposal = await proposalAfterChange(call.send, proposalId, latest);
			const item = itemsOf(proposal).find(({ id }) => id === itemId);
			const isSet =
				item !== undefined &&
				isSame('flag', updateFields.isCombinedPrice, valueOf(item, 'isCombinedPrice'));
			return isSet ? proposal : undefined;
		};
		const response = await sendUpdate(call, fields, UPDATED, (part, value) => ({
			...updateRequest(proposalId, itemId, value),
			...(part === UPDATED.isCombinedPrice.part && { responseIfSet }),
		}));
		const items = [{ id: itemId, values: updateFields }];
		return await foundResult(call, response, () => ({ items }));
	},
	output: itemOutput,
});
