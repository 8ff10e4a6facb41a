import type { Shape } from '../../../shared/shape';

/**
 * An item as the ten flat fields that people map, in the order in which they look for them. Money is
 * per unit, but for the total.
 */
export const itemShape: Shape = {
	id: 'integer',
	name: ['string', 'brand + model', 'name'],
	quantity: 'number',
	sellPrice: 'number',
	cost: 'number',
	total: ['number', 'total.amount'],
	supplier: 'string',
	areaName: 'string',
	itemType: 'string',
	proposalId: 'integer',
};

/** The same with the change order that each item is of, in the place of the total. */
export const itemOfChangeOrderShape: Shape = Object.fromEntries(
	Object.entries(itemShape).map(([name, field]) =>
		name === 'total' ? ['changeOrderId', 'integer?'] : [name, field],
	),
);
