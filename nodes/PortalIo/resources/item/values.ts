/** The values of an item: their names in Portal.io, and how they are compared. */
import {
	isRecord,
	path,
	toPascalCase,
	type AreaItem,
	type FieldValue,
	type Kind,
	type ServiceRequest,
} from '../kit';

interface ItemValue {
	label: string;
	/** An image counts as set if the item has changed: Portal.io may keep a copy. */
	kind: Kind | 'image';
}

/** The values that are set when an item is added, copied, moved or replaced. */
const PLACED = {
	areaOptionId: { label: 'Area Option', kind: 'id' },
	referencedItemId: { label: 'Catalog Item', kind: 'id' },
	itemType: { label: 'Item Type', kind: 'text' },
	parentId: { label: 'Parent Item', kind: 'id' },
} satisfies Record<string, ItemValue>;

/** The values that have a request of their own, in the order of *Update*; `part` ends its path. */
export const UPDATED = {
	quantity: { part: 'qty', label: 'Quantity', kind: 'quantity' },
	sellPrice: { part: 'sellprice', label: 'Sell Price', kind: 'money' },
	cost: { part: 'cost', label: 'Cost', kind: 'money' },
	msrp: { part: 'msrp', label: 'MSRP', kind: 'money' },
	isCombinedPrice: { part: 'combineprice', label: 'Combined Price', kind: 'flag' },
	isTaxExempt: { part: 'taxexempt', label: 'Tax Exempt', kind: 'flag' },
	isRecurringService: { part: 'recurringservice', label: 'Recurring Service', kind: 'flag' },
	shortDescription: { part: 'shortdescription', label: 'Short Description', kind: 'text' },
	clientNote: { part: 'note', label: 'Client Note', kind: 'text' },
	imageUrl: { part: 'image', label: 'Image URL', kind: 'image' },
} satisfies Record<string, ItemValue & { part: string }>;

export type UpdatedName = keyof typeof UPDATED;
export type ItemValueName = UpdatedName | keyof typeof PLACED;

export const ITEM_VALUES: Record<ItemValueName, ItemValue> = { ...PLACED, ...UPDATED };

export type ItemValues = Partial<Record<ItemValueName, unknown>>;

/** The value of an item under a name. */
export const valueOf = (item: AreaItem, name: ItemValueName): unknown =>
	name === 'isCombinedPrice'
		? (item.total as { isCombinedPrice?: boolean } | undefined)?.isCombinedPrice
		: item[name];

/** The path of the request that sets a value of an item. */
export const pathOf = (proposalId: number, itemId: number, part: string) =>
	path`/public/proposals/${proposalId}/items/${itemId}/${part}`;

/**
 * Portal.io uses two words for these values: one in records, the other in paths. Nobody outside
 * knows which one a request needs. The service ignores names that it does not know, so each value
 * is sent under both.
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

function underBothWords(values: object): Record<string, FieldValue> {
	const sent: Record<string, FieldValue> = {};
	for (const [name, value] of Object.entries(values)) {
		const second = SECOND_WORDS[name];
		sent[name] = Array.isArray(value)
			? value.map((entry) => (isRecord(entry) ? underBothWords(entry) : (entry as unknown)))
			: (value as FieldValue);
		if (second !== undefined) sent[second] = sent[name];
	}
	return sent;
}

/** Converts fields whose names are not documented (docs/assumptions.md#changes-of-items). */
export const assumedFields = (values: Record<string, FieldValue>): Record<string, FieldValue> =>
	toPascalCase(underBothWords(values));

/** The request that sets one value of an item, which is given by its name. */
export function updateRequest(
	proposalId: number,
	itemId: number,
	value: Record<string, FieldValue>,
): ServiceRequest {
	const [name] = Object.keys(value) as [UpdatedName];
	return {
		method: 'POST',
		// Portal.io calls it a toggle: a second request could undo the first.
		isRepeatable: name !== 'isCombinedPrice',
		path: pathOf(proposalId, itemId, UPDATED[name].part),
		form: assumedFields(value),
	};
}
