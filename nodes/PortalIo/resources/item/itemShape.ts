import type { ProposalItem } from '../../../../client/model';
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
