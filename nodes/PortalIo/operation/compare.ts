/** The one comparison of what was sent with what a record has. */
import { asSent } from '../../../client/encoding';
import { shown } from '../fields/values';

/** How a value is compared. */
export type Kind = 'flag' | 'id' | 'money' | 'quantity' | 'text';

/** How far numbers may differ: money is equal to the cent, a quantity to four decimals. */
const TOLERANCE = { money: 0.005, quantity: 0.000_05 };

/** Whether a record has a value as it was sent. A record may leave out 0, false and empty text. */
export function isSame(kind: Kind, sent: unknown, found: unknown): boolean {
	switch (kind) {
		case 'flag':
			return (sent ?? false) === (found ?? false);
		case 'id':
			return (sent ?? undefined) === (found ?? undefined);
		case 'text':
			return textKey(sent) === textKey(found);
		default:
			// Binary fractions are never exactly at the limit.
			return Math.abs(Number(sent ?? 0) - Number(found ?? 0)) <= TOLERANCE[kind] + 1e-9;
	}
}

/** Text without what a service may change about it: spacing, line ends, how characters are composed. */
const textKey = (text: unknown) =>
	asSent(String(text ?? ''))
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();

/** Says that a field has another value, for errors. */
export const differs = (label: string, found: unknown, sent: unknown) =>
	`'${label}' is ${inWords(found)}, not ${inWords(sent)}`;

const inWords = (value: unknown) =>
	value === undefined || value === null || value === '' ? 'empty' : asSent(shown(value));
