/** Compares sent values with those of a record. */
import { shown } from '../fields/values';

/** The kinds of comparison. */
export type ComparisonKind = 'flag' | 'id' | 'image' | 'money' | 'quantity' | 'text';

/** Money is equal to the cent, a quantity to four decimals. */
const TOLERANCE = { money: 0.005, quantity: 0.000_05 };

/** Whether a record has a value as it was sent. A record may leave out 0, false and empty text. */
export function isSame(kind: ComparisonKind, sent: unknown, actual: unknown): boolean {
	switch (kind) {
		case 'flag':
			return sent === (actual ?? false);
		case 'id':
			return (sent ?? null) === (actual ?? null);
		case 'image':
		case 'text':
			return textKey(sent) === textKey(actual);
		default:
			// Binary fractions are never exactly at the limit.
			return Math.abs(Number(sent) - Number(actual ?? 0)) <= TOLERANCE[kind] + 1e-9;
	}
}

/** Ignores what a service may change in a text: spacing, line ends, composed characters. */
const textKey = (text: unknown) =>
	String(text ?? '')
		.toWellFormed()
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();

/** The end of a sentence: `'Quantity' is 1, not 3`. */
export const differs = (label: string, actual: unknown, sent: unknown) =>
	`'${label}' is ${inWords(actual)}, not ${inWords(sent)}`;

const inWords = (value: unknown) => ((value ?? '') === '' ? 'empty' : shown(value).toWellFormed());
