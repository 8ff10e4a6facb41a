import { path } from '../../../../client/encoding';
import { overriddenBody, overrideOptions } from '../../unconfirmed/bodyOverrides';
import { added } from '../../shared/field';
import {
	clearableText,
	money,
	quantity,
	requiredFlag,
	updateFields,
} from '../../shared/fieldTypes';
import { simplify } from '../../shared/lists';
import { itemId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { sendUpdate } from '../../shared/steps';
import { itemShape, itemsWithIds } from './proposalItems';

const fields = {
	clientNote: added(
		clearableText('Client Note', {
			typeOptions: { rows: 3 },
			description: 'The note that the client reads. Leave empty to clear it.',
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

/** The last segment of the path that sets each field, in the order in which they are sent. */
const PARTS: Record<keyof typeof fields, string> = {
	quantity: 'qty',
	sellPrice: 'sellprice',
	cost: 'cost',
	msrp: 'msrp',
	isCombinedPrice: 'combineprice',
	isTaxExempt: 'taxexempt',
	isRecurringService: 'recurringservice',
	shortDescription: 'shortdescription',
	clientNote: 'note',
	imageUrl: 'image',
};

/** docs/portal-api.md#items */
export const update = operation({
	name: 'Update',
	action: 'Update item in proposal',
	description:
		'Update the quantity, prices, descriptions, image or tax settings of an item of a proposal. Fields that are not added keep their value.',
	fields: {
		proposalId,
		itemId,
		updateFields: updateFields(fields),
		simplify,
		options: overrideOptions,
	},
	execute: async (call) => {
		const { proposalId, itemId, options } = call.values;
		return await sendUpdate(call, fields, PARTS, (part, value) => ({
			path: path`/public/proposals/${proposalId}/items/${itemId}/${part}`,
			...overriddenBody(value, options),
		}));
	},
	output: { shape: itemShape, records: (response, { itemId }) => itemsWithIds(response, [itemId]) },
});
