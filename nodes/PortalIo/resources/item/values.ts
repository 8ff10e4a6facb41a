/** One table decides how each value of an item is entered, sent, compared and copied. */
import { isRecord } from '../../../../client/guards';
import type { AreaItem } from '../../../../client/proposal';
import { path, type FieldValue, type ServiceRequest } from '../../../../client/request';
import * as field from '../../fields/kinds';
import type { ComparisonKind } from '../../operation/comparison';
import { request } from '../../operation/requests';
import { settable, settableText, type UpdateOf } from '../../operation/steps';

interface ItemValue {
	label: string;
	kind: ComparisonKind;
}

/** Adding, copying, moving or replacing an item sets these values. */
const PLACEMENT_VALUES = {
	areaOptionId: { label: 'Area Option', kind: 'id' },
	referencedItemId: { label: 'Catalog Item', kind: 'id' },
	itemType: { label: 'Item Type', kind: 'text' },
	parentId: { label: 'Parent Item', kind: 'id' },
} satisfies Record<string, ItemValue>;

const quantityValue = settable('quantity', field.quantity);
const moneyValue = settable('money', field.money);
const flagValue = settable('flag', field.requiredFlag);
const imageValue = settable('image', field.clearableText);

/** Each value has its own request. They are sent in this order, because a new MSRP may change the price. */
export const UPDATE_VALUES = {
	quantity: quantityValue(
		'qty',
		'Quantity',
		'Number of units or labor hours. A negative quantity removes items.',
	),
	msrp: moneyValue('msrp', 'MSRP', "The manufacturer's suggested retail price per unit"),
	sellPrice: moneyValue('sellprice', 'Sell Price', 'The price that the client pays per unit'),
	cost: moneyValue('cost', 'Cost', 'Per unit. This changes the margin, not the price.'),
	isCombinedPrice: flagValue(
		'combineprice',
		'Combined Price',
		'Whether the price of the item includes the items nested under it',
	),
	isTaxExempt: flagValue('taxexempt', 'Tax Exempt', 'Whether the item is exempt from sales tax'),
	isRecurringService: flagValue(
		'recurringservice',
		'Recurring Service',
		'Whether the item is a recurring service, which is left out of the total',
	),
	shortDescription: settableText(
		'shortdescription',
		'Short Description',
		'Leave empty to clear it',
	),
	clientNote: settableText('note', 'Client Note', 'Leave empty to clear it', 3),
	imageUrl: imageValue('image', 'Image URL', 'Leave empty to remove the image', {
		placeholder: 'e.g. https://example.com/display.jpg',
	}),
};

export type UpdateName = keyof typeof UPDATE_VALUES;
export type ItemValueName = UpdateName | keyof typeof PLACEMENT_VALUES;

export const ITEM_VALUES: Record<ItemValueName, ItemValue> = {
	...PLACEMENT_VALUES,
	...UPDATE_VALUES,
};

export type ItemValues = Partial<Record<ItemValueName, unknown>>;

/** Portal.io returns *Combined Price* as part of the total. */
export const valueOf = (item: AreaItem, name: string): unknown =>
	name === 'isCombinedPrice'
		? (item.total as { isCombinedPrice?: boolean } | undefined)?.isCombinedPrice
		: item[name];

/** Returns the request that sets one value of an item; `part` ends its path. */
export const updateOfItem =
	(proposalId: number, itemId: number): UpdateOf =>
	(part, value) => ({
		...request.repeatablePost(
			path`/public/proposals/${proposalId}/items/${itemId}/${part}`,
			assumedFields(value),
		),
		// Portal.io calls *Combined Price* a toggle, so a second request could undo the first.
		isRepeatable: part !== UPDATE_VALUES.isCombinedPrice.part,
	});

/** Returns the request that adds items to an area option. */
export function addRequest(
	proposalId: number,
	areaOptionId: number,
	items: ItemValues[],
): ServiceRequest {
	const itemForms = items.map(({ referencedItemId, itemType, quantity, parentId }) => ({
		itemType,
		itemId: referencedItemId,
		quantity,
		parentId: parentId ?? undefined,
	}));
	const itemsPath = path`/public/proposals/${proposalId}/items`;
	return request.post(itemsPath, assumedFields({ areaOptionId, items: itemForms }));
}

/**
 * Portal.io has two names for these values, one in records and one in paths, and does not document which name
 * a request requires. It ignores unknown names, so each value is sent under both.
 */
const SECOND_WORDS: Record<string, string> = {
	clientNote: 'note',
	imageUrl: 'image',
	isCombinedPrice: 'combinePrice',
	isRecurringService: 'recurringService',
	isTaxExempt: 'taxExempt',
	itemId: 'referencedItemId',
	proposalItemIds: 'itemIds',
	quantity: 'qty',
};

/** Portal.io does not document the names of these fields (docs/assumptions.md#changes-of-items). */
export function assumedFields(values: object): Record<string, FieldValue> {
	const fields: Record<string, FieldValue> = {};
	for (const [name, value] of Object.entries(values)) {
		const secondName = SECOND_WORDS[name];
		fields[name] = Array.isArray(value)
			? value.map((entry) => (isRecord(entry) ? assumedFields(entry) : (entry as unknown)))
			: (value as FieldValue);
		if (secondName !== undefined) fields[secondName] = fields[name];
	}
	return fields;
}
