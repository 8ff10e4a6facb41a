import { tryToParseDateTime } from 'n8n-workflow';

/**
 * Parses a date of the service, which is in UTC even where it does not say so.
 *
 * @returns milliseconds; 0 for what is not a date
 */
export function parseTime(date: unknown): number {
	try {
		return tryToParseDateTime(String(date ?? ''), 'utc').toMillis();
	} catch {
		return 0;
	}
}
