/** Compares what was sent with what is read, and responses with the contract. */
import type { Json } from '../simulator/json.mts';
import { resolved, type Operation } from '../simulator/openapi.mts';

const lettersAndDigits = (value: unknown) =>
	String(value ?? '')
		.replace(/<[^>]*>/g, '')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();

/**
 * Whether what is read is what was sent, apart from rounding, HTML around a text, and what a service
 * adds to a number of a phone or a postal code.
 */
export function isSame(sent: unknown, read: unknown): boolean {
	if (typeof sent === 'number') return Math.abs(sent - Number(read)) < 0.005;
	if (typeof sent === 'boolean') return sent === (read ?? false);
	if (Array.isArray(sent)) return String(sent) === String(read);
	const [ours, theirs] = [lettersAndDigits(sent), lettersAndDigits(read)];
	return theirs.startsWith(ours) || theirs.endsWith(ours);
}

/** A value by its path: `customer.location.id`. */
export const valueAt = (record: Json, path: string): Json =>
	path.split('.').reduce((value, name) => value?.[name], record);

/** How records differ from the contract: by the name of the record, then by the field. */
export type Differences = Record<string, Record<string, string>>;

/** A name that no API gives a field may be a value of the account, as where a map is keyed by it. */
export const safeName = (name: string) => (/^[A-Za-z_]\w{0,60}$/.test(name) ? name : '(a value)');

/**
 * Adds how the body of a successful response differs from the contract. A record without a name in
 * the contract has that of the operation that returns it.
 */
export function compareRecords(endpoint: Operation, data: unknown, found: Differences): void {
	function compare(schema: Json, value: Json, record: string, place: string): void {
		if (schema.$ref !== undefined) {
			compare(resolved(schema), value, schema.$ref.split('/').at(-1), '');
			return;
		}
		if (schema.oneOf !== undefined) {
			// In this contract always: a record or null.
			if (value !== null) compare(schema.oneOf[0], value, record, place);
			return;
		}
		const { type, items = {}, properties = {}, required = [], additionalProperties = {} } = schema;
		const placeOf = (name: string) => [place, safeName(name)].filter((one) => one !== '').join('.');
		const report = (at: string, difference: string) => {
			(found[record] ??= {})[at || 'the record'] = difference;
		};
		if (!isOfType(type, value)) {
			report(place, `${typeOf(value)}, not ${[type].flat().join(' or ')}`);
		} else if (schema.enum?.includes(value) === false) {
			report(place, 'a value that the contract does not list');
		} else if (Array.isArray(value)) {
			for (const entry of value) compare(items, entry, record, `${place}[]`);
		} else if (typeOf(value) === 'object') {
			for (const name of required)
				if (!(name in value)) report(placeOf(name), 'absent, but required by the contract');
			for (const [name, member] of Object.entries<Json>(value)) {
				const known = properties[name] ?? additionalProperties;
				if (known === false) report(placeOf(name), 'not in the contract');
				else compare(known, member, record, placeOf(name));
			}
		}
	}
	if (endpoint.response !== undefined && data !== '') {
		compare(endpoint.response, data, endpoint.id, '');
	}
}

const typeOf = (value: unknown) =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const isOfType = (type: string | string[] | undefined, value: unknown) =>
	type === undefined ||
	[type]
		.flat()
		.some((one) => one === typeOf(value) || (one === 'integer' && Number.isInteger(value)));
