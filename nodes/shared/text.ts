/** Normalizes text that people type, paste, or import, and creates labels for values and fields. */
import { jsonParse } from 'n8n-workflow';

/** Patterns of invisible and look-alike characters, each with its replacement. */
const LOOKALIKES: Array<[RegExp, string]> = [
	[/[\p{Cf}]/gu, ''],
	[/[®™℠©]/g, ' '],
	[/[\p{Pd}\u2212]/gu, '-'],
	[/[“”„‟″]/g, '"'],
	[/[‘’‚‛′]/g, "'"],
];

/** Pattern of wide characters from Asian keyboards, and of ligatures from PDFs. */
const WIDE_OR_JOINED = /[\uFF00-\uFFEF\uFB00-\uFB06]+/g;

/** Converts text to keyboard characters with single spaces. Keeps superscript digits, because `2¹` is not 21. */
export const toPlainText = (text: string): string =>
	LOOKALIKES.reduce((plain, [lookalikes, key]) => plain.replace(lookalikes, key), text)
		.replace(WIDE_OR_JOINED, (characters) => characters.normalize('NFKC'))
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();

/** Joins the lines of a name, because spreadsheet cells and form fields can contain line breaks. */
export const toOneLine = (text: string): string =>
	text
		.split(/[\t\n\v\f\r\u2028\u2029]/)
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.join(' ');

/** Returns the same key for names that differ only in case, extra spaces, or look-alike characters. */
export const nameKey = (text: unknown): string => toPlainText(String(text ?? '')).toLowerCase();

/** Pattern of an entry in comma-separated text. As in CSV, the entry can be in quotation marks. */
const ENTRY = /\s*"([^"]*(?:""[^"]*)*)"\s*(?:,|$)|([^,]*)(?:,|$)/gy;

/**
 * Returns the entries of an array, or of comma-separated text as in CSV, with or without the brackets of an array.
 * Trims text, and drops blank entries. Treats any other value as a single entry.
 */
export function splitList(value: unknown): unknown[] {
	const entries = typeof value === 'string' ? splitText(value.trim()) : [value].flat();
	const trimmedEntries = entries.map((entry) => (typeof entry === 'string' ? entry.trim() : entry));
	return trimmedEntries.filter((entry) => entry !== '');
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

/** Returns the label of a value, such as *Viewed By Client* for `ViewedByClient`. */
export const toLabel = (value: string) => value.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** Labels of fields that users know under another name. */
const INPUT_LABELS: Record<string, string> = {
	msrp: 'MSRP',
	partyType: 'Person or Company',
	salesPersonName: 'Salesperson Name',
};

/** Returns the name of a field in words, such as *Area Option ID* for `areaOptionId`. */
export const toWords = (name: string) =>
	INPUT_LABELS[name] ??
	toLabel(name.charAt(0).toUpperCase() + name.slice(1)).replace(/\bId\b/, 'ID');

/** Values that a field can have. A value needs a `name` if `toLabel` would return the wrong label. */
export type Choices = ReadonlyArray<string | { name: string; value: string }>;

export const toOptions = (choices: Choices) =>
	choices.map((choice) =>
		typeof choice === 'string' ? { name: toLabel(choice), value: choice } : choice,
	);

/** Other names for statuses that Portal.io's documentation uses, each with the name used here. */
const STATUS_SYNONYMS = new Map([
	['approved', 'accepted'],
	['sent', 'submitted'],
]);

/** Returns the same key for `ViewedByClient`, `Viewed By Client`, and `viewed_by_client`. */
export function choiceKey(text: string): string {
	const key = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	return STATUS_SYNONYMS.get(key) ?? key;
}

/** Returns the value of the choice with this value or label; undefined if no choice matches. */
export function findChoice(text: unknown, choices: Choices): string | undefined {
	if (typeof text !== 'string') return undefined;
	const key = choiceKey(text);
	const options = toOptions(choices);
	const option =
		options.find(({ value }) => value === text) ??
		options.find(({ name, value }) => choiceKey(value) === key || choiceKey(name) === key);
	return option?.value;
}

export const personName = (
	person: { firstName?: unknown; lastName?: unknown } | null | undefined,
): string | undefined =>
	[person?.firstName, person?.lastName].filter(Boolean).join(' ') || undefined;
