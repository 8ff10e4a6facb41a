import { money, setValue } from './setValue';

/** docs/portal-api.md#items */
export const updateMsrp = setValue(
	'MSRP',
	"Set the manufacturer's suggested retail price of an item",
	'msrp',
	{ msrp: money('MSRP', 'list price') },
);
