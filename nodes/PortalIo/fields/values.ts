/**
 * Reads and checks the values of fields. Each function accepts a value and the label of its field, and
 * returns the value as Portal.io expects it, or throws a FieldError that names the field.
 */
import { tryToParseDateTime } from 'n8n-workflow';
import { mapConcurrent } from '../../../client/concurrency';
import {
	findChoice,
	nameKey,
	plainText,
	splitList,
	toOptions,
	type Choices,
} from '../../shared/text';
import { FieldError, InvalidFields, OBJECT, problemsAt, type Problem } from './fieldError';

const ENTRIES_AT_A_TIME = 5;

/** Reads all entries of a list, then throws one error for all invalid entries. */
export async function readEntries<T>(
	entries: unknown[],
	label: string,
	read: (entry: unknown, index: number) => T | Promise<T>,
): Promise<T[]> {
	const problemsByIndex: Problem[][] = [];
	const results = await mapConcurrent(entries, ENTRIES_AT_A_TIME, async (entry, index) => {
		const reading = async () => await read(entry, index);
		return await reading().catch((error: Error) => {
			if (!(error instanceof InvalidFields)) throw error;
			const place = { kind: `'${label}', row`, name: String(index + 1) };
			problemsByIndex[index] = problemsAt(place, error).map((problem) => ({ ...problem, label }));
		});
	});
	const problems = problemsByIndex.flat();
	if (problems.length > 0) throw new InvalidFields(problems);
	return results as T[];
}

/** Shortens a value for a message. */
export function shown(value: unknown): string {
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Throws a FieldError that quotes the value; `ending` follows the quotation. */
export function rejectValue(label: string, must: string, value: unknown, ending = ''): never {
	throw new FieldError(label, must, { value: shown(value), ending });
}

/** Spreadsheets and databases may export 1042 as `1042.0`. */
const WHOLE = /^\d+(?:\.0+)?$/;

/** Returns a positive integer, which may be text that begins with `mark`; undefined for other values. */
export function wholeNumber(value: unknown, mark = /^/): number | undefined {
	const digits = typeof value === 'string' ? plainText(value).replace(mark, '') : '';
	const number = WHOLE.test(digits) ? Number(digits) : (value as number);
	return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

export function readId(value: unknown, label: string, advice?: string): number {
	const must = 'must be an ID, the whole number that Portal.io gave the record, such as 12345';
	return wholeNumber(value) ?? rejectValue(label, must, value, advice);
}

/** Reads each entry of a list. Branches of a workflow may add the same entry twice; it counts once. */
function readEach<T>(value: unknown, read: (entry: unknown) => T): T[] {
	return [...new Set(splitList(value).map(read))];
}

export const readIds = (value: unknown, label: string): number[] =>
	readEach(value, (entry) => readId(entry, label));

/** @param max maximum length in characters */
export function readText(value: unknown, label: string, max = Infinity): string {
	if (typeof value === 'object') throw new FieldError(label, 'must be text, not an object or list');
	const text = String(value);
	if (text.includes(OBJECT)) throw new FieldError(label, "must not contain '[object Object]'");
	const { length } = [...text];
	if (length <= max) return text;
	throw new FieldError(label, `has ${length} characters: Portal.io accepts up to ${max}`);
}

export const readTexts = (value: unknown, label: string): string[] =>
	readEach(value, (entry) => readText(entry, label));

const EMAIL_SEPARATORS = /[\s,;:<>"()[\]|]+/;
/** Matches words that may surround an address: `Email: 'a@b.example'.` */
const EMAIL_LABEL = /^(?:(?:e-?)?mail|mailto|['.]*)$/i;
const MAILBOX = /^[^<>]*<[^<>@]*@[^<>]*>[.,;]?$/;

/** Accepts one email address, which may be a link, in quotation marks, or after a name. */
export function readEmail(value: unknown, label: string): string {
	const plain = plainText(readText(value, label));
	// A link may have parameters: `mailto:a@b.example?subject=Quote`.
	const text = plain.replace(/mailto:.*/i, (link) => link.replace(/\?[^<>]*/, ''));
	const words = text.split(EMAIL_SEPARATORS);
	const addresses = words
		.filter((word) => word.includes('@'))
		.map((word) => word.replace(/^'+|['.]{1,9}$/g, ''));
	const [address = ''] = addresses;
	const areSame = addresses.every((word) => word.toLowerCase() === address.toLowerCase());
	const isAlone = words.every((word) => word.includes('@') || EMAIL_LABEL.test(word));
	const isAddress = /^[^@]+@[^@]+$/.test(address) && address.length <= 256;
	if (isAddress && areSame && (isAlone || MAILBOX.test(text))) return address;
	return rejectValue(label, 'is not an email address: write one such as name@example.com', value);
}

/** JavaScript writes larger numbers with an exponent, which Portal.io may not be able to read. */
const TOO_MUCH = 1e15;
/** Portal.io keeps fewer decimals; further decimals are rounding errors. */
const DECIMALS = 6;

const DECIMAL = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Commas separate thousands only if two decimals follow: `1,299` can mean 1.299. */
const WITH_THOUSANDS = /^[+-]?\d{1,3}(?:,\d{3})+\.\d{2}$/;

function readNumber(value: unknown, label: string, must: string, currency?: RegExp): number {
	const number = typeof value === 'string' ? parseNumber(plainText(value), currency) : value;
	if (typeof number !== 'number') rejectValue(label, must, value);
	if (Math.abs(number) < TOO_MUCH) return Number(number.toFixed(DECIMALS));
	return rejectValue(label, `must be a number below ${TOO_MUCH.toLocaleString('en-US')}`, value);
}

function parseNumber(text: string, currency = /^/): number | undefined {
	const number = text.replace(currency, '');
	if (WITH_THOUSANDS.test(number)) return Number(number.replaceAll(',', ''));
	return DECIMAL.test(number) ? Number(number) : undefined;
}

/** Portal.io rounds quantities to this many decimals. */
const QUANTITY_DECIMALS = 4;

export function readQuantity(value: unknown, label: string): number {
	const number = readNumber(value, label, 'must be a quantity such as 2 or 1.5, without a unit');
	const isZero = Number(number.toFixed(QUANTITY_DECIMALS)) === 0;
	return isZero ? rejectValue(label, 'must not be 0 (rounded to four decimals)', value) : number;
}

export function readMoney(value: unknown, label: string): number {
	const number = readNumber(value, label, 'must be an amount such as 240.90 or $1,299.00', /^\$ ?/);
	return number >= 0 ? number : rejectValue(label, 'must be 0 or more', value);
}

/** The numbers that a field accepts. */
export interface Limits {
	min: number;
	max?: number;
	isWhole?: boolean;
}

export function readWithin(value: unknown, label: string, limits: Limits): number {
	const { min, max = Infinity, isWhole = false } = limits;
	const range = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
	const must = `must be a ${isWhole ? 'whole ' : ''}number ${range}`;
	const number = readNumber(value, label, must);
	const isWithin = number >= min && number <= max && (!isWhole || Number.isInteger(number));
	return isWithin ? number : rejectValue(label, must, value);
}

/** Accepts the value of a choice, and its label in the editor. */
export function readChoice(value: unknown, label: string, choices: Choices): string {
	const values = toOptions(choices).map((option) => option.value);
	return (
		findChoice(value, choices) ?? rejectValue(label, `must be one of ${values.join(', ')}`, value)
	);
}

export const readEachChoice = (value: unknown, label: string, choices: Choices): string[] =>
	readEach(value, (entry) => readChoice(entry, label, choices));

/** Accepts text that is not among the choices. */
export const readOpenChoices = (value: unknown, label: string, choices: Choices): string[] =>
	readEach(value, (entry) => findChoice(entry, choices) ?? readText(entry, label));

/** Spreadsheets, databases and forms contain these values for a switch, in upper or lower case. */
const SWITCH_VALUES = new Map([
	['true', true],
	['yes', true],
	['1', true],
	['false', false],
	['no', false],
	['0', false],
]);

export function readBoolean(value: unknown, label: string): boolean {
	const isOn = typeof value === 'object' ? undefined : SWITCH_VALUES.get(nameKey(value));
	return isOn ?? rejectValue(label, 'must be true or false', value);
}

/**
 * Matches a date of ISO 8601 in calendar, week or ordinal form. Hyphens, the time of day and the time zone
 * are optional, and databases write spaces between them. n8n's parser also accepts ambiguous dates:
 * `04/05/2026` is in April for some people, and in May for others.
 */
const ISO_DATE =
	/^(?<date>\d{4}(-\d{2}(-\d{2})?|\d{4}|-?W\d{2}(-?[1-7])?|-?\d{3}))([T ](?<time>\d{2}(:?\d{2}(:?\d{2}([.,]\d{1,12})?)?)?) ?(?<zone>Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

/** The three forms of a date without hyphens. */
const FORMS = ['yyyyMMdd', "kkkk'W'WWc", 'yyyyooo'];

/** Returns ISO 8601 in UTC. Accepts ISO 8601, a Luxon date or a Date; `timezone` applies if it has none. */
export function readDate(value: unknown, label: string, timezone: string): string {
	const date = parseDate(value, timezone);
	if (date !== undefined) return date.toISOString();
	return rejectValue(label, "must be a date such as '2026-04-14' or '2026-04-14T09:30:00Z'", value);
}

function parseDate(value: unknown, timezone: string): Date | undefined {
	// Both kinds of dates are ISO 8601 in JSON.
	const text: unknown = JSON.parse(JSON.stringify(value ?? null));
	const parts = ISO_DATE.exec(typeof text === 'string' ? text.trim() : '')?.groups;
	if (parts === undefined) return undefined;
	const { date, time, zone = '' } = parts;
	const isoText = time === undefined ? date : `${date}T${time}${zone}`;
	try {
		const dateTime = tryToParseDateTime(isoText, timezone);
		// The parser turns February 31 into March 3.
		const digits = date!.replaceAll('-', '').toUpperCase();
		const isSame = FORMS.some((form) => dateTime.toFormat(form).startsWith(digits));
		return isSame ? dateTime.toJSDate() : undefined;
	} catch {
		return undefined;
	}
}
