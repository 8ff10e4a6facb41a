/** A way to send an operation: as this package does, or with other names, format, lists or path. */
import type { Endpoint } from './contract.mts';
import type { Body, Correction, FileBody, Format, Lists, ProbeRequest } from './model.mts';
import type { Ids, Query, Values } from './trial.mts';

/** How the fields of an operation go over the wire. */
export interface Way {
	/** With its parameters in braces. */
	path: string;
	format: Format;
	/**
	 * The names that a field is sent under, in place of its own: several when it is not yet known
	 * which of them counts. Fields of list entries as `Items[].itemId`.
	 */
	names: Record<string, readonly string[]>;
	lists: Lists;
	/** The service's values of enumerations by field and by the package's value. */
	values: Record<string, Record<string, string>>;
	/** Parameters that the path does not have, and that are sent as fields. */
	ids: readonly string[];
}

/** What goes into a request. */
export interface Content {
	ids?: Ids | undefined;
	query?: Query | undefined;
	values?: Values | undefined;
	file?: FileBody | undefined;
}

/** The way of this package. */
export const ownWay = ({ path, format }: Endpoint): Way => ({
	path,
	format: format === 'json' ? 'json' : 'form',
	names: {},
	lists: 'repeated',
	values: {},
	ids: [],
});

/** The name of a field as a format spells it: forms have PascalCase, JSON has camelCase. */
export const spell = (name: string, format: Format) =>
	format === 'json'
		? name.replace(/^./, (first) => first.toLowerCase())
		: name.replace(/^./, (first) => first.toUpperCase());

const isEntryList = (value: unknown): value is Values[] =>
	Array.isArray(value) && value.some((entry) => typeof entry === 'object' && entry !== null);

/** Fields under the names that a way has for them. */
function renamed(fields: Values, way: Way, parent = ''): Values {
	const sent: Values = {};
	for (const [name, value] of Object.entries(fields)) {
		const field = parent + name;
		// Names inside of list entries are in camelCase in either format.
		const own = parent === '' ? spell(name, way.format) : name;
		const other = (one: unknown) => way.values[field]?.[String(one)] ?? one;
		for (const theirs of way.names[field] ?? [own]) {
			if (isEntryList(value)) sent[theirs] = value.map((one) => renamed(one, way, `${field}[].`));
			else sent[theirs] = Array.isArray(value) ? value.map(other) : other(value);
		}
	}
	return sent;
}

/** The query under the names of the contract, which does not depend on the format of bodies. */
function queryOf(query: Query, way: Way): Query {
	const sent = renamed(query, { ...way, format: 'form' });
	if (way.lists === 'repeated') return sent;
	return Object.fromEntries(
		Object.entries(sent).map(([name, value]) => {
			if (!Array.isArray(value)) return [name, value];
			return [name, way.lists === 'commas' ? value.join(',') : JSON.stringify(value)];
		}),
	);
}

/** @throws when an ID of the path is missing, which is a mistake of the caller */
export function fillPath(path: string, ids: Ids = {}): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const id = ids[name];
		if (id === undefined) throw new TypeError(`No ${name} for ${path}`);
		return String(id);
	});
}

/** The request that sends an endpoint in a way. */
export function requestOf(
	{ method, format }: Endpoint,
	way: Way,
	{ ids, query, values = {}, file }: Content,
): ProbeRequest {
	const request: ProbeRequest = { method, path: fillPath(way.path, ids) };
	const moved = Object.fromEntries(way.ids.map((name) => [name, ids?.[name]]));
	const isRead = format === 'none';
	if (query !== undefined || (isRead && way.ids.length > 0)) {
		request.query = queryOf({ ...(isRead && moved), ...query }, way);
	}
	if (file !== undefined) request.body = file;
	else if (!isRead) request.body = bodyOf(way, { ...moved, ...values });
	return request;
}

function bodyOf(way: Way, values: Values): Body {
	const body: Body = { format: way.format, values: renamed(values, way) };
	if (way.lists !== 'repeated') body.lists = way.lists;
	return body;
}

const isSameWord = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The names of the parameters of a path. */
export const parametersOf = (path: string) =>
	[...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => name!);

/** The last part of a field's path: `itemId` of `Items[].itemId`. */
export const lastPart = (field: string) => field.slice(field.lastIndexOf('.') + 1);

/**
 * What a way does differently from this package; undefined when nothing. A name in another case is
 * the same name. A parameter that is no longer in the path is among the names, as a field.
 */
export function correctionOf(endpoint: Endpoint, way: Way): Correction | undefined {
	const own = ownWay(endpoint);
	const correction: Correction = { format: way.format, names: {} };
	for (const [field, [theirs]] of Object.entries(way.names)) {
		if (theirs !== undefined && !isSameWord(theirs, lastPart(field))) {
			correction.names[field] = theirs;
		}
	}
	for (const name of way.ids) correction.names[name] = spell(name, way.format);
	if (way.lists !== own.lists) correction.lists = way.lists;
	if (way.path !== own.path) correction.path = way.path;
	if (Object.keys(way.values).length > 0) correction.values = way.values;
	const isOwn =
		way.format === own.format &&
		Object.keys(correction).length === 2 &&
		Object.keys(correction.names).length === 0;
	return isOwn ? undefined : correction;
}
