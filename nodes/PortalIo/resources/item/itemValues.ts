import { path } from '../../../../client/encoding';
import type { AreaItem } from '../../../../client/model';
import type { Kind } from '../../operation/compare';

/** A value of an item that can be sent. */
interface ItemValue {
	/** As the editor and errors name it. */
	label: string;
	/** How it is compared. An image counts as set if the item has changed: Portal.io may keep a copy. */
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

/** Some values of an item, by name. */
export type ItemValues = Partial<Record<ItemValueName, unknown>>;

/** What an item has under the name of a value. */
export const valueOf = (item: AreaItem, name: ItemValueName): unknown =>
	name === 'isCombinedPrice'
		? (item.total as { isCombinedPrice?: boolean } | undefined)?.isCombinedPrice
		: item[name];

/** The path that sets a value of an item. */
export const pathOf = (proposalId: number, itemId: number, part: string) =>
	path`/public/proposals/${proposalId}/items/${itemId}/${part}`;
