import type { Row } from './database.mts';
import { findState } from './states.mts';

const homeCountries = new Set(['us', 'usa', 'united states', 'united states of america']);

/** Whether there is sales tax, or why not: values of SalesTax.taxStatus. */
export function taxStatus(contactId: Row[string], location: Row | undefined): string {
	if (contactId === null) return 'NoClient';
	if (!location) return 'NoClientAddress';
	const country = String(location.country ?? '')
		.trim()
		.toLowerCase();
	if (country !== '' && !homeCountries.has(country)) return 'OutOfCountry';
	if (!stateOf(location)) return 'NoState';
	const isComplete = location.street && location.city && location.postal_code;
	return isComplete ? 'Ok' : 'IncompleteClientAddress';
}

/** The state of a location, with its tax rate. */
export const stateOf = (location: Row) =>
	findState(String(location.state_abbrev ?? location.state ?? ''));
