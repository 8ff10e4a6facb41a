/**
 * Builds a path from a template, each value percent-encoded so that it cannot leave its segment. Throws
 * for an empty value or a dot segment, which the HTTP client would resolve away.
 */
export function path(parts: TemplateStringsArray, ...values: Array<string | number>): string {
	let built = parts[0]!;
	for (const [index, value] of values.entries()) {
		const text = String(value);
		if (['', '.', '..'].includes(text)) throw new Error(`'${text}' cannot be part of a URL`);
		built += encodeURIComponent(text) + parts[index + 1]!;
	}
	return built;
}

/** A value of a form field or query parameter; undefined and null leave the field out. */
export type FieldValue = string | number | boolean | object | null | undefined;

export type Fields = Record<string, FieldValue>;

/** The content type of every form, without a charset: what is signed is exactly this. */
export const FORM = 'application/x-www-form-urlencoded';

/** A text as it is sent: half of an emoji, which remains after a cut, cannot be encoded. */
export const asSent = (text: string) => text.replace(/\p{Cs}/gu, '\uFFFD');

const encode = (value: unknown) => encodeURIComponent(asSent(String(value)));

/** Portal.io would split an entry at these characters, unless it is quoted. */
const quoted = (entry: unknown) =>
	typeof entry === 'string' && /[,"[\]{}]/.test(entry) ? `"${entry.replaceAll('"', '""')}"` : entry;

/**
 * Serializes fields for a form body or a query string. A list of plain values becomes a repeated field,
 * where n8n would write `Name[]`; a list of objects becomes JSON in one field (assumed). A space becomes
 * `%20`, since not every decoder reads `+` as one.
 */
export function encodeFields(fields: Fields): string {
	const pairs: string[] = [];
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined || value === null) continue;
		const isList = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
		const one = typeof value === 'object' ? JSON.stringify(value) : value;
		for (const entry of isList ? value.map(quoted) : [one]) {
			pairs.push(`${encode(name)}=${encode(entry)}`);
		}
	}
	return pairs.join('&');
}
