import type { Row } from './database.mts';

/** Fictional sales tax rates of some states in percent, one of which is 0. Any other text is not a state here. */
const states = [
	{ abbrev: 'CO', name: 'Colorado', rate: 7.65 },
	{ abbrev: 'ID', name: 'Idaho', rate: 6.02 },
	{ abbrev: 'IL', name: 'Illinois', rate: 8.825 },
	{ abbrev: 'OR', name: 'Oregon', rate: 0 },
	{ abbrev: 'TX', name: 'Texas', rate: 8.25 },
	{ abbrev: 'VA', name: 'Virginia', rate: 5.77 },
];

export function findState(text = '') {
	const searchText = text.trim().toLowerCase();
	return states.find(({ abbrev, name }) =>
		[abbrev, name].some((one) => one.toLowerCase() === searchText),
	);
}

const homeCountries = new Set(['us', 'usa', 'united states', 'united states of america']);

/** Returns why sales tax is or is not calculated, as a value of SalesTax.taxStatus. */
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

export const stateOf = (location: Row) =>
	findState(String(location.state_abbrev ?? location.state ?? ''));
