import { tryToParseDateTime } from 'n8n-workflow';
import { FieldError, shown } from './values';

/**
 * A date, or a date and a time of day, with or without a time zone. n8n's parser takes more, such as
 * `04/05/2026`, which is in April for some and in May for others.
 */
const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Reads a date as n8n's date picker and expressions give it (ISO 8601 with or without a time zone,
 * a Luxon date, a Date) and writes it as the service takes it.
 *
 * @param timezone the IANA time zone of the workflow, for dates that name none
 * @returns ISO 8601 in UTC, with milliseconds
 * @throws FieldError for anything else
 */
export function utcOf(value: unknown, label: string, timezone: string): string {
	const date = readDate(value, timezone);
	if (date === undefined || Number.isNaN(date.getTime())) {
		throw new FieldError(
			label,
			`must be a date such as '2026-04-14' or '2026-04-14T09:30:00Z'; it is '${shown(value)}'`,
		);
	}
	return date.toISOString();
}

function readDate(value: unknown, timezone: string): Date | undefined {
	if (value instanceof Date) return value;
	if (typeof value === 'object' && value !== null && 'toJSDate' in value) {
		return (value as { toJSDate(): Date }).toJSDate();
	}
	const text = typeof value === 'string' ? value.trim() : '';
	if (!ISO.test(text)) return undefined;
	try {
		const date = tryToParseDateTime(text, timezone);
		// The parser makes March 3 of February 31.
		return text.startsWith(date.toFormat('yyyy-MM-dd')) ? date.toJSDate() : undefined;
	} catch {
		return undefined;
	}
}
