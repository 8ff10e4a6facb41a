/**
 * Reads and checks what a user gave. Each function takes a value and the label of its field, and
 * returns it as the service takes it, or throws a FieldError that names the field.
 */

/** Says which field holds what the service cannot take, and what to give instead. */
export class FieldError extends Error {
	/** @param advice what is wrong and what to do, as the end of a sentence about the field */
	constructor(label: string, advice: string) {
		super(`'${label}' ${advice}`);
	}
}

const isAbsent = (value: unknown) => value === undefined || value === null;

/** Whether a field has no value: it was not filled in, or its expression found nothing. */
export const isEmpty = (value: unknown): boolean =>
	isAbsent(value) || value === '' || (isLocator(value) && isEmpty(value.value));

/** Whether a value is that of a resource locator. */
export const isLocator = (value: unknown): value is { value: unknown } =>
	typeof value === 'object' && value !== null && 'value' in value;

/** Shortens what a user gave so that a message can repeat it. */
function shown(value: unknown): string {
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** A positive integer, also as text, since expressions often give it so. */
export function idOf(value: unknown, label: string): number {
	if (isEmpty(value)) throw new FieldError(label, 'is empty: choose or enter one');
	const number =
		typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : (value as number);
	if (Number.isSafeInteger(number) && number > 0) return number;
	throw new FieldError(label, `must be an ID, a whole number above 0; it is '${shown(value)}'`);
}

/** The entries of an array, or of comma-separated text; anything else is the one entry. */
function entriesOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	return typeof value === 'string' ? value.split(',') : [value];
}

/** IDs as comma-separated text or an array; an empty array when the field is empty. */
export function idsOf(value: unknown, label: string): number[] {
	if (isAbsent(value)) return [];
	return entriesOf(value)
		.filter((entry) => !(typeof entry === 'string' && entry.trim() === ''))
		.map((entry) => idOf(entry, label));
}

/**
 * Text, possibly empty. An absent value is refused: an expression that found nothing would
 * otherwise clear what is stored.
 */
export function textOf(value: unknown, label: string): string {
	if (isAbsent(value)) {
		throw new FieldError(label, 'has no value: check its expression, or leave it empty');
	}
	if (typeof value === 'object') throw new FieldError(label, 'must be text, not an object or list');
	return String(value);
}

/** Text with something in it besides white space. */
export function filledTextOf(value: unknown, label: string): string {
	const text = textOf(value, label);
	if (text.trim() === '') throw new FieldError(label, 'must not be empty');
	return text;
}

/** Texts, as comma-separated text or an array; empty when the field is empty. */
export function textsOf(value: unknown, label: string): string[] {
	if (isEmpty(value)) return [];
	return entriesOf(value).map((entry) => filledTextOf(entry, label).trim());
}

/** From here on a number could go out with an exponent, which the service may not read. */
const TOO_MUCH = 1e15;
/** More decimals than the service takes; those beyond are what arithmetic leaves. */
const DECIMALS = 6;

/** A number of 0 or more, also as text; 0 is a value, an empty field is not. */
export function amountOf(value: unknown, label: string): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && number >= 0 && number < TOO_MUCH) {
		return Number(number.toFixed(DECIMALS));
	}
	throw new FieldError(label, `must be a number of 0 or more; it is '${shown(value)}'`);
}

/** One of the values of an enumeration. */
export function choiceOf(value: unknown, label: string, choices: readonly string[]): string {
	if (typeof value === 'string' && choices.includes(value)) return value;
	throw new FieldError(label, `must be one of ${choices.join(', ')}; it is '${shown(value)}'`);
}

/** Values of an enumeration, as an array or comma-separated text; empty when the field is empty. */
export function choicesOf(value: unknown, label: string, choices: readonly string[]): string[] {
	if (isEmpty(value)) return [];
	return entriesOf(value).map((entry) =>
		choiceOf(typeof entry === 'string' ? entry.trim() : entry, label, choices),
	);
}

/** True or false, also as text. */
export function booleanOf(value: unknown, label: string): boolean {
	if (typeof value === 'boolean') return value;
	if (value === 'true') return true;
	if (value === 'false') return false;
	throw new FieldError(
		label,
		isEmpty(value)
			? 'has no value: choose true or false'
			: `must be true or false; it is '${shown(value)}'`,
	);
}

/** A collection of fields; empty when nothing was added to it. */
export function collectionOf(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Record<string, unknown>)
		: {};
}
