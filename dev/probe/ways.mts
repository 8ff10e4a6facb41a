/** A way to send an operation: as this package does, or with another path, format, names or lists. */
import { createRequire } from 'node:module';
import { twinOf, type Endpoint } from './contract.mts';
import type { Correction, Fields, File, Format, Lists } from './model.mts';
import type { ProbeRequest } from './session.mts';

const load = createRequire(import.meta.url);
const { encodeFields, FORM } = load('../../dist/client/encoding.js');
const { multipart } = load('../../dist/client/uploadBody.js');

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

export const ownWay = ({ path, format }: Endpoint): Way => ({
	path,
	format: format === 'multipart' ? 'none' : format,
	lists: 'repeated',
	names: {},
});

/** Forms have PascalCase names, JSON has camelCase ones. */
const spell = (name: string, format: Format) =>
	format === 'json'
		? name.replace(/^./, (first) => first.toLowerCase())
		: name.replace(/^./, (first) => first.toUpperCase());

const isEntryList = (value: unknown): value is Fields[] =>
	Array.isArray(value) && value.some((entry) => typeof entry === 'object');

/** Every field by its path: `Items`, `Items[].itemId`. */
export const fieldPaths = (fields: Fields, parent = ''): string[] =>
	Object.entries(fields).flatMap(([name, value]) => [
		parent + name,
		...(isEntryList(value) ? fieldPaths(value[0]!, `${parent}${name}[].`) : []),
	]);

/** Fields under the names of a way, with its lists. */
function asSent(fields: Fields, way: Way, parent = ''): Fields {
	const sent: Fields = {};
	for (const [name, value] of Object.entries(fields)) {
		const own = parent === '' ? spell(name, way.format) : name;
		for (const theirs of way.names[parent + name] ?? [own]) {
			const spelled = parent === '' ? spell(theirs, way.format) : theirs;
			sent[spelled] = isEntryList(value)
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

/** @throws when an ID of the path is missing, which is a mistake of the caller */
export function fillPath(path: string, ids: Record<string, number>): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => {
		if (ids[name] === undefined) throw new TypeError(`No ${name} for ${path}`);
		return String(ids[name]);
	});
}

/** The names of the parameters of a path. */
export const parametersOf = (path: string) =>
	[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** The framing of a file, with the content type that is signed. */
async function multipartBody(fields: Record<string, string>, { name, content }: File) {
	const form = multipart(fields, [{ name, bytes: content.byteLength }]);
	const chunks: Uint8Array[] = [];
	for await (const chunk of form.frame([content])) chunks.push(chunk);
	return { contentType: form.contentType as string, body: Buffer.concat(chunks) };
}

export async function requestOf(
	{ method }: Endpoint,
	way: Way,
	ids: Record<string, number>,
	fields: Fields,
	file?: File,
): Promise<ProbeRequest> {
	const request = { method, path: fillPath(way.path, ids) };
	if (file !== undefined) {
		return { ...request, ...(await multipartBody(fields as Record<string, string>, file)) };
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

/** Formats and lists in the order in which they are tried. */
export function formsOf(
	{ method, format }: Endpoint,
	fields: Fields,
	first: Pick<Way, 'format' | 'lists'>,
): Pick<Way, 'format' | 'lists'>[] {
	const all: Format[] =
		method === 'DELETE'
			? ['none', 'form', 'json']
			: format === 'none'
				? ['none']
				: ['form', 'json'];
	// What is sent in a body is not sent without one.
	const formats = format === 'none' ? all : all.filter((one) => one !== 'none');
	const hasList = Object.values(fields).some((one) => Array.isArray(one) && !isEntryList(one));
	const lists: Lists[] = hasList ? ['repeated', 'commas', 'brackets'] : ['repeated'];
	const forms = formats.flatMap((one) => lists.map((list) => ({ format: one, lists: list })));
	const rank = (one: (typeof forms)[number]) =>
		Number(one.format !== first.format) * 2 + Number(one.lists !== first.lists);
	return forms.sort((one, other) => rank(one) - rank(other));
}

/** The other documented path, then those beside the check, as far as their IDs are known. */
export const otherPaths = (
	endpoint: Endpoint,
	listed: readonly string[],
	ids: Record<string, number>,
): string[] =>
	[twinOf(endpoint)?.path ?? '', ...listed].filter(
		(path) => path !== '' && parametersOf(path).every((name) => name in ids),
	);

const lastPart = (field: string) => field.slice(field.lastIndexOf('.') + 1);

/** What a way does differently from this package; undefined when nothing. */
export function correctionOf(endpoint: Endpoint, way: Way): Correction | undefined {
	const own = ownWay(endpoint);
	const correction: Correction = {};
	if (way.format !== own.format) correction.format = way.format;
	const names = Object.entries(way.names).flatMap(([field, [theirs = '']]) =>
		theirs.toLowerCase() === lastPart(field).toLowerCase() ? [] : [[field, theirs]],
	);
	if (names.length > 0) correction.names = Object.fromEntries(names);
	if (way.lists !== own.lists) correction.lists = way.lists;
	if (way.path !== own.path) correction.path = way.path;
	return Object.keys(correction).length === 0 ? undefined : correction;
}

/** The names that errors ask for and that were not sent, as paths: `Items[].itemId`. */
export function wantedNames(errorFields: readonly string[], sent: readonly string[]): string[] {
	const known = new Set(sent.map((one) => lastPart(one).toLowerCase()));
	const paths = errorFields.map((one) =>
		one.replace(/\[\d*\]/g, '[]').replace(/^(?:body|request|dto)\./i, ''),
	);
	return [...new Set(paths)].filter(
		(path) => /^\w+(\[\]\.\w+)?$/.test(path) && !known.has(lastPart(path).toLowerCase()),
	);
}

const MOST_ASSIGNMENTS = 12;

/** Ways to give the wanted names to fields on the same level, the likely ones first. */
export function assignments(
	wanted: readonly string[],
	fields: readonly string[],
): Record<string, string[]>[] {
	const isInner = (path: string) => path.includes('.');
	const pairs = (names: string[], ours: readonly string[]): Record<string, string[]>[] => {
		const [name, ...rest] = names;
		if (name === undefined || ours.length === 0) return [{}];
		return ours.flatMap((own) =>
			pairs(
				rest,
				ours.filter((one) => one !== own),
			).map((others) => ({ [own]: [lastPart(name)], ...others })),
		);
	};
	const onLevel = (inner: boolean) =>
		pairs(
			// More at once are too many combinations; the rest follows in the next round.
			wanted.filter((one) => isInner(one) === inner).slice(0, 3),
			fields.filter((one) => isInner(one) === inner),
		);
	const score = (names: Record<string, string[]>) =>
		Object.entries(names).reduce(
			(sum, [own, [theirs]]) => sum + likeness(lastPart(own), theirs!),
			0,
		);
	return onLevel(false)
		.flatMap((outer) => onLevel(true).map((inner) => ({ ...outer, ...inner })))
		.filter((names) => Object.keys(names).length > 0)
		.sort((one, other) => score(other) - score(one))
		.slice(0, MOST_ASSIGNMENTS);
}

const wordsOf = (name: string) => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];

/** How many words two names share, of those that they have. */
function likeness(one: string, other: string): number {
	const words = wordsOf(one).map((word) => word.toLowerCase());
	const shared = wordsOf(other).filter((word) => words.includes(word.toLowerCase()));
	return shared.length / Math.max(words.length, wordsOf(other).length);
}
