import { money, setValue } from './setValue';

/** docs/portal-api.md#items */
export const updateCost = setValue(
	'Cost',
	'Set what an item costs you, which changes the margin and not the price',
	'cost',
	{ cost: money('Cost', 'cost') },
);
