/** How a request is written: its path, its format, the names of its fields and its lists. */
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { camelCase, operations, type Operation } from '../simulator/openapi.mts';
import type { ProbeRequest } from './session.mts';

const load = createRequire(import.meta.url);
const { encodeFields, FORM } = load('../../dist/client/encoding.js');
const { multipart } = load('../../dist/client/uploadBody.js');

/** Names of the contract and what is sent under them. */
export type Fields = Record<string, unknown>;

/** A file in a multipart body. */
export interface File {
	name: string;
	content: Buffer;
}

/**
 * What a field is sent as in place of its own name; several while it is not known which of them
 * counts. Fields of list entries are written as `Items[].itemId`.
 */
export type Names = Record<string, readonly string[]>;

/** How a request is written. */
export interface Variant {
	/** With its parameters in braces. */
	path: string;
	format: 'form' | 'json' | 'none';
	/** How a list goes into a form or a query: `A=1&A=2`, `A=1,2` or `A=[1,2]`. */
	lists: 'repeated' | 'commas' | 'brackets';
	names: Names;
}

/** What to send in place of what this package sends, with one name for a field. */
export type Correction = Partial<Omit<Variant, 'names'>> & { names?: Record<string, string> };

/** What a request works on could not be made or read; the message says what. */
export class NotTried extends Error {}

/** `itemId` of `Items[].itemId`. */
export const lastPart = (field: string) => field.slice(field.lastIndexOf('.') + 1);

const isEntryList = (value: unknown): value is Fields[] =>
	Array.isArray(value) && value.some((entry) => typeof entry === 'object');

/** Every field by its path: `Items`, `Items[].itemId`. */
export const fieldPaths = (fields: Fields, parent = ''): string[] =>
	Object.entries(fields).flatMap(([name, value]) => [
		parent + name,
		...(isEntryList(value) ? fieldPaths(value[0]!, `${parent}${name}[].`) : []),
	]);

// ------------------------------------------------------------------ variants

/** As this package sends it. */
export const ownVariant = ({ path, format }: Operation): Variant => ({
	path,
	format: format === 'multipart' ? 'none' : format,
	lists: 'repeated',
	names: {},
});

/** In every format, with every form of lists; as this package sends it first. */
export function inAllForms({ format }: Operation, fields: Fields, variant: Variant): Variant[] {
	const hasList = Object.values(fields).some((one) => Array.isArray(one) && !isEntryList(one));
	const formats = format === 'none' ? (['none'] as const) : (['form', 'json'] as const);
	const lists = hasList ? (['repeated', 'commas', 'brackets'] as const) : (['repeated'] as const);
	return formats.flatMap((one) => lists.map((list) => ({ ...variant, format: one, lists: list })));
}

/** The names beside a check together with our own, as a service ignores those it does not know. */
export const withOwnNames = (otherNames: Names): Names =>
	Object.fromEntries(
		Object.entries(otherNames).map(([field, others]) => [field, [lastPart(field), ...others]]),
	);

/** The names that errors ask for and that were not sent, as paths: `Items[].itemId`. */
export function wantedNames(errorFields: readonly string[], sent: readonly string[]): string[] {
	const known = sent.map((one) => lastPart(one).toLowerCase());
	return errorFields
		.map((one) => one.replace(/\[\d*\]/g, '[]').replace(/^(?:body|request|dto)\./i, ''))
		.filter((path) => /^\w+(\[\]\.\w+)?$/.test(path))
		.filter((path) => !known.includes(lastPart(path).toLowerCase()));
}

const MOST_RENAMINGS = 24;

/** How fields could get the wanted names, on the same level; those with words in common first. */
export function renamings(wanted: readonly string[], fields: readonly string[]): Names[] {
	let all: Names[] = [{}];
	for (const name of wanted) {
		const extended = all.flatMap((names) => {
			const free = fields
				.filter((field) => !(field in names) && field.includes('.') === name.includes('.'))
				.sort((one, other) => sharedWords(other, name) - sharedWords(one, name));
			// More names than fields: this one is not for what we send.
			return free.length === 0
				? [names]
				: free.map((field) => ({ ...names, [field]: [lastPart(name)] }));
		});
		all = extended.slice(0, MOST_RENAMINGS);
	}
	return all;
}

function sharedWords(one: string, other: string): number {
	const wordsOf = (path: string) => lastPart(path).match(/[A-Z]?[a-z]+/g) ?? [];
	const words = wordsOf(one).map((word) => word.toLowerCase());
	return wordsOf(other).filter((word) => words.includes(word.toLowerCase())).length;
}

/** The other documented paths of an operation, as far as their IDs are known. */
export const otherPaths = ({ id, name }: Operation, ids: Record<string, number>): string[] =>
	operations
		.filter((one) => one.id !== id && one.name === name)
		.map(({ path }) => path)
		.filter((path) => parametersOf(path).every((name) => name in ids));

/** What a variant does differently from this package; undefined when nothing. */
export function correctionOf(endpoint: Operation, variant: Variant): Correction | undefined {
	const own = ownVariant(endpoint);
	const correction: Correction = {};
	if (variant.format !== own.format) correction.format = variant.format;
	for (const [field, [name = '']] of Object.entries(variant.names)) {
		if (name !== lastPart(field)) (correction.names ??= {})[field] = name;
	}
	if (variant.lists !== own.lists) correction.lists = variant.lists;
	if (variant.path !== own.path) correction.path = variant.path;
	return Object.keys(correction).length === 0 ? undefined : correction;
}

// ------------------------------------------------------------------ writing

const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** @throws NotTried when an ID of the path is missing */
export async function requestOf(
	{ method }: Operation,
	variant: Variant,
	ids: Record<string, number>,
	fields: Fields,
	file?: File,
): Promise<ProbeRequest> {
	const path = variant.path.replace(/\{(\w+)\}/g, (_, name: string) => {
		if (ids[name] === undefined) throw new NotTried(`There is no ${name} to try it with.`);
		return String(ids[name]);
	});
	const request = { method, path };
	if (file !== undefined) {
		const { name, content } = file;
		const form = multipart(fields as Record<string, string>, [{ name, bytes: content.byteLength }]);
		const body = await buffer(form.frame([content]));
		// A path without the proposal is told of it beside the form, as the list of content is.
		const { ProposalId } = ids;
		const query = variant.path.includes('{ProposalId}') ? {} : { ProposalId };
		return { ...request, query, contentType: form.contentType, body };
	}
	// What another path has in itself is not sent once more.
	const inPath = parametersOf(variant.path);
	const own = Object.entries(fields).filter(([name]) => !inPath.includes(name));
	const sent = asSent(Object.fromEntries(own), variant);
	if (method === 'GET') return { ...request, query: sent };
	if (variant.format === 'none') return request;
	return variant.format === 'json'
		? { ...request, contentType: 'application/json', body: JSON.stringify(sent) }
		: { ...request, contentType: FORM, body: encodeFields(sent) };
}

/** Fields under the names of a variant, with its lists. */
function asSent(fields: Fields, variant: Variant, parent = ''): Fields {
	const sent: Fields = {};
	for (const [name, value] of Object.entries(fields)) {
		for (const theirs of variant.names[parent + name] ?? [name]) {
			sent[parent === '' ? spell(theirs, variant.format) : theirs] = isEntryList(value)
				? value.map((entry) => asSent(entry, variant, `${parent}${name}[].`))
				: listAs(value, variant.lists);
		}
	}
	return sent;
}

/** Forms have PascalCase names, JSON has camelCase ones. */
const spell = (name: string, format: Variant['format']) =>
	format === 'json' ? camelCase(name) : name.replace(/^./, (first) => first.toUpperCase());

function listAs(value: unknown, lists: Variant['lists']): unknown {
	if (!Array.isArray(value) || lists === 'repeated') return value;
	return lists === 'commas' ? value.join(',') : JSON.stringify(value);
}
