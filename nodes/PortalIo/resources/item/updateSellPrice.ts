import { money, setValue } from './setValue';

/** docs/portal-api.md#items */
export const updateSellPrice = setValue(
	'Sell Price',
	'Set the price of an item, which changes the totals and the margin',
	'sellprice',
	{ sellPrice: money('Sell Price', 'price') },
);
