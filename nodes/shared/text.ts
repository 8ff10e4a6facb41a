/** Text as people type, paste and import it. */
import { jsonParse } from 'n8n-workflow';

/** Invisible and look-alike characters, and their keyboard equivalents. */
const LOOKALIKES: Array<[RegExp, string]> = [
	[/[\p{Cf}]/gu, ''],
	[/[®™℠©]/g, ' '],
	[/[\p{Pd}\u2212]/gu, '-'],
	[/[“”„‟″]/g, '"'],
	[/[‘’‚‛′]/g, "'"],
];

/** The wide characters of an Asian keyboard, and the joined letters of a PDF. */
const WIDE_OR_JOINED = /[\uFF00-\uFFEF\uFB00-\uFB06]+/g;

/**
 * Text with the characters of a keyboard, and single spaces between its words. Raised digits, fractions
 * and circled digits stay what they are: `2¹` is not 21.
 */
export const plainText = (text: string): string =>
	LOOKALIKES.reduce((plain, [likes, key]) => plain.replace(likes, key), text)
		.replace(WIDE_OR_JOINED, (characters) => characters.normalize('NFKC'))
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();

/** The key by which names are compared: without case, spaces and encoding of characters. */
export const nameKey = (text: unknown): string => plainText(String(text ?? '')).toLowerCase();

/** A switch, also as text from an expression; undefined for anything else. */
export function asSwitch(value: unknown): boolean | undefined {
	if (value === true || value === 'true') return true;
	return value === false || value === 'false' ? false : undefined;
}

/** An entry of comma-separated text: in quotation marks, as CSV has it, or up to the next comma. */
const ENTRY = /\s*"([^"]*(?:""[^"]*)*)"\s*(?:,|$)|([^,]*)(?:,|$)/gy;

/**
 * The entries of a list: of an array, as they are; of text with commas, as CSV has them; of text with
 * the brackets of an array. Blank entries are left out; anything else is the one entry.
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
