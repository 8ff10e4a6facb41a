import type { Row } from './database.mts';

/**
 * The states of the USA with their sales tax rates in the simulator, in percent. The rates are made
 * up, with up to three decimals so that tests cover rounding.
 */
const table = `
AL Alabama 9.1 | AK Alaska 0 | AZ Arizona 8.3 | AR Arkansas 9.4 | CA California 8.75
CO Colorado 7.65 | CT Connecticut 6.35 | DE Delaware 0 | DC District of Columbia 6
FL Florida 7.05 | GA Georgia 7.4 | HI Hawaii 4.5 | ID Idaho 6.02 | IL Illinois 8.825
IN Indiana 7 | IA Iowa 6.95 | KS Kansas 8.65 | KY Kentucky 6 | LA Louisiana 9.55 | ME Maine 5.5
MD Maryland 6 | MA Massachusetts 6.25 | MI Michigan 6 | MN Minnesota 8.04 | MS Mississippi 7.06
MO Missouri 8.39 | MT Montana 0 | NE Nebraska 6.97 | NV Nevada 8.24 | NH New Hampshire 0
NJ New Jersey 6.6 | NM New Mexico 7.62 | NY New York 8.875 | NC North Carolina 7
ND North Dakota 7.04 | OH Ohio 7.24 | OK Oklahoma 8.99 | OR Oregon 0 | PA Pennsylvania 6.34
RI Rhode Island 7 | SC South Carolina 7.5 | SD South Dakota 6.11 | TN Tennessee 9.55
TX Texas 8.25 | UT Utah 7.25 | VT Vermont 6.36 | VA Virginia 5.77 | WA Washington 9.38
WV West Virginia 6.57 | WI Wisconsin 5.7 | WY Wyoming 5.44`;

/** A state: its two-letter abbreviation, its name, and its rate in percent. */
export interface State {
	abbrev: string;
	name: string;
	rate: number;
}

const states: State[] = [...table.matchAll(/([A-Z]{2}) ([A-Za-z ]+?) ([\d.]+)/g)].map(
	([, abbrev, name, rate]) => ({ abbrev: abbrev!, name: name!, rate: Number(rate) }),
);

/** The state for a name or an abbreviation in any case; undefined when there is no such state. */
export function findState(text: string | null | undefined): State | undefined {
	const wanted = text?.trim().toLowerCase();
	return states.find(
		(state) => state.abbrev.toLowerCase() === wanted || state.name.toLowerCase() === wanted,
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

/** The state of a location, with its tax rate. */
export const stateOf = (location: Row) =>
	findState(String(location.state_abbrev ?? location.state ?? ''));
