import { truncateForMessage } from '../fields/parsers';

export type ComparisonKind = 'flag' | 'id' | 'money' | 'quantity' | 'text';

/** Largest difference that rounding can cause. Portal.io rounds money to cents, and quantities to four decimals. */
const TOLERANCE = { money: 0.005, quantity: 0.000_05 };

/**
 * Returns whether a record has the sent value. A missing value counts as 0, false, or empty text, because Portal.io
 * might leave these out.
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
			// Add a little, because the difference of two binary fractions can be slightly above the limit.
			return Math.abs(Number(sentValue) - Number(actual ?? 0)) <= TOLERANCE[kind] + 1e-9;
	}
}

/** Returns text with normalized spaces, line breaks, and composed characters, because Portal.io can change them. */
const textKey = (text: unknown) =>
	String(text ?? '')
		.toWellFormed()
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();

/** Returns the end of a sentence, such as `'Quantity' is 1, not 3`. */
export const describeMismatch = (label: string, actual: unknown, sentValue: unknown) =>
	`'${label}' is ${formatValue(actual)}, not ${formatValue(sentValue)}`;

const formatValue = (value: unknown) =>
	(value ?? '') === '' ? 'empty' : truncateForMessage(value).toWellFormed();
