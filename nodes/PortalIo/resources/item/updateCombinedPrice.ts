import { requiredFlag } from '../../shared/fieldTypes';
import { setValue } from './setValue';

const isCombinedPrice = requiredFlag('Combined Price', {
	description: 'Whether the price of the item includes the items nested under it',
});

/** docs/portal-api.md#items */
export const updateCombinedPrice = setValue(
	'Combined Price',
	'Show an item and the items nested under it with one price, or each with its own',
	'combineprice',
	{ isCombinedPrice },
);
