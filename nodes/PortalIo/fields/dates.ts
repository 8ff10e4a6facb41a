import { tryToParseDateTime } from 'n8n-workflow';
import { FieldError, shown } from './values';

/**
 * A date of ISO 8601, in calendar, week or ordinal form, with or without hyphens, a time of day and a
 * time zone; with spaces as databases write it too. n8n's parser takes more, such as `04/05/2026`,
 * which is in April for some and in May for others.
 */
const ISO =
	/^(?<date>\d{4}(-\d{2}(-\d{2})?|\d{4}|-?W\d{2}(-?[1-7])?|-?\d{3}))([T ](?<time>\d{2}(:?\d{2}(:?\d{2}([.,]\d{1,12})?)?)?) ?(?<zone>Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

/** How the three forms of a date are written without hyphens. */
const FORMS = ['yyyyMMdd', "kkkk'W'WWc", 'yyyyooo'];

/**
 * Reads a date as n8n's date picker and expressions give it (ISO 8601 with or without a time zone,
 * a Luxon date, a Date) and writes it as the service takes it.
 *
 * @param timezone the IANA time zone of the workflow, for dates that name none
 * @returns ISO 8601 in UTC, with milliseconds
 * @throws FieldError for anything else
 */
export function readDate(value: unknown, label: string, timezone: string): string {
	const date = parseDate(value, timezone);
	if (date === undefined || Number.isNaN(date.getTime())) {
		throw new FieldError(
			label,
			`must be a date such as '2026-04-14' or '2026-04-14T09:30:00Z'; it is '${shown(value)}'`,
		);
	}
	return date.toISOString();
}

function parseDate(value: unknown, timezone: string): Date | undefined {
	if (value instanceof Date) return value;
	if (typeof value === 'object' && value !== null && 'toJSDate' in value) {
		return (value as { toJSDate(): Date }).toJSDate();
	}
	const parts = ISO.exec(typeof value === 'string' ? value.trim() : '')?.groups;
	if (parts === undefined) return undefined;
	const { date, time, zone = '' } = parts;
	try {
		const found = tryToParseDateTime(
			time === undefined ? date : `${date}T${time}${zone}`,
			timezone,
		);
		// The parser makes March 3 of February 31.
		const digits = date!.replaceAll('-', '').toUpperCase();
		return FORMS.some((form) => found.toFormat(form).startsWith(digits))
			? found.toJSDate()
			: undefined;
	} catch {
		return undefined;
	}
}
