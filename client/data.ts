import { UserError, type IDataObject } from 'n8n-workflow';

/** Says that a response does not have the shape that the documentation gives it. */
export class ShapeError extends UserError {
	constructor(what: string, response: unknown) {
		super(`Unexpected response: Portal.io did not return ${what}`, {
			description: `It returned ${describe(response)}. Check the 'Environment' and 'Base URL' of the credential. If this continues, contact support@portal.io.`,
		});
	}
}

/**
 * Takes the records of a list out of a response: a bare array, what the object holds under the
 * documented name in any case, or its only array. A response without a list is never an empty one,
 * unless its count is 0.
 *
 * @param name of the property with the list
 * @param count of the property with the number of records over all pages, if there is one
 * @throws ShapeError for anything else
 */
export function takeList(response: unknown, name: string, count?: string): IDataObject[] {
	const list = Array.isArray(response) ? response : listIn(response, name);
	if (list?.every(isRecord)) return list;
	if (list === undefined && count !== undefined && valueUnder(response, count) === 0) return [];
	throw new ShapeError(`the list '${name}'`, response);
}

/** Whether something is a JSON object. */
export const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Something as a JSON object; undefined when it is none. */
export const asRecord = (value: unknown): IDataObject | undefined =>
	isRecord(value) ? value : undefined;

/** What an object holds under a name, whose case may differ; undefined where it is no object. */
export function valueUnder(response: unknown, name: string): unknown {
	if (!isRecord(response)) return undefined;
	const sought = name.toLowerCase();
	const found =
		name in response ? name : Object.keys(response).find((key) => key.toLowerCase() === sought);
	return found === undefined ? undefined : response[found];
}

/**
 * The records that an object holds under a name where there may be none, as in the areas of a proposal.
 *
 * @throws ShapeError for what is there and is no list of records
 */
export function listOrNone<T>(response: unknown, name: string): T[] {
	const value = valueUnder(response, name) ?? [];
	if (Array.isArray(value) && value.every(isRecord)) return value as T[];
	throw new ShapeError(`the list '${name}'`, value);
}

function listIn(response: unknown, name: string): unknown[] | undefined {
	if (!isRecord(response)) return undefined;
	const named = valueUnder(response, name);
	// Beside a name that holds nothing, another array is not the list.
	const values: unknown[] = named === undefined ? Object.values(response) : [named];
	const lists = values.filter((value) => Array.isArray(value));
	return lists.length === 1 ? lists[0] : undefined;
}

const MAX_NAMES = 5;

/** What somebody needs to know of a response to see where it came from; no values of it. */
function describe(response: unknown): string {
	if (Array.isArray(response)) return 'an array with entries that are not records';
	if (!isRecord(response)) return response === '' ? 'nothing' : `a ${typeof response}`;
	const names = Object.keys(response).slice(0, MAX_NAMES);
	return names.length === 0
		? 'an empty object'
		: `an object with ${names.map((name) => `'${name.slice(0, 40)}'`).join(', ')}`;
}

/** ISO 8601: a date, mostly with a time of day, decimals and a time zone. */
const ISO =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?)? ?(Z|([+-]\d{2}):?(\d{2}))?$/i;

/**
 * Parses a date of the service: with up to seven decimals, and in UTC unless it names a time zone
 * (docs/dev/portal-api.md#bodies).
 *
 * @returns milliseconds since 1970, with decimals where the service has them; undefined for anything
 * else, and for the year 1, which the service's framework writes for a missing date
 */
export function parseTime(date: unknown): number | undefined {
	const parts = ISO.exec(typeof date === 'string' ? date.trim() : '');
	if (parts === null) return undefined;
	const [, day, time = '00:00', decimals = '0', , hours = '+00', minutes = '00'] = parts;
	const seconds = Date.parse(`${day}T${time}${hours}:${minutes}`);
	return seconds > 0 ? seconds + Number(decimals) * 1000 : undefined;
}

/** A date of a record without a time zone, in JSON as the service writes it. */
const WITHOUT_ZONE = /([{,]"\w{0,50}date":"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?)"/gi;

/**
 * Marks the dates in a JSON text as UTC where they have no time zone: n8n would read them in the time
 * zone of the workflow.
 */
export const markUtc = (json: string): string => json.replace(WITHOUT_ZONE, '$1Z"');
