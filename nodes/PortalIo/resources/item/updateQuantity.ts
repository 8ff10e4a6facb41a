import { amount } from '../../shared/fieldTypes';
import { setValue } from './setValue';

const quantity = amount('Quantity', {
	typeOptions: { minValue: 0, numberPrecision: 4 },
	default: 1,
	description: 'How many pieces, or hours of labor',
});

/** docs/portal-api.md#items */
export const updateQuantity = setValue(
	'Quantity',
	'Set the quantity of an item, which changes the totals',
	'qty',
	{ quantity },
);
