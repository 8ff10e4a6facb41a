/**
 * Ten operations that set one value of an item. They differ in a word, so they are rows of a table.
 * Paths: specification, *Further operations*; bodies assumed (operations.md, `item`).
 */
import type { INodeProperties } from 'n8n-workflow';
import type { FieldValue } from '../../../../client/http/form';
import { path } from '../../../../client/http/path';
import { assumedBody, correctionOptions } from '../../shared/assumed';
import { itemId, proposalId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { booleanOf, idOf, moneyOf, quantityOf, textOf } from '../../shared/values';

interface Row {
	/** The name of the operation after *Update*. */
	label: string;
	/** The last segment of the path. */
	segment: string;
	/** The field; with a capital letter its wire name. */
	field: Pick<INodeProperties, 'displayName' | 'name' | 'type' | 'default' | 'description'> &
		Partial<INodeProperties>;
	read(value: unknown, label: string): FieldValue;
	description: string;
}

/** An amount in the currency of the proposal. */
const money = (displayName: string, name: string, of: string): Row['field'] => ({
	displayName,
	name,
	type: 'number',
	typeOptions: { numberPrecision: 2, minValue: 0 },
	default: 0,
	description: `The new ${of} of one piece, in the currency of the proposal`,
});
const text = (displayName: string, name: string, description: string): Row['field'] => ({
	displayName,
	name,
	type: 'string',
	default: '',
	description,
});
const flag = (displayName: string, name: string, description: string): Row['field'] => ({
	displayName,
	name,
	type: 'boolean',
	default: true,
	description,
});

function setValue({ label, segment, field, read, description }: Row): Operation {
	const { name, displayName } = field;
	return {
		name: `Update ${label}`,
		action: `Update ${label === 'MSRP' ? 'MSRP' : label.toLowerCase()} of item`,
		description,
		mark: 'assumed',
		fields: [proposalId, itemId, { ...field } as INodeProperties, correctionOptions],
		request: (parameters) => {
			const proposal = idOf(parameters.proposalId, 'Proposal');
			const item = idOf(parameters.itemId, 'Item');
			const wireName = name.charAt(0).toUpperCase() + name.slice(1);
			return {
				method: 'POST',
				isRepeatable: true,
				path: path`/public/proposals/${proposal}/items/${item}/${segment}`,
				...assumedBody({ [wireName]: read(parameters[name], displayName) }, parameters),
			};
		},
	};
}

export const updateClientNote = setValue({
	label: 'Client Note',
	segment: 'note',
	field: text('Client Note', 'clientNote', 'The note that the customer reads; empty clears it'),
	read: textOf,
	description: 'Replace the note on an item that the customer reads',
});

export const updateCombinedPrice = setValue({
	label: 'Combined Price',
	segment: 'combineprice',
	field: flag(
		'Combined Price',
		'isCombinedPrice',
		'Whether the price of the item includes the items nested under it',
	),
	read: booleanOf,
	description: 'Show an item and the items nested under it with one price, or each with its own',
});

export const updateCost = setValue({
	label: 'Cost',
	segment: 'cost',
	field: money('Cost', 'cost', 'cost'),
	read: moneyOf,
	description: 'Set what an item costs you, which changes the margin and not the price',
});

export const updateImage = setValue({
	label: 'Image',
	segment: 'image',
	field: text('Image URL', 'imageUrl', 'The address of the new picture; empty removes it'),
	read: textOf,
	description: 'Replace the picture of an item that the customer sees',
});

export const updateMsrp = setValue({
	label: 'MSRP',
	segment: 'msrp',
	field: money('MSRP', 'msrp', 'list price'),
	read: moneyOf,
	description: "Set the manufacturer's suggested retail price of an item",
});

export const updateQuantity = setValue({
	label: 'Quantity',
	segment: 'qty',
	field: {
		displayName: 'Quantity',
		name: 'quantity',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 4 },
		default: 1,
		description: 'How many pieces, or hours of labor',
	},
	read: quantityOf,
	description: 'Set the quantity of an item, which changes the totals',
});

export const updateRecurringService = setValue({
	label: 'Recurring Service',
	segment: 'recurringservice',
	field: flag(
		'Recurring Service',
		'isRecurringService',
		'Whether the item is a recurring service, which is left out of the total',
	),
	read: booleanOf,
	description: 'Mark an item as a recurring service, or as one that is sold once',
});

export const updateSellPrice = setValue({
	label: 'Sell Price',
	segment: 'sellprice',
	field: money('Sell Price', 'sellPrice', 'price'),
	read: moneyOf,
	description: 'Set the price of an item, which changes the totals and the margin',
});

export const updateShortDescription = setValue({
	label: 'Short Description',
	segment: 'shortdescription',
	field: text('Short Description', 'shortDescription', 'The new text; empty clears it'),
	read: textOf,
	description: 'Replace the short description of an item',
});

export const updateTaxExempt = setValue({
	label: 'Tax Exempt',
	segment: 'taxexempt',
	field: flag('Tax Exempt', 'isTaxExempt', 'Whether no sales tax is due on the item'),
	read: booleanOf,
	description: 'Free an item from sales tax, or make it taxable again',
});
