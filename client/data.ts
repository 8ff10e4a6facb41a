import type { IDataObject } from 'n8n-workflow';
import { PortalError } from './errors';

/** Says that a response does not have its documented shape. */
export class ShapeError extends PortalError {
	constructor(what: string, response: unknown) {
		super(`Unexpected response: Portal.io did not return ${what}`, {
			advice: [
				`It returned ${describe(response)}. Check the 'Environment' and 'Base URL' of the credential. If this continues, contact support@portal.io.`,
			],
		});
	}
}

/**
 * Finds the records of a list in a response: a bare array, the list under the documented name in any
 * case, or the only array. Without one, the list is empty if the property `count` is 0; otherwise this
 * throws a ShapeError.
 */
export function takeList(response: unknown, name: string, count?: string): IDataObject[] {
	const list = Array.isArray(response) ? response : listIn(response, name);
	if (isRecords(list)) return list;
	if (list === undefined && count !== undefined && valueUnder(response, count) === 0) return [];
	throw new ShapeError(`the list '${name}'`, response);
}

function listIn(response: unknown, name: string): unknown[] | undefined {
	if (!isRecord(response)) return undefined;
	const named = valueUnder(response, name);
	// If the value under the name is not a list, no other array is the list either.
	const values: unknown[] = named === undefined ? Object.values(response) : [named];
	const lists = values.filter((value) => Array.isArray(value));
	return lists.length === 1 ? lists[0] : undefined;
}

/** Whether something is a JSON object. */
export const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const isRecords = (value: unknown): value is IDataObject[] =>
	Array.isArray(value) && value.every(isRecord);

export const asRecord = (value: unknown): IDataObject | undefined =>
	isRecord(value) ? value : undefined;

/** The value of an object under a name in any case. */
export function valueUnder(response: unknown, name: string): unknown {
	if (!isRecord(response)) return undefined;
	if (name in response) return response[name];
	const lower = name.toLowerCase();
	const key = Object.keys(response).find((one) => one.toLowerCase() === lower);
	return key === undefined ? undefined : response[key];
}

/** The list of records under a name, which may be absent. Throws a ShapeError for any other value. */
export function listOrNone<T>(response: unknown, name: string): T[] {
	const value = valueUnder(response, name) ?? [];
	if (isRecords(value)) return value as T[];
	throw new ShapeError(`the list '${name}'`, value);
}

/** Describes a response without its values, which may be confidential. */
function describe(response: unknown): string {
	if (Array.isArray(response)) return 'an array with entries that are not records';
	if (!isRecord(response)) return response === '' ? 'nothing' : `a ${typeof response}`;
	const names = Object.keys(response).slice(0, 5);
	return names.length === 0
		? 'an empty object'
		: `an object with ${names.map((name) => `'${name.slice(0, 40)}'`).join(', ')}`;
}

const ISO =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?)? ?(Z|([+-]\d{2}):?(\d{2}))?$/i;

/**
 * Parses a date of the service, in UTC unless it names a time zone (docs/dev/portal-api.md#bodies), to
 * milliseconds since 1970. Undefined for anything else, and for the year 1: a missing date.
 */
export function parseTime(date: unknown): number | undefined {
	const parts = ISO.exec(typeof date === 'string' ? date.trim() : '');
	if (parts === null) return undefined;
	const [, day, time = '00:00', decimals = '0', , hours = '+00', minutes = '00'] = parts;
	const seconds = Date.parse(`${day}T${time}${hours}:${minutes}`);
	return seconds > 0 ? seconds + Number(decimals) * 1000 : undefined;
}

/** A date of a record or event without a time zone, in JSON without spaces. */
const WITHOUT_ZONE =
	/([{,]"(?:created|\w{0,50}date)":"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?)"/gi;

/** Marks the dates in a JSON text as UTC: without a zone, n8n would read them in that of the workflow. */
export const markUtc = (json: string): string => json.replace(WITHOUT_ZONE, '$1Z"');
