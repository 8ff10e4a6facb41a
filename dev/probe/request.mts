/** Writes a request: its path, and its fields in a format, under names and with lists of a variant. */
import { createRequire } from 'node:module';
import { camelCase, type Endpoint } from './contract.mts';
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

/** How a request is written. */
export interface Variant {
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

/** Forms have PascalCase names, JSON has camelCase ones. */
const spell = (name: string, format: Format) =>
	format === 'json' ? camelCase(name) : name.replace(/^./, (first) => first.toUpperCase());

export const isEntryList = (value: unknown): value is Fields[] =>
	Array.isArray(value) && value.some((entry) => typeof entry === 'object');

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

function listAs(value: unknown, lists: Lists): unknown {
	if (!Array.isArray(value) || lists === 'repeated') return value;
	return lists === 'commas' ? value.join(',') : JSON.stringify(value);
}

/** What a request works on could not be made or read; the message says what. */
export class NotTried extends Error {}

export const parametersOf = (path: string) =>
	[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** @throws NotTried when an ID of the path is missing */
export async function requestOf(
	{ method }: Endpoint,
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
		const chunks: Uint8Array[] = [];
		for await (const chunk of form.frame([content])) chunks.push(chunk);
		return { ...request, contentType: form.contentType, body: Buffer.concat(chunks) };
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
