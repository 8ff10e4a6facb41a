import { isProposal, itemsOf, type ProposalItem } from '../../../../client/proposal';
import { integer, number, optionalId, text, type Shape } from '../../../shared/shape';

/**
 * An item as the ten flat fields that people map, in the order in which they look for them. Money is
 * per unit, but for the total.
 */
export const itemShape: Shape<ProposalItem> = {
	id: integer(({ id }) => id),
	name: text(({ brand, model, name }) => [brand, model].filter(Boolean).join(' ') || name),
	quantity: number(({ quantity }) => quantity),
	sellPrice: number(({ sellPrice }) => sellPrice),
	cost: number(({ cost }) => cost),
	total: number(({ total }) => (total as { amount?: number } | undefined)?.amount),
	supplier: text(({ supplier }) => supplier),
	areaName: text(({ areaName }) => areaName),
	itemType: text(({ itemType }) => itemType),
	proposalId: integer(({ proposalId }) => proposalId),
};

/** The same with the change order that each item is of, in the place of the total. */
export const itemOfChangeOrderShape: Shape<ProposalItem> = Object.fromEntries(
	Object.entries(itemShape).map(([name, field]) =>
		name === 'total'
			? ['changeOrderId', optionalId(({ changeOrderId }) => changeOrderId)]
			: [name, field],
	),
);

/** The items of a proposal or change order; undefined when the response is neither. */
export const proposalItems = (response: unknown): ProposalItem[] | undefined =>
	isProposal(response) ? itemsOf(response) : undefined;

/** The items with certain IDs; undefined when the response has none of them. */
export function itemsWithIds(response: unknown, ids: number[]): ProposalItem[] | undefined {
	const found = proposalItems(response)?.filter(({ id }) => ids.includes(id)) ?? [];
	return found.length > 0 ? found : undefined;
}

/** IDs of items with those of everything nested under them. */
export function withNested(items: ProposalItem[], ids: number[]): Set<number> {
	const found = new Set(ids);
	// An item is older than what is nested under it.
	for (const { id, parentId } of items.toSorted((one, other) => one.id - other.id)) {
		if (found.has(Number(parentId))) found.add(id);
	}
	return found;
}

/** As `itemsWithIds`, with everything nested under them, which is copied and moved along. */
export const nestedItemsWithIds = (response: unknown, ids: number[]) =>
	itemsWithIds(response, [...withNested(proposalItems(response) ?? [], ids)]);

/** What shows that an item is a new one. */
interface Sought {
	areaOptionId: number;
	itemType: string;
	/** Its item in the catalog; the IDs of two types may be equal. */
	referencedItemId: number;
}

/**
 * The new items of a proposal. The service does not say which ones they are: the ones with the highest
 * IDs that fit what was sent (assumed); all items of the same options when none fits.
 *
 * @returns undefined when the response has none
 */
export function newItems(response: unknown, sought: Sought[]): ProposalItem[] | undefined {
	const inOptions = (proposalItems(response) ?? []).filter((item) =>
		sought.some(({ areaOptionId }) => areaOptionId === item.areaOptionId),
	);
	const byAge = inOptions.sort((one, other) => one.id - other.id);
	if (byAge.length === 0) return undefined;
	const left = byAge.toReversed();
	const found = sought.flatMap((wanted) => {
		const index = left.findIndex(
			(item) =>
				item.areaOptionId === wanted.areaOptionId &&
				item.itemType === wanted.itemType &&
				item.referencedItemId === wanted.referencedItemId,
		);
		return index < 0 ? [] : left.splice(index, 1);
	});
	return found.length > 0 ? found.sort((one, other) => one.id - other.id) : byAge;
}

/** All items of an area option; undefined when the response has none. */
export function itemsOfOption(response: unknown, areaOptionId: number) {
	const items = proposalItems(response)?.filter((item) => item.areaOptionId === areaOptionId) ?? [];
	return items.length > 0 ? items : undefined;
}
