import type { IDataObject } from 'n8n-workflow';
import { CHECK_URL, CONTACT_SUPPORT, PortalError } from './errors';

export class ShapeError extends PortalError {
	constructor(what: string, response: unknown) {
		super(`Unexpected response: Portal.io did not return ${what}`, {
			advice: [`It returned ${describeShape(response)}. ${CHECK_URL} ${CONTACT_SUPPORT}`],
		});
	}
}

/**
 * Returns the records in a response. The response can be a bare array, contain the list under `name` (ignoring case),
 * or contain a single array under another name. Throws a ShapeError if the response has none of these forms, unless the
 * property that `count` names is 0.
 */
export function requireList(response: unknown, name: string, count?: string): IDataObject[] {
	let list = Array.isArray(response) ? response : valueUnder(response, name);
	// Look for another array only if no property has the documented name.
	if (list === undefined && isRecord(response)) {
		const lists = Object.values(response).filter((value) => Array.isArray(value));
		if (lists.length === 1) list = lists[0];
	}
	if (isRecords(list)) return list;
	const isEmpty = count !== undefined && valueUnder(response, count) === 0;
	if (isEmpty && !Array.isArray(list)) return [];
	throw new ShapeError(`the list '${name}'`, response);
}

export const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const isRecords = (value: unknown): value is IDataObject[] =>
	Array.isArray(value) && value.every(isRecord);

export const asRecord = (value: unknown): IDataObject | undefined =>
	isRecord(value) ? value : undefined;

/** Reads a property regardless of the case of its name. */
export function valueUnder(response: unknown, name: string): unknown {
	if (!isRecord(response)) return undefined;
	if (name in response) return response[name];
	const lower = name.toLowerCase();
	for (const key in response) if (key.toLowerCase() === lower) return response[key];
	return undefined;
}

export function textUnder(record: unknown, name: string): string {
	const value = valueUnder(record, name);
	return typeof value === 'string' ? value.trim() : '';
}

/** Reads a list. Returns an empty list if the property is missing. Throws a ShapeError if its value is not a list. */
export function optionalList<T = IDataObject>(response: unknown, name: string): T[] {
	const value = valueUnder(response, name) ?? [];
	if (isRecords(value)) return value as T[];
	throw new ShapeError(`the list '${name}'`, value);
}

/** Describes a response without its values, which can be confidential. */
function describeShape(response: unknown): string {
	if (Array.isArray(response)) return 'an array with entries that are not records';
	if (!isRecord(response)) return (response ?? '') === '' ? 'nothing' : `a ${typeof response}`;
	const names = Object.keys(response).slice(0, 5);
	return names.length === 0
		? 'an empty object'
		: `an object with ${names.map((name) => `'${name.slice(0, 40)}'`).join(', ')}`;
}
