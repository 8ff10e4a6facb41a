/** Normalizes text that people type, paste and import. */
import { jsonParse } from 'n8n-workflow';

/** Invisible and look-alike characters, and their keyboard equivalents. */
const LOOKALIKES: Array<[RegExp, string]> = [
	[/[\p{Cf}]/gu, ''],
	[/[®™℠©]/g, ' '],
	[/[\p{Pd}\u2212]/gu, '-'],
	[/[“”„‟″]/g, '"'],
	[/[‘’‚‛′]/g, "'"],
];

/** Wide characters of Asian keyboards, and ligatures from PDFs. */
const WIDE_OR_JOINED = /[\uFF00-\uFFEF\uFB00-\uFB06]+/g;

/** Uses keyboard characters and single spaces, but keeps raised digits: `2¹` is not 21. */
export const plainText = (text: string): string =>
	LOOKALIKES.reduce((plain, [likes, key]) => plain.replace(likes, key), text)
		.replace(WIDE_OR_JOINED, (characters) => characters.normalize('NFKC'))
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();

/** Ignores case, spaces and encoding. */
export const nameKey = (text: unknown): string => plainText(String(text ?? '')).toLowerCase();

/** An entry of comma-separated text: in quotation marks, as CSV has it, or up to the next comma. */
const ENTRY = /\s*"([^"]*(?:""[^"]*)*)"\s*(?:,|$)|([^,]*)(?:,|$)/gy;

/**
 * Splits an array, text with commas as in CSV, or text with the brackets of an array. Blank entries
 * are left out; any other value is one entry.
 */
export function splitList(value: unknown): unknown[] {
	const entries = typeof value === 'string' ? splitText(value.trim()) : [value].flat();
	return entries.filter((entry) => typeof entry !== 'string' || entry.trim() !== '');
}

function splitText(text: string): unknown[] {
	const isBracketed = text.startsWith('[') && text.endsWith(']');
	const list = isBracketed ? jsonParse<unknown>(text, { fallbackValue: null }) : null;
	if (Array.isArray(list)) return list;
	const inner = isBracketed ? text.slice(1, -1) : text;
	return [...inner.matchAll(ENTRY)].map(
		([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
	);
}
