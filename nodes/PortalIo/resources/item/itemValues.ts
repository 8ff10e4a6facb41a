/** Defines how each value of an item is entered, sent, compared, and copied. */
import { isRecord } from '../../../../client/responseShape';
import type { AreaItem } from '../../../../client/proposal';
import { path, type FieldValue, type ServiceRequest } from '../../../../client/request';
import * as field from '../../fields/fieldTypes';
import { describeMismatch, isSameValue, type ComparisonKind } from '../../operation/valueEquality';
import { request } from '../../operation/requests';
import {
	labelOf,
	type UpdateRequestBuilder,
	type UpdateValue,
} from '../../operation/updateOperation';

interface ItemValue {
	label: string;
	kind: ComparisonKind;
}

/** Values that are set when an item is added, copied, moved, or replaced. */
const PLACEMENT_VALUES = {
	areaOptionId: { label: 'Area Option', kind: 'id' },
	referencedItemId: { label: 'Catalog Item', kind: 'id' },
	itemType: { label: 'Item Type', kind: 'text' },
	parentId: { label: 'Parent Item', kind: 'id' },
} satisfies Record<string, ItemValue>;

/**
 * Values that an update sets, each with its own request. The order matters, because a new MSRP can change the price.
 */
export const UPDATE_VALUES = {
	quantity: {
		part: 'qty',
		kind: 'quantity',
		field: field.quantity('Quantity', {
			description: 'Number of units or labor hours. A negative quantity removes items.',
		}),
	},
	msrp: {
		part: 'msrp',
		kind: 'money',
		field: field.money('MSRP', {
			description: "The manufacturer's suggested retail price per unit",
		}),
	},
	sellPrice: {
		part: 'sellprice',
		kind: 'money',
		field: field.money('Sell Price', { description: 'The price that the client pays per unit' }),
	},
	cost: {
		part: 'cost',
		kind: 'money',
		field: field.money('Cost', {
			description: 'Cost per unit. Changes the margin, not the price.',
		}),
	},
	isCombinedPrice: {
		part: 'combineprice',
		kind: 'flag',
		field: field.requiredFlag('Combined Price', {
			description: 'Whether the price of the item includes the items nested under it',
		}),
	},
	isTaxExempt: {
		part: 'taxexempt',
		kind: 'flag',
		field: field.requiredFlag('Tax Exempt', {
			description: 'Whether the item is exempt from sales tax',
		}),
	},
	isRecurringService: {
		part: 'recurringservice',
		kind: 'flag',
		field: field.requiredFlag('Recurring Service', {
			description: 'Whether the item is a recurring service, which is left out of the total',
		}),
	},
	shortDescription: {
		part: 'shortdescription',
		kind: 'text',
		field: field.clearableText('Short Description', {
			description: 'Short description of the item. Leave empty to clear it.',
		}),
	},
	clientNote: {
		part: 'note',
		kind: 'text',
		field: field.clearableText('Client Note', {
			typeOptions: { rows: 3 },
			description: 'Note for the client. Leave empty to clear it.',
		}),
	},
	imageUrl: {
		part: 'image',
		kind: 'text',
		field: field.clearableText('Image URL', {
			placeholder: 'e.g. https://example.com/display.jpg',
			description: 'Leave empty to remove the image',
		}),
	},
} satisfies Record<string, UpdateValue & { kind: ComparisonKind }>;

export type UpdateName = keyof typeof UPDATE_VALUES;
export type ItemValueName = UpdateName | keyof typeof PLACEMENT_VALUES;

export type ItemValues = Partial<Record<ItemValueName, unknown>>;

const ITEM_VALUES = { ...PLACEMENT_VALUES, ...labelValues(UPDATE_VALUES) };

function labelValues(table: Record<UpdateName, UpdateValue & { kind: ComparisonKind }>) {
	const rows = Object.entries(table);
	const labeled = rows.map(([name, row]) => [name, { label: labelOf(row), kind: row.kind }]);
	return Object.fromEntries(labeled) as Record<UpdateName, ItemValue>;
}

/**
 * Returns the names of the values that differ from those of the item. Ignores undefined values, because they were not
 * sent.
 */
export function findDifferences(item: AreaItem, values: ItemValues): ItemValueName[] {
	const names = Object.keys(ITEM_VALUES) as ItemValueName[];
	return names.filter(
		(name) =>
			values[name] !== undefined &&
			!isSameValue(ITEM_VALUES[name].kind, values[name], itemValue(item, name)),
	);
}

export const describeDifference = (item: AreaItem, values: ItemValues, name: ItemValueName) =>
	describeMismatch(ITEM_VALUES[name].label, itemValue(item, name), values[name]);

/**
 * Returns the values that a copied or moved item shares with its original. These values identify the copied or moved
 * item among new items.
 */
export const catalogValuesOf = ({ itemType, quantity, referencedItemId }: AreaItem): ItemValues => {
	return { itemType, quantity, referencedItemId };
};

/** Returns a value of an item. Reads *Combined Price* from the item's total, which is where Portal.io returns it. */
export const itemValue = (item: AreaItem, name: string): unknown =>
	name === 'isCombinedPrice'
		? (item.total as { isCombinedPrice?: boolean } | undefined)?.isCombinedPrice
		: item[name];

export const itemUpdate =
	(proposalId: number, itemId: number): UpdateRequestBuilder =>
	(part, value) => ({
		...request.repeatablePost(
			path`/public/proposals/${proposalId}/items/${itemId}/${part}`,
			addSecondNames(value),
		),
		// Do not retry *Combined Price*. Portal.io calls it a toggle, so a second request could undo the first.
		isRepeatable: part !== UPDATE_VALUES.isCombinedPrice.part,
	});

export function addItemsRequest(
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
	return request.post(itemsPath, addSecondNames({ areaOptionId, items: itemForms }));
}

/**
 * Second names of values. Portal.io uses one name in records and another in paths, and does not document which of them
 * a request requires. Each value is sent under both names, because Portal.io ignores unknown names.
 */
const SECOND_NAMES: Record<string, string> = {
	clientNote: 'note',
	imageUrl: 'image',
	isCombinedPrice: 'combinePrice',
	isRecurringService: 'recurringService',
	isTaxExempt: 'taxExempt',
	itemId: 'referencedItemId',
	proposalItemIds: 'itemIds',
	quantity: 'qty',
};

/** Returns the values under all names that Portal.io might require (docs/assumptions.md#changes-of-items). */
export function addSecondNames(values: object): Record<string, FieldValue> {
	const fields: Record<string, FieldValue> = {};
	for (const [name, value] of Object.entries(values)) {
		const secondName = SECOND_NAMES[name];
		fields[name] = Array.isArray(value)
			? value.map((entry) => (isRecord(entry) ? addSecondNames(entry) : (entry as unknown)))
			: (value as FieldValue);
		if (secondName !== undefined) fields[secondName] = fields[name];
	}
	return fields;
}
