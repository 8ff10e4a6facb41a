/** Reads `/metadata`, which lists operations, and the page of each: `/json/metadata?op=NAME`. */
import { METHODS, type Described, type Shape } from './described.mts';
import { parseType, Types } from './types.mts';

const ENTITIES: Record<string, string> = {
	lt: '<',
	gt: '>',
	quot: '"',
	'#39': "'",
	nbsp: ' ',
	amp: '&',
};

const textOf = (html: string) =>
	html
		.replace(/<[^>]*>/g, '')
		.replace(/&(#?\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
		.trim();

/** The rows of all tables, as the texts of their cells. */
const rowsOf = (html: string) =>
	[...html.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/gi)].map(([, row]) =>
		[...row!.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/gi)].map(([, cell]) => textOf(cell!)),
	);

/** The names of the operations; empty when the page is something else. */
export function readOperationNames(page: unknown): string[] {
	if (typeof page !== 'string') return [];
	const names = [...page.matchAll(/metadata\?(?:[\w=]+&(?:amp;)?)?op=(\w+)/gi)].map(
		([, name]) => name!,
	);
	return [...new Set(names)];
}

/** The shape of an example. */
function shapeOf(value: unknown): Shape {
	if (Array.isArray(value)) {
		return value.length === 0
			? { type: 'list' }
			: { type: 'list', entries: shapeOf((value as unknown[])[0]) };
	}
	if (typeof value === 'object' && value !== null) {
		// The example of a dictionary has its types in place of names and values.
		const named = Object.entries(value).filter(([name]) => name !== 'String');
		const fields = named.map(([name, one]) => [name, shapeOf(one)]);
		if (named.length === 0) return { type: 'object' };
		return { type: 'object', fields: Object.fromEntries(fields) };
	}
	const type = typeof value;
	const isKnown = type === 'string' || type === 'number' || type === 'boolean';
	return { type: isKnown ? type : 'unknown' };
}

/** The JSON that begins behind a place; undefined when none does before the end or the next message. */
function jsonAfter(text: string, place: number): unknown {
	const end = text.indexOf('HTTP/1.1', place);
	const part = text.slice(place, end < 0 ? undefined : end);
	const start = part.search(/[{[]/);
	const last = Math.max(part.lastIndexOf('}'), part.lastIndexOf(']'));
	if (start < 0 || last < start) return undefined;
	try {
		return JSON.parse(part.slice(start, last + 1)) as unknown;
	} catch {
		return undefined;
	}
}

/** The parameters in the table, whose names are spelled as in .NET. */
function parametersIn(rows: string[][]): Shape {
	const types = new Types();
	const places = /^(path|body|form|query|model|formData)$/i;
	const parameters = rows.filter(([, place = '']) => places.test(place));
	return {
		type: 'object',
		fields: Object.fromEntries(
			parameters.map(([name, , type = '']) => [name!, types.shapeOf(parseType(type))]),
		),
		required: parameters.filter(([, , , required]) => required === 'Yes').map(([name]) => name!),
	};
}

/** The example has what the table has not: the fields inside of lists. */
function merged(table: Shape, example: Shape): Shape {
	const spelled = new Map(Object.keys(table.fields ?? {}).map((one) => [one.toLowerCase(), one]));
	const fields = Object.entries(example.fields ?? {}).map(([name, shape]) => [
		spelled.get(name.toLowerCase()) ?? name,
		shape,
	]);
	return { ...table, fields: { ...table.fields, ...Object.fromEntries(fields) } };
}

/** Reads the page of one operation, a `Described` for each route. */
export function readOperation(page: unknown): Described[] {
	if (typeof page !== 'string') return [];
	const rows = rowsOf(page);
	const text = textOf(page);
	const requestAt = /\b(?:GET|POST|PUT|PATCH|DELETE) \S+ HTTP\/1\.1/.exec(text);
	const responseAt = /HTTP\/1\.1 2\d\d/.exec(text);
	const asked = requestAt && jsonAfter(text, requestAt.index + requestAt[0].length);
	const returned = responseAt && jsonAfter(text, responseAt.index + responseAt[0].length);
	const request = merged(parametersIn(rows), shapeOf(asked ?? {}));
	return rows
		.filter(
			([verbs = '', path = '']) => path.startsWith('/') && /^[A-Z, ]+$|^All Verbs$/.test(verbs),
		)
		.map(([verbs, path]) => {
			const methods = verbs!.split(/[\s,]+/).filter((one) => METHODS.includes(one));
			return {
				methods: methods.length === 0 ? METHODS : methods,
				path: path!,
				request,
				response: returned === undefined || returned === null ? undefined : shapeOf(returned),
			};
		});
}
