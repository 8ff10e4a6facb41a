/**
 * Binds requests as ServiceStack does, the framework behind Portal.io. test/simulator/binder.test.mts has an example of
 * each rule. JSV is ServiceStack's format for lists and objects in a query or form.
 */
import { enumerations, objects, type Field, type Json } from './contract.mts';
import { ServiceError } from './errors.mts';

export type Values = Record<string, Json>;

/** Converts text to a value. Returns undefined for text that doesn't match the type. */
type Reader = (text: string) => Json;

const INT = /^[ \t\r\n]*(?:\d+|-(?:0|[1-9]\d*))[ \t\r\n]*$/;
const DECIMAL =
	/^[ \t\r\n]*-?(?:(?:0|[1-9][\d,]*)(?:\.\d*(?:e[+-]?\d+)?)?|\.\d+(?:e[+-]?\d+)?)[ \t\r\n]*$/i;
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const MAX_INT = 2 ** 31 - 1;

function readInt(text: string): Json {
	const value = INT.test(text) ? Number(text) : NaN;
	return value >= -MAX_INT - 1 && value <= MAX_INT ? value : undefined;
}

/** Ignores commas everywhere, as thousands separators. */
const readDecimal: Reader = (text) =>
	DECIMAL.test(text) ? Number(text.replaceAll(',', '')) : undefined;

function readBool(text: string): Json {
	const lower = text.toLowerCase();
	if (lower === 'true' || /^(?:[1TYty]|on)$/.test(text)) return true;
	return lower === 'false' || /^(?:[0FNfn]|off)$/.test(text) ? false : undefined;
}

function readDate(text: string): Json {
	if (!DATE.test(text)) return undefined;
	const iso = text.replace(' ', 'T');
	const time = Date.parse(
		/T.+(?:Z|[+-]\d\d:\d\d)$/.test(iso) || iso.length === 10 ? iso : `${iso}Z`,
	);
	return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Creates a reader that accepts a value's name in any case, or the value's number. */
const enumerationReader =
	(values: readonly string[]): Reader =>
	(text) => {
		const name = text.trim();
		if (/^[+-]?\d+$/.test(name)) return values[Number(name)] ?? name;
		return values.find((value) => value.toLowerCase() === name.toLowerCase());
	};

/** Returns the end of quoted text, in which a doubled quote stands for a quote. */
function endOfQuoted(text: string, start: number): number {
	for (let at = start + 1; at < text.length; at++) {
		if (text[at] !== '"') continue;
		if (text[at + 1] !== '"') return at + 1;
		at++;
	}
	return text.length;
}

/** Returns the end of a list or object. Backslashes don't escape quotes. */
function endOfNested(text: string, start: number): number {
	const [open, close] = text[start] === '{' ? '{}' : '[]';
	let depth = 1;
	let isQuoted = false;
	for (let at = start + 1; at < text.length; at++) {
		if (text[at] === '"') isQuoted = !isQuoted;
		if (isQuoted) continue;
		if (text[at] === open) depth++;
		if (text[at] === close && --depth === 0) return at + 1;
	}
	return text.length;
}

function endOfValue(text: string, start: number): number {
	if (text[start] === '"') return endOfQuoted(text, start);
	if (text[start] === '{' || text[start] === '[') return endOfNested(text, start);
	const length = text.slice(start).search(/[,}]/);
	return length < 0 ? text.length : start + length;
}

const unquote = (text: string) =>
	text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;

function splitElements(text: string): string[] {
	const trimmed = text.trim();
	const list = trimmed.startsWith('[') ? trimmed.slice(1, -1) : trimmed;
	const elements: string[] = [];
	for (let at = 0; at < list.length && list.trim() !== ''; at++) {
		const end = endOfValue(list, at);
		elements.push(list.slice(at, end));
		// Treat text that follows quoted text without a separator as a separate element.
		at = /[,}]/.test(list[end] ?? '') ? end : end - 1;
		if (at === list.length - 1 && at === end) elements.push('');
	}
	return elements;
}

function readObject(fields: readonly Field[], text: string): Json {
	if (!text.startsWith('{')) return undefined;
	const values: Values = {};
	for (let at = 1; at < text.length && text !== '{}';) {
		const keyEnd = text[at] === '"' ? endOfQuoted(text, at) : text.indexOf(':', at + 1);
		if (keyEnd < 0) return undefined;
		const end = endOfValue(text, keyEnd + 1);
		const field = findField(fields, unquote(text.slice(at, keyEnd)).trim());
		// Skip an unreadable value in an object without reporting an error, as ServiceStack does.
		const value = field && chooseReader(field)(text.slice(keyEnd + 1, end));
		if (field && value !== undefined) values[field.name] = value;
		at = end + 1;
	}
	return values;
}

const findField = (fields: readonly Field[], name: string) =>
	fields.find(({ wireName }) => wireName.toLowerCase() === name.toLowerCase());

const SIMPLE: Record<string, Reader> = {
	int: readInt,
	number: readDecimal,
	money: readDecimal,
	bool: readBool,
	date: readDate,
	text: (text) => text,
};

function elementReader({ type, fields = objects.get(type) }: Field): Reader {
	if (fields) return (text) => readObject(fields, text);
	const read = SIMPLE[type] ?? enumerationReader(enumerations.get(type)!);
	return (text) => read(unquote(text));
}

/** Parses a value in a list or object, or a field that isn't text. */
function chooseReader(field: Field): Reader {
	const read = elementReader(field);
	if (!field.isList) return read;
	return (text) => {
		const elements = splitElements(text);
		if (elements.at(-1) === '' && field.type !== 'text') elements.pop();
		const values = elements.map((element) => {
			// Reject quotes and empty elements in a list of whole numbers, although other lists accept them.
			if (field.type === 'int') return readInt(element);
			return element === '' ? null : read(element);
		});
		return values.includes(undefined) ? undefined : values;
	};
}

function readValue(field: Field, text: string): Json {
	if (field.type === 'text' && !field.isList) return text;
	// Use the first value, because a checkbox sends its value and the value of a hidden field.
	return chooseReader(field)(field.type === 'bool' ? text.split(',')[0]! : text);
}

/** Returns the values of a query or form by name. Joins the values if a name is repeated, in any case. */
function joined(text: string): [name: string, value: string][] {
	const pairs = [...new URLSearchParams(text)];
	return [...Map.groupBy(pairs, ([name]) => name.toLowerCase()).values()].map((same) => [
		same[0]![0],
		same.map(([, value]) => value).join(','),
	]);
}

export interface Sources {
	path: Record<string, string>;
	/** Query and form as sent. The form's values take precedence. */
	query: string;
	form: string;
	/** Text of a JSON body, which has the lowest precedence. */
	json: string;
}

/** Returns the values in a JSON body as text, by name. */
function parseTexts(json: string, requestType: string): [name: string, text: string][] {
	try {
		const values = Object.entries<Json>(Object(json === '' ? {} : JSON.parse(json)));
		return values
			.filter(([, value]) => value !== null)
			.map(([name, value]) => [
				name,
				typeof value === 'object' ? JSON.stringify(value) : String(value),
			]);
	} catch (error) {
		const message = `Could not deserialize 'application/json' request using ${requestType}'\nError: ${(error as Error).message}`;
		throw new ServiceError(400, message, [], 'SerializationException');
	}
}

/**
 * Binds a request to fields. Ignores unknown names, empty values, and unreadable values in a JSON body.
 *
 * @throws a 400 about all other unreadable values
 */
export function bind(fields: readonly Field[], sources: Sources, requestType: string): Values {
	const values: Values = {};
	const read = (name: string, text: string): boolean => {
		const field = findField(fields, name);
		const value = field && readValue(field, text);
		if (value !== undefined) values[field!.name] = value;
		return field === undefined || value !== undefined;
	};
	for (const [name, text] of parseTexts(sources.json, requestType)) read(name, text);
	const texts = new Map([
		...Object.entries(sources.path),
		...joined(sources.query),
		...joined(sources.form),
	]);
	const errors = [...texts]
		.filter(([name, text]) => text !== '' && !read(name, text))
		.map(([fieldName, text]) => ({
			errorCode: 'SerializationException',
			fieldName,
			message: `'${text}' is an Invalid value for '${fieldName}'`,
		}));
	if (errors.length === 0) return values;
	const message = `Unable to bind to request '${requestType}'`;
	throw new ServiceError(400, message, errors, 'SerializationException');
}
