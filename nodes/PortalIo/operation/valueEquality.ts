import { truncateForMessage } from '../fields/parsers';

export type ComparisonKind = 'flag' | 'id' | 'money' | 'quantity' | 'text';

/** Largest difference that rounding makes. Portal.io rounds money to cents, and quantities to four decimals. */
const TOLERANCE = { money: 0.005, quantity: 0.000_05 };

/**
 * Returns whether a record has the sent value. A missing value counts as 0, false, or empty text, which Portal.io can
 * leave out.
 */
export function isSameValue(kind: ComparisonKind, sentValue: unknown, actual: unknown): boolean {
	switch (kind) {
		case 'flag':
			return sentValue === (actual ?? false);
		case 'id':
			return (sentValue ?? null) === (actual ?? null);
		case 'text':
			return textKey(sentValue) === textKey(actual);
		default:
			// Add a little, because the difference of two binary fractions is never exactly at the limit.
			return Math.abs(Number(sentValue) - Number(actual ?? 0)) <= TOLERANCE[kind] + 1e-9;
	}
}

/** Returns a text with normalized spacing, line ends, and composed characters, which Portal.io can change. */
const textKey = (text: unknown) =>
	String(text ?? '')
		.toWellFormed()
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();

/** Returns the end of a sentence: `'Quantity' is 1, not 3`. */
export const describeMismatch = (label: string, actual: unknown, sentValue: unknown) =>
	`'${label}' is ${formatValue(actual)}, not ${formatValue(sentValue)}`;

const formatValue = (value: unknown) =>
	(value ?? '') === '' ? 'empty' : truncateForMessage(value).toWellFormed();
