import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Row } from './database.mts';

const table: Record<string, [name: string, rate: number]> = parse(
	readFileSync(new URL('states.yaml', import.meta.url), 'utf8'),
);
/** Each state with its two-letter abbreviation, its name, and its rate in percent. */
const states = Object.entries(table).map(([abbrev, [name, rate]]) => ({ abbrev, name, rate }));

export function findState(text = '') {
	const wanted = text.trim().toLowerCase();
	return states.find(({ abbrev, name }) =>
		[abbrev, name].some((one) => one.toLowerCase() === wanted),
	);
}

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

export const stateOf = (location: Row) =>
	findState(String(location.state_abbrev ?? location.state ?? ''));
