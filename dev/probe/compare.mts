/** Comparing what was sent with what is read. */
import type { Json } from './contract.mts';

const lettersAndDigits = (value: unknown) =>
	String(value ?? '')
		.replace(/<[^>]*>/g, '')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();

/**
 * Whether what is read is what was sent, apart from rounding, HTML around a text, and what a service
 * adds to a number of a phone or a postal code.
 */
export function isSame(sent: unknown, read: unknown): boolean {
	if (typeof sent === 'number') return Math.abs(sent - Number(read)) < 0.005;
	if (typeof sent === 'boolean') return sent === (read ?? false);
	if (Array.isArray(sent)) return String(sent) === String(read);
	const [ours, theirs] = [lettersAndDigits(sent), lettersAndDigits(read)];
	return theirs.startsWith(ours) || theirs.endsWith(ours);
}

/** A value by its path: `customer.location.id`. */
export const valueAt = (record: Json, path: string): Json =>
	path.split('.').reduce((value, name) => value?.[name], record);

/** What responses call a field of a form. */
export const camelCase = (field: string) => field.replace(/^./, (first) => first.toLowerCase());
