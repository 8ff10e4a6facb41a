/** Text that people type, paste and import, and the labels that they read. */
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

/** A name on one line: cells of spreadsheets and fields of forms can contain line breaks and tabs. */
export const oneLine = (text: string): string =>
	text
		.split(/[\t\n\v\f\r\u2028\u2029]/)
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.join(' ');

/** Ignores case, spaces and encoding. */
export const nameKey = (text: unknown): string => plainText(String(text ?? '')).toLowerCase();

/** An entry of comma-separated text: in quotation marks, as CSV has it, or up to the next comma. */
const ENTRY = /\s*"([^"]*(?:""[^"]*)*)"\s*(?:,|$)|([^,]*)(?:,|$)/gy;

/**
 * Splits an array, text with commas as in CSV, or text with the brackets of an array. Texts are
 * trimmed, and blank ones left out; any other value is one entry.
 */
export function splitList(value: unknown): unknown[] {
	const entries = typeof value === 'string' ? splitText(value.trim()) : [value].flat();
	const trimmed = entries.map((entry) => (typeof entry === 'string' ? entry.trim() : entry));
	return trimmed.filter((entry) => entry !== '');
}

function splitText(text: string): unknown[] {
	const isBracketed = text.startsWith('[') && text.endsWith(']');
	const list = isBracketed ? jsonParse<unknown>(text, { fallbackValue: null }) : null;
	if (Array.isArray(list)) return list;
	const inner = isBracketed ? text.slice(1, -1) : text;
	return [...inner.matchAll(ENTRY)].map(
		([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
	);
}

/** The label of a value of an enumeration: `ViewedByClient` is *Viewed By Client*. */
export const toLabel = (value: string) => value.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** Output fields that have another label when they are filled in. */
const OTHER_WORDS: Record<string, string> = {
	msrp: 'MSRP',
	partyType: 'Person or Company',
	salesPersonName: 'Salesperson Name',
};

/** A name of a field in words: `areaOptionId` is *Area Option ID*. */
export const toWords = (name: string) =>
	OTHER_WORDS[name] ??
	toLabel(name.charAt(0).toUpperCase() + name.slice(1)).replace(/\bId\b/, 'ID');

/** Values whose labels follow from them, or values with other labels. */
export type Choices = ReadonlyArray<string | { name: string; value: string }>;

/** Options of a field. */
export const toOptions = (choices: Choices) =>
	choices.map((one) => (typeof one === 'string' ? { name: toLabel(one), value: one } : one));

/** Portal.io's documentation has two words for these statuses. */
const STATUS_SYNONYMS = new Map([
	['approved', 'accepted'],
	['sent', 'submitted'],
]);

/** Ignores case, spaces and signs: `Viewed By Client` and `viewed_by_client` are `ViewedByClient`. */
export function choiceKey(text: string): string {
	const key = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	return STATUS_SYNONYMS.get(key) ?? key;
}

/** The value of the choice with this value or label; undefined if there is none. */
export function findChoice(text: unknown, choices: Choices): string | undefined {
	if (typeof text !== 'string') return undefined;
	const key = choiceKey(text);
	const options = toOptions(choices);
	const option =
		options.find(({ value }) => value === text) ??
		options.find(({ name, value }) => choiceKey(value) === key || choiceKey(name) === key);
	return option?.value;
}

/** First and last name, if there are any. */
export const personName = (
	one: { firstName?: unknown; lastName?: unknown } | null | undefined,
): string | undefined => [one?.firstName, one?.lastName].filter(Boolean).join(' ') || undefined;
