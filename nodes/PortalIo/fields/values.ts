import { asRecord } from '../../../client/list';
import { asSwitch, plainText, splitList } from '../../shared/text';

/**
 * Reads and checks what a user gave. Each function takes a value and the label of its field, and
 * returns it as the service takes it, or throws a FieldError that names the field.
 */

/** What an object or a list of objects becomes in the middle of text. */
const OBJECT = '[object Object]';
const OBJECT_HINT =
	'An expression with an object or a list must stand alone: remove the text and blanks around it, or map a single value of the object.';

/** Says which field holds what the service cannot take, and what to give instead. */
export class FieldError extends Error {
	description: string | undefined;

	/**
	 * @param advice what is wrong and what to do, as the end of a sentence about the field
	 * @param description more of it, which n8n shows below
	 */
	constructor(label: string, advice: string, description?: string) {
		super(`'${label}' ${advice}`);
		this.description = description ?? (advice.includes(OBJECT) ? OBJECT_HINT : undefined);
	}
}

/** How many wrong entries of a list an error names. */
const MAX_NAMED = 10;

/**
 * Reads the entries of a list, all of them before what is wrong is said.
 *
 * @param label of the field that holds the list
 * @param read reads one entry
 * @throws FieldError naming the entries that the service cannot take
 */
export function readEntries<T>(
	entries: unknown[],
	label: string,
	read: (entry: unknown, index: number) => T,
): T[] {
	const failures: unknown[] = [];
	const values = entries.flatMap((entry, index) => {
		try {
			return [read(entry, index)];
		} catch (error) {
			failures.push(error);
			return [];
		}
	});
	if (failures.length === 0) return values;
	const wrong = failures.filter((error) => error instanceof FieldError);
	if (failures.length === 1 || wrong.length < failures.length) {
		throw failures.find((error) => !(error instanceof FieldError)) ?? wrong[0];
	}
	const named = wrong.slice(0, MAX_NAMED).map(({ message }) => message);
	const more = wrong.length > MAX_NAMED ? [`And ${wrong.length - MAX_NAMED} more.`] : [];
	throw new FieldError(
		label,
		`has ${wrong.length} entries to correct`,
		[...named, ...more].join('\n'),
	);
}

const NO_VALUE =
	'has no value: the expression returned nothing. Check that the previous step outputs this field.';

const isAbsent = (value: unknown) => value === undefined || value === null;

/** Whether a field has no value: it was not filled in or left blank, or its expression found nothing. */
export const isEmpty = (value: unknown): boolean =>
	isAbsent(value) ||
	(typeof value === 'string' && value.trim() === '') ||
	(isLocator(value) && isEmpty(value.value));

/**
 * Refuses the value of an expression that found nothing.
 *
 * @throws FieldError saying so
 */
export function assertFound(value: unknown, label: string): void {
	const found = isLocator(value) ? value.value : value;
	if (isAbsent(found)) throw new FieldError(label, NO_VALUE);
}

/** The value of a resource locator. */
export interface Located {
	value: unknown;
	mode?: unknown;
}

/** Whether a value is that of a resource locator. */
export const isLocator = (value: unknown): value is Located =>
	typeof value === 'object' && value !== null && 'value' in value;

/** Shortens what a user gave so that a message can repeat it. */
export function shown(value: unknown): string {
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** No number that people write is longer. */
export const MAX_DIGITS = 50;

/** A positive integer, also as text, since expressions often give it so. */
export function readId(value: unknown, label: string): number {
	if (value === null) throw new FieldError(label, NO_VALUE);
	if (isEmpty(value)) throw new FieldError(label, 'is empty: choose or enter one');
	const text = typeof value === 'string' && value.length <= MAX_DIGITS ? plainText(value) : '';
	const number = /^\d+$/.test(text) ? Number(text) : (value as number);
	if (Number.isSafeInteger(number) && number > 0) return number;
	throw new FieldError(
		label,
		`must be an ID, the whole number that Portal.io gave the record, such as 12345; it is '${shown(value)}'`,
	);
}

/** IDs as an array, or as text with commas and perhaps the brackets of an array. */
export function readIds(value: unknown, label: string): number[] {
	if (isAbsent(value)) throw new FieldError(label, NO_VALUE);
	return splitList(value).map((entry) => readId(entry, label));
}

/**
 * Text, possibly empty. An absent value is refused: an expression that found nothing would
 * otherwise clear what is stored.
 */
export function readText(value: unknown, label: string): string {
	if (isAbsent(value)) throw new FieldError(label, NO_VALUE);
	if (typeof value === 'object') throw new FieldError(label, 'must be text, not an object or list');
	if (Number.isNaN(value)) throw new FieldError(label, NO_VALUE);
	const text = String(value);
	if (text.includes(OBJECT)) throw new FieldError(label, "must not have '[object Object]' in it");
	return text;
}

/** Text with something in it besides white space. */
export function readFilledText(value: unknown, label: string): string {
	const text = readText(value, label);
	if (text.trim() === '') throw new FieldError(label, 'must not be empty');
	return text;
}

/** Texts, as comma-separated text or an array; empty when the field is empty. */
export function readTexts(value: unknown, label: string): string[] {
	if (isEmpty(value)) return [];
	return splitList(value).map((entry) => readFilledText(entry, label).trim());
}

/** No name with an address is longer. */
const MAX_EMAIL_TEXT = 1000;
/** The subject, for example, of `mailto:a@b.example?subject=Quote`. */
const LINK_QUERY = /(mailto:[^?]*)\?[^<>]*/i;
/** What no address has in it. */
const SEPARATORS = /[\s,;:<>"()[\]|]+/;
/** What may stand beside an address: `Email: 'a@b.example'.` */
const LABEL = /^(?:(?:e-?)?mail|mailto|['.]*)$/i;
/** A name, and behind it something between angle brackets. */
const MAILBOX = /^[^<>]*<([^<>]*)>[.,;]?$/;

/**
 * An email address, also as a link, in quotation marks, or behind a name as mailboxes show it.
 *
 * @throws FieldError for anything else, also where there is another address beside it
 */
export function readEmail(value: unknown, label: string): string {
	const given = plainText(readFilledText(value, label));
	const text = given.length > MAX_EMAIL_TEXT ? '' : given.replace(LINK_QUERY, '$1');
	const words = text.split(SEPARATORS);
	const addresses = words
		.filter((word) => word.includes('@'))
		.map((word) => word.replace(/^'+|['.]{1,9}$/g, ''));
	const [address = ''] = addresses;
	const isOne = addresses.every((one) => one.toLowerCase() === address.toLowerCase());
	const isAlone = words.every((word) => word.includes('@') || LABEL.test(word));
	const isMailbox = MAILBOX.exec(text)?.[1]?.includes('@') === true;
	const isAddress = /^[^@]+@[^@]+$/.test(address) && address.length <= 256;
	if (isAddress && isOne && (isAlone || isMailbox)) return address;
	throw new FieldError(
		label,
		`is not an email address: write one such as name@example.com; it is '${shown(value)}'`,
	);
}

/** From here on a number could go out with an exponent, which the service may not read. */
const TOO_MUCH = 1e15;
/** More decimals than the service takes; those beyond are what arithmetic leaves. */
const DECIMALS = 6;

const DECIMAL = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Only two decimals tell that the commas are not decimal ones: some write 1,299 for 1.299. */
const WITH_THOUSANDS = /^[+-]?\d{1,3}(?:,\d{3})+\.\d{2}$/;
/**
 * A number, also as text; 0 is a value, an empty field is not.
 *
 * @param must what it has to be, as the end of a sentence about the field
 * @param currency what may stand in front of it
 */
export function readNumber(value: unknown, label: string, must: string, currency?: RegExp): number {
	if (isAbsent(value)) throw new FieldError(label, NO_VALUE);
	if (isEmpty(value)) throw new FieldError(label, 'is empty: enter a number');
	const number = typeof value === 'string' ? parseNumber(value, currency) : value;
	if (typeof number !== 'number' || Number.isNaN(number)) {
		throw new FieldError(label, `${must} '${shown(value)}'`);
	}
	if (Math.abs(number) < TOO_MUCH) return Number(number.toFixed(DECIMALS));
	throw new FieldError(
		label,
		`must be a number below ${TOO_MUCH.toLocaleString('en-US')}; it is '${shown(value)}'`,
	);
}

function parseNumber(given: string, currency: RegExp = /^/): number | undefined {
	const text = given.trim();
	if (text.length > MAX_DIGITS) return undefined;
	const plain = plainText(text).replace(currency, '');
	if (WITH_THOUSANDS.test(plain)) return Number(plain.replaceAll(',', ''));
	return DECIMAL.test(plain) ? Number(plain) : undefined;
}

/** A quantity. A change order takes items back with a negative one. */
export const readQuantity = (value: unknown, label: string): number =>
	readNumber(value, label, 'must be a quantity such as 2 or 1.5, without a unit; it is');

/** An amount of money: a number of 0 or more, perhaps with a dollar sign. */
export function readMoney(value: unknown, label: string): number {
	const must = 'must be an amount such as 240.90 or $1,299.00; it is';
	const number = readNumber(value, label, must, /^\$ ?/);
	if (number >= 0) return number;
	throw new FieldError(label, `must be a number of 0 or more; it is '${shown(value)}'`);
}

/** How many: a whole number of 1 or more. */
export function readCount(value: unknown, label: string): number {
	const must = 'must be a whole number of 1 or more; it is';
	const number = readNumber(value, label, must);
	if (Number.isInteger(number) && number >= 1) return number;
	throw new FieldError(label, `${must} '${shown(value)}'`);
}

/** One of the values of an enumeration. */
export function readChoice(value: unknown, label: string, choices: readonly string[]): string {
	if (isAbsent(value)) throw new FieldError(label, NO_VALUE);
	if (choices.includes(value as string)) return value as string;
	throw new FieldError(label, `must be one of ${choices.join(', ')}; it is '${shown(value)}'`);
}

/** Values of an enumeration, as an array or comma-separated text; empty when the field is empty. */
export function readEachChoice(
	value: unknown,
	label: string,
	choices: readonly string[],
): string[] {
	if (isEmpty(value)) return [];
	return splitList(value).map((entry) =>
		readChoice(typeof entry === 'string' ? entry.trim() : entry, label, choices),
	);
}

/** True or false, also as text. */
export function readBoolean(value: unknown, label: string): boolean {
	const isOn = asSwitch(value);
	if (isOn !== undefined) return isOn;
	if (isAbsent(value)) throw new FieldError(label, NO_VALUE);
	throw new FieldError(
		label,
		value === ''
			? 'has no value: choose true or false'
			: `must be true or false; it is '${shown(value)}'`,
	);
}

/** A collection of fields; empty when nothing was added to it. */
export const readCollection = (value: unknown): Record<string, unknown> => asRecord(value) ?? {};
