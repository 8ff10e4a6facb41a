import { requiredFlag } from '../../shared/fieldTypes';
import { setValue } from './setValue';

const isTaxExempt = requiredFlag('Tax Exempt', {
	description: 'Whether no sales tax is due on the item',
});

/** docs/portal-api.md#items */
export const updateTaxExempt = setValue(
	'Tax Exempt',
	'Free an item from sales tax, or make it taxable again',
	'taxexempt',
	{ isTaxExempt },
);
