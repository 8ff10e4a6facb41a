import type { Row } from './database.mts';
import { share } from './money.mts';
import { findState } from './states.mts';

/** The components of a proposal that can be taxed. */
export type Component = 'Parts' | 'Labor' | 'Fee';

/** Whether tax was calculated, or why not: the values of SalesTax.taxStatus that occur here. */
export type TaxStatus =
	'Ok' | 'NoState' | 'OutOfCountry' | 'NoClient' | 'NoClientAddress' | 'IncompleteClientAddress';

/** The tax: amounts in cents, the rate in percent; all 0 unless `status` is Ok. */
export interface Tax {
	status: TaxStatus;
	rate: number;
	amounts: Record<Component, number>;
	total: number;
}

const homeCountries = new Set(['us', 'usa', 'united states', 'united states of america']);

function taxStatus(contactId: Row[string], location: Row | undefined): TaxStatus {
	if (contactId === null) return 'NoClient';
	if (!location) return 'NoClientAddress';
	const country = String(location.country ?? '')
		.trim()
		.toLowerCase();
	if (country !== '' && !homeCountries.has(country)) return 'OutOfCountry';
	if (!findState(String(location.state_abbrev ?? location.state ?? ''))) return 'NoState';
	const isComplete = location.street && location.city && location.postal_code;
	return isComplete ? 'Ok' : 'IncompleteClientAddress';
}

/**
 * Sales tax by the client's location: for each component that the account taxes, the taxable cents
 * times the state's rate, rounded to cents, half away from zero. The total is the sum of those.
 */
export function salesTax(
	contactId: Row[string],
	location: Row | undefined,
	applyTo: Component[],
	taxable: Record<Component, number>,
): Tax {
	const status = taxStatus(contactId, location);
	const rate =
		status === 'Ok' ? findState(String(location!.state_abbrev ?? location!.state))!.rate : 0;
	const amount = (component: Component) =>
		// rates have at most three decimals: whole thousandths of a percent
		applyTo.includes(component) ? share(taxable[component], Math.round(rate * 1000), 100_000) : 0;
	const amounts = { Parts: amount('Parts'), Labor: amount('Labor'), Fee: amount('Fee') };
	return { status, rate, amounts, total: amounts.Parts + amounts.Labor + amounts.Fee };
}
