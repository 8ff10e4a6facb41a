/**
 * Builds a path from a template, each value percent-encoded so that it cannot leave its segment.
 *
 * @example path`/public/proposals/${5}/area`
 * @throws Error when a value is empty or a dot segment, which the HTTP client would resolve away
 */
export function path(parts: TemplateStringsArray, ...values: Array<string | number>): string {
	return values.reduce<string>((built, value, index) => {
		const text = String(value);
		if (text === '' || text === '.' || text === '..') {
			throw new Error(`'${text}' cannot be part of a URL`);
		}
		return built + encodeURIComponent(text) + parts[index + 1]!;
	}, parts[0]!);
}

/** A value of a form field or query parameter; undefined and null leave the field out. */
export type FieldValue = string | number | boolean | object | null | undefined;

/** Wire names and their values. */
export type Fields = Record<string, FieldValue>;

/** The content type of every form, without a charset: what is signed is exactly this. */
export const FORM = 'application/x-www-form-urlencoded';

/** A text as it is sent: half of an emoji, as cutting text leaves it, cannot be encoded. */
export const asSent = (text: string) => text.replace(/\p{Cs}/gu, '\uFFFD');

/** Quotes a text that a list of texts would be read as several entries, or as another list, without. */
const quoteInList = (entry: unknown) =>
	typeof entry === 'string' && /[,"[\]{}]/.test(entry) ? `"${entry.replaceAll('"', '""')}"` : entry;

/**
 * Serializes fields for a form body or a query string.
 *
 * n8n's HTTP client would write arrays as `Name[]`; Portal.io takes a repeated field. An array of
 * objects goes as JSON text in one field (assumed). Spaces become `%20`, which every decoder reads
 * alike, where `+` depends on the reader.
 *
 * @returns `Name=value&Name=value`, percent-encoded; empty when nothing is left
 */
export function encodeFields(fields: Fields): string {
	const pairs: string[] = [];
	const encoded = (text: string) => encodeURIComponent(asSent(text));
	const add = (name: string, value: unknown) =>
		pairs.push(`${encoded(name)}=${encoded(String(value))}`);
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined || value === null) continue;
		if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) {
			for (const entry of value) add(name, quoteInList(entry));
		} else if (typeof value === 'object') {
			add(name, JSON.stringify(value));
		} else {
			add(name, value);
		}
	}
	return pairs.join('&');
}
