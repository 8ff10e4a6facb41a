/** Parsers of field values. Each returns the value as Portal.io expects it, or throws a ValueError. */
import { tryToParseDateTime } from 'n8n-workflow';
import {
	findChoice,
	nameKey,
	toPlainText,
	splitList,
	toOptions,
	type Choices,
} from '../../shared/text';
import {
	InvalidFields,
	OBJECT_TEXT,
	prefixProblems,
	problemsOf,
	ValueError,
	type Problem,
} from './fieldError';

/** Parses all rows of a list. Throws a single InvalidFields error for all invalid rows. */
export function parseRows<P>(rows: unknown[], parse: (row: unknown, index: number) => P): P[] {
	const problems: Problem[] = [];
	const results: P[] = [];
	for (const [index, row] of rows.entries()) {
		try {
			results.push(parse(row, index));
		} catch (error) {
			problems.push(...prefixProblems(`Row ${index + 1}`, problemsOf(error, 'Entry')));
		}
	}
	if (problems.length > 0) throw new InvalidFields(problems);
	return results;
}

export function truncateForMessage(value: unknown): string {
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Throws a ValueError that quotes the value; `ending` follows the quotation. */
export function rejectValue(must: string, value: unknown, ending = ''): never {
	throw new ValueError(`${must}; it is '${truncateForMessage(value)}'${ending}`);
}

/** Pattern of a whole number. It includes `1042.0`, because spreadsheets and databases can export 1042 in this form. */
const WHOLE_NUMBER = /^\d+(?:\.0+)?$/;

/**
 * Returns a positive integer from a number, or from text that can begin with `mark`. Returns undefined for other
 * values.
 */
export function wholeNumber(value: unknown, mark = /^/): number | undefined {
	const digits = typeof value === 'string' ? toPlainText(value).replace(mark, '') : '';
	const number = WHOLE_NUMBER.test(digits) ? Number(digits) : (value as number);
	return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

export function parseId(value: unknown, advice?: string): number {
	const must = 'must be a numeric ID, such as 12345';
	return wholeNumber(value) ?? rejectValue(must, value, advice);
}

/** Parses each entry of a list. Drops duplicates, which can come from several branches of a workflow. */
function parseEach<T>(value: unknown, parse: (entry: unknown) => T): T[] {
	return [...new Set(splitList(value).map(parse))];
}

export const parseIds = (value: unknown): number[] => parseEach(value, (entry) => parseId(entry));

/** @param max maximum length in characters */
export function parseText(value: unknown, max = Infinity): string {
	if (typeof value === 'object') throw new ValueError('must be text, not an object or list');
	const text = String(value);
	if (text.includes(OBJECT_TEXT)) throw new ValueError("must not contain '[object Object]'");
	const { length } = [...text];
	if (length <= max) return text;
	throw new ValueError(`has ${length} characters, but Portal.io accepts up to ${max}`);
}

export const parseTexts = (value: unknown): string[] =>
	parseEach(value, (entry) => parseText(entry));

const EMAIL_SEPARATORS = /[\s,;:<>"()[\]|]+/;
/** Words that can surround an email address, as in `Email: 'a@b.example'.` */
const EMAIL_LABEL = /^(?:(?:e-?)?mail|mailto|['.]*)$/i;
const MAILBOX = /^[^<>]*<[^<>@]*@[^<>]*>[.,;]?$/;

/** Parses one email address, which can be in a link, in quotation marks, or after a name. */
export function parseEmail(value: unknown): string {
	const plain = toPlainText(parseText(value));
	// Drop the parameters of a link, as in `mailto:a@b.example?subject=Quote`.
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
	return rejectValue('must be an email address, such as name@example.com', value);
}

/**
 * Exclusive maximum of a number's absolute value. JavaScript writes much larger numbers with an exponent, which
 * Portal.io might not accept.
 */
const NUMBER_LIMIT = 1e15;
/** Number of decimal places to keep. Portal.io keeps fewer, and any further digits are only rounding errors. */
const DECIMALS = 6;

const DECIMAL = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;
/**
 * Pattern of a number with thousands separators and two decimals. The decimals are required, because `1,299` might mean
 * 1.299.
 */
const WITH_THOUSANDS = /^[+-]?\d{1,3}(?:,\d{3})+\.\d{2}$/;

function parseNumber(value: unknown, must: string, currency?: RegExp): number {
	const number = typeof value === 'string' ? parseDecimal(toPlainText(value), currency) : value;
	if (typeof number !== 'number') rejectValue(must, value);
	if (Math.abs(number) < NUMBER_LIMIT) return Number(number.toFixed(DECIMALS));
	return rejectValue(`must be a number below ${NUMBER_LIMIT.toLocaleString('en-US')}`, value);
}

function parseDecimal(text: string, currency = /^/): number | undefined {
	const number = text.replace(currency, '');
	if (WITH_THOUSANDS.test(number)) return Number(number.replaceAll(',', ''));
	return DECIMAL.test(number) ? Number(number) : undefined;
}

/** Number of decimals to which Portal.io rounds quantities. */
const QUANTITY_DECIMALS = 4;

export function parseQuantity(value: unknown): number {
	const number = parseNumber(value, 'must be a quantity such as 2 or 1.5, without a unit');
	const isZero = Number(number.toFixed(QUANTITY_DECIMALS)) === 0;
	return isZero ? rejectValue('must not be 0 (rounded to four decimals)', value) : number;
}

export function parseMoney(value: unknown): number {
	const number = parseNumber(value, 'must be an amount such as 240.90 or $1,299.00', /^\$ ?/);
	return number >= 0 ? number : rejectValue('must be 0 or more', value);
}

export interface Limits {
	min: number;
	max?: number;
	isWhole?: boolean;
}

export function parseWithin(value: unknown, limits: Limits): number {
	const { min, max = Infinity, isWhole = false } = limits;
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	const must = `must be a ${isWhole ? 'whole ' : ''}number ${range}`;
	const number = parseNumber(value, must);
	const isWithin = number >= min && number <= max && (!isWhole || Number.isInteger(number));
	return isWithin ? number : rejectValue(must, value);
}

/** Parses a choice, which can be a value or its label in the editor. */
export function parseChoice(value: unknown, choices: Choices): string {
	const values = toOptions(choices).map((option) => option.value);
	return findChoice(value, choices) ?? rejectValue(`must be one of ${values.join(', ')}`, value);
}

export const parseEachChoice = (value: unknown, choices: Choices): string[] =>
	parseEach(value, (entry) => parseChoice(entry, choices));

/** Parses several choices. Also accepts text that is not among them. */
export const parseOpenChoices = (value: unknown, choices: Choices): string[] =>
	parseEach(value, (entry) => findChoice(entry, choices) ?? parseText(entry));

/** Words and digits for on and off in spreadsheets, databases, and forms, regardless of case. */
const SWITCH_VALUES = new Map([
	['true', true],
	['yes', true],
	['1', true],
	['false', false],
	['no', false],
	['0', false],
]);

export function parseBoolean(value: unknown): boolean {
	const isOn = typeof value === 'object' ? undefined : SWITCH_VALUES.get(nameKey(value));
	return isOn ?? rejectValue('must be true or false', value);
}

/**
 * Pattern of an ISO 8601 date in calendar, week, or ordinal form. The hyphens, the time of day, and the time zone are
 * optional. Accepts spaces before the time and the time zone, because databases write them. Without this check, n8n's
 * parser would also accept ambiguous dates such as `04/05/2026`.
 */
const ISO_DATE =
	/^(?<date>\d{4}(-\d{2}(-\d{2})?|\d{4}|-?W\d{2}(-?[1-7])?|-?\d{3}))([T ](?<time>\d{2}(:?\d{2}(:?\d{2}([.,]\d{1,12})?)?)?) ?(?<zone>Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

/** Formats of dates without hyphens, in calendar, week, and ordinal form. */
const COMPACT_DATE_FORMATS = ['yyyyMMdd', "kkkk'W'WWc", 'yyyyooo'];

/**
 * Parses ISO 8601 text, a Luxon date, or a JavaScript Date. Returns ISO 8601 in UTC. `timezone` applies to a date
 * without a time zone.
 */
export function parseDate(value: unknown, timezone: string): string {
	const date = toDate(value, timezone);
	if (date !== undefined) return date.toISOString();
	return rejectValue("must be a date such as '2026-04-14' or '2026-04-14T09:30:00Z'", value);
}

function toDate(value: unknown, timezone: string): Date | undefined {
	// Serialize the value, because Luxon and JavaScript dates then both become ISO 8601 text.
	const text: unknown = JSON.parse(JSON.stringify(value ?? null));
	const parts = ISO_DATE.exec(typeof text === 'string' ? text.trim() : '')?.groups;
	if (parts === undefined) return undefined;
	const { date, time, zone = '' } = parts;
	const isoText = time === undefined ? date : `${date}T${time}${zone}`;
	try {
		const dateTime = tryToParseDateTime(isoText, timezone);
		// Reject a date that does not exist, because the parser turns February 31 into March 3.
		const digits = date!.replaceAll('-', '').toUpperCase();
		const isSame = COMPACT_DATE_FORMATS.some((form) => dateTime.toFormat(form).startsWith(digits));
		return isSame ? dateTime.toJSDate() : undefined;
	} catch {
		return undefined;
	}
}
