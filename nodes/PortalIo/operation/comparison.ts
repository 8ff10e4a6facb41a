/** Compares sent values with those of a record. */
import { shown } from '../fields/values';

/** The kinds of comparison. */
export type Kind = 'flag' | 'id' | 'image' | 'money' | 'quantity' | 'text';

/** Money is equal to the cent, a quantity to four decimals. */
const TOLERANCE = { money: 0.005, quantity: 0.000_05 };

/** Whether a record has a value as it was sent. A record may leave out 0, false and empty text. */
export function isSame(kind: Kind, sent: unknown, found: unknown): boolean {
	switch (kind) {
		case 'flag':
			return sent === (found ?? false);
		case 'id':
			return (sent ?? null) === (found ?? null);
		case 'image':
		case 'text':
			return textKey(sent) === textKey(found);
		default:
			// Binary fractions are never exactly at the limit.
			return Math.abs(Number(sent) - Number(found ?? 0)) <= TOLERANCE[kind] + 1e-9;
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
export const differs = (label: string, found: unknown, sent: unknown) =>
	`'${label}' is ${inWords(found)}, not ${inWords(sent)}`;

const inWords = (value: unknown) => ((value ?? '') === '' ? 'empty' : shown(value).toWellFormed());
