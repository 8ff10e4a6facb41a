/** The ways to send an operation: as this package does, or with another path, format, names or lists. */
import { createRequire } from 'node:module';
import { endpoints, type Endpoint } from './contract.mts';
import type { ProbeRequest } from './session.mts';

const load = createRequire(import.meta.url);
const { encodeFields, FORM } = load('../../dist/client/encoding.js');
const { multipart } = load('../../dist/client/uploadBody.js');

export type Format = 'form' | 'json' | 'none';

/** How a list goes into a form or a query: `A=1&A=2`, `A=1,2` or `A=[1,2]`. */
export type Lists = 'repeated' | 'commas' | 'brackets';

/** Names of the contract and what is sent under them. */
export type Fields = Record<string, unknown>;

/** A file in a multipart body. */
export interface File {
	name: string;
	content: Buffer;
}

export interface Way {
	/** With its parameters in braces. */
	path: string;
	format: Format;
	lists: Lists;
	/**
	 * What a field is sent as in place of its own name; several while it is not known which of them
	 * counts. Fields of list entries as `Items[].itemId`.
	 */
	names: Record<string, readonly string[]>;
}

/** What to send in place of what this package sends. */
export interface Correction {
	format?: Format;
	/** The service's name by the name of the contract; of list entries as `Items[].itemId`. */
	names?: Record<string, string>;
	lists?: Lists;
	path?: string;
}

/** As this package sends it. */
export const ownWay = ({ path, format }: Endpoint): Way => ({
	path,
	format: format === 'multipart' ? 'none' : format,
	lists: 'repeated',
	names: {},
});

const lastPart = (field: string) => field.slice(field.lastIndexOf('.') + 1);

/** What a way does differently from this package; undefined when nothing. */
export function correctionOf(endpoint: Endpoint, way: Way): Correction | undefined {
	const own = ownWay(endpoint);
	const names = Object.entries(way.names).flatMap(([field, [theirs = '']]) =>
		theirs.toLowerCase() === lastPart(field).toLowerCase() ? [] : [[field, theirs]],
	);
	const correction: Correction = {
		...(way.format !== own.format && { format: way.format }),
		...(names.length > 0 && { names: Object.fromEntries(names) }),
		...(way.lists !== own.lists && { lists: way.lists }),
		...(way.path !== own.path && { path: way.path }),
	};
	return Object.keys(correction).length === 0 ? undefined : correction;
}

// ------------------------------------------------------------------ a request

/** Forms have PascalCase names, JSON has camelCase ones. */
const spell = (name: string, format: Format) =>
	format === 'json'
		? name.replace(/^./, (first) => first.toLowerCase())
		: name.replace(/^./, (first) => first.toUpperCase());

const isEntryList = (value: unknown): value is Fields[] =>
	Array.isArray(value) && value.some((entry) => typeof entry === 'object');

/** Fields under the names of a way, with its lists. */
function asSent(fields: Fields, way: Way, parent = ''): Fields {
	const sent: Fields = {};
	for (const [name, value] of Object.entries(fields)) {
		for (const theirs of way.names[parent + name] ?? [name]) {
			sent[parent === '' ? spell(theirs, way.format) : theirs] = isEntryList(value)
				? value.map((entry) => asSent(entry, way, `${parent}${name}[].`))
				: listAs(value, way.lists);
		}
	}
	return sent;
}

function listAs(value: unknown, lists: Lists): unknown {
	if (!Array.isArray(value) || lists === 'repeated') return value;
	return lists === 'commas' ? value.join(',') : JSON.stringify(value);
}

/** The names of the parameters of a path. */
export const parametersOf = (path: string) =>
	[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** @throws when an ID of the path is missing, which is a mistake of the caller */
export async function requestOf(
	{ method }: Endpoint,
	way: Way,
	ids: Record<string, number>,
	fields: Fields,
	file?: File,
): Promise<ProbeRequest> {
	const path = way.path.replace(/\{(\w+)\}/g, (_, name: string) => {
		if (ids[name] === undefined) throw new TypeError(`No ${name} for ${way.path}`);
		return String(ids[name]);
	});
	const request = { method, path };
	if (file !== undefined) {
		const { name, content } = file;
		const form = multipart(fields as Record<string, string>, [{ name, bytes: content.byteLength }]);
		const chunks: Uint8Array[] = [];
		for await (const chunk of form.frame([content])) chunks.push(chunk);
		return { ...request, contentType: form.contentType, body: Buffer.concat(chunks) };
	}
	// What another path has in itself is not sent once more.
	const inPath = parametersOf(way.path);
	const own = Object.entries(fields).filter(([name]) => !inPath.includes(name));
	const sent = asSent(Object.fromEntries(own), way);
	if (method === 'GET') return { ...request, query: sent };
	if (way.format === 'none') return request;
	return way.format === 'json'
		? { ...request, contentType: 'application/json', body: JSON.stringify(sent) }
		: { ...request, contentType: FORM, body: encodeFields(sent) };
}

// ------------------------------------------------------------------ other ways

/** The other documented path, then those beside the check, as far as their IDs are known. */
export function otherPaths(
	{ operation }: Endpoint,
	listed: readonly string[],
	ids: Record<string, number>,
): string[] {
	const twin = endpoints.find(
		(one) =>
			one.operation === `${operation}.alternate` || `${one.operation}.alternate` === operation,
	);
	return [...(twin === undefined ? [] : [twin.path]), ...listed].filter((path) =>
		parametersOf(path).every((name) => name in ids),
	);
}

/** Every field by its path: `Items`, `Items[].itemId`. */
export const fieldPaths = (fields: Fields, parent = ''): string[] =>
	Object.entries(fields).flatMap(([name, value]) => [
		parent + name,
		...(isEntryList(value) ? fieldPaths(value[0]!, `${parent}${name}[].`) : []),
	]);

/** What corrected other endpoints, and is tried first. */
export type Learned = Pick<Way, 'format' | 'lists' | 'names'>;

/**
 * Other ways, the likely ones first: other formats and lists, then names of other endpoints, then
 * names that errors ask for, then the names beside the check. Some come twice.
 *
 * @param wanted what errors ask for; grows while the ways are tried
 */
export function* otherWays(
	{ method, format }: Endpoint,
	fields: Fields,
	base: Way,
	learned: Learned | undefined,
	wanted: ReadonlySet<string>,
	otherNames: Way['names'] = {},
): Generator<Way> {
	const paths = fieldPaths(fields);
	const hasList = Object.values(fields).some((one) => Array.isArray(one) && !isEntryList(one));
	const lists: Lists[] = hasList ? ['repeated', 'commas', 'brackets'] : ['repeated'];
	const formats: Format[] = format === 'none' ? ['none'] : ['form', 'json'];
	if (format === 'none' && method === 'DELETE') formats.push('form', 'json');
	const forms = formats.flatMap((one) => lists.map((list) => ({ format: one, lists: list })));
	const rank = (one: (typeof forms)[number]) =>
		Number(one.format !== (learned ?? base).format) * 2 +
		Number(one.lists !== (learned ?? base).lists);
	forms.sort((one, other) => rank(one) - rank(other));
	const inAllForms = (names: Way['names']) => forms.map((form) => ({ ...base, ...form, names }));

	yield* inAllForms({});
	const known = Object.entries(learned?.names ?? {}).filter(([field]) => paths.includes(field));
	yield* inAllForms(Object.fromEntries(known));
	for (let asked = -1; asked < wanted.size;) {
		asked = wanted.size;
		for (const names of renamings([...wanted], paths)) yield* inAllForms(names);
	}
	// Together with our own name, as the service ignores those that it does not know.
	const listed = Object.entries(otherNames).map(([field, names]) => [
		field,
		[lastPart(field), ...names],
	]);
	yield* inAllForms(Object.fromEntries(listed));
}

/** The names that errors ask for and that were not sent, as paths: `Items[].itemId`. */
export function wantedNames(errorFields: readonly string[], sent: readonly string[]): string[] {
	const known = sent.map((one) => lastPart(one).toLowerCase());
	return errorFields
		.map((one) => one.replace(/\[\d*\]/g, '[]').replace(/^(?:body|request|dto)\./i, ''))
		.filter((path) => /^\w+(\[\]\.\w+)?$/.test(path))
		.filter((path) => !known.includes(lastPart(path).toLowerCase()));
}

const MOST_RENAMINGS = 12;

/** How fields could get the wanted names, on the same level; those with words in common first. */
function renamings(wanted: readonly string[], fields: readonly string[]): Way['names'][] {
	const isInner = (path: string) => path.includes('.');
	const assign = (names: string[], free: readonly string[]): Record<string, string[]>[] => {
		const [name, ...rest] = names;
		if (name === undefined) return [{}];
		const same = free.filter((own) => isInner(own) === isInner(name));
		// More names than fields: some are not for what we send.
		if (same.length === 0) return assign(rest, free);
		return same.flatMap((own) =>
			assign(
				rest,
				free.filter((one) => one !== own),
			).map((others) => ({ [own]: [lastPart(name)], ...others })),
		);
	};
	const score = (names: Record<string, string[]>) =>
		Object.entries(names).reduce(
			(sum, [own, [theirs]]) => sum + likeness(lastPart(own), theirs!),
			0,
		);
	// More at once are too many combinations; the rest follows in the next round.
	return assign([...wanted].slice(0, 4), fields)
		.sort((one, other) => score(other) - score(one))
		.slice(0, MOST_RENAMINGS);
}

const wordsOf = (name: string) => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];

/** How many words two names share, of those that they have. */
function likeness(one: string, other: string): number {
	const words = wordsOf(one).map((word) => word.toLowerCase());
	const shared = wordsOf(other).filter((word) => words.includes(word.toLowerCase()));
	return shared.length / Math.max(words.length, wordsOf(other).length);
}
