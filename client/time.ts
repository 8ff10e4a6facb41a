export const DAY_MS = 24 * 60 * 60_000;

const SERVICE_DATE =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?)? ?(Z|([+-]\d{2}):?(\d{2}))?$/i;

/**
 * Parses a date of Portal.io, which is in UTC without a time zone (docs/dev/portal-api.md#bodies), to
 * milliseconds since 1970. Returns undefined for the year 1, which means that there is no date.
 */
export function parseTime(date: unknown): number | undefined {
	const parts = typeof date === 'string' ? SERVICE_DATE.exec(date) : null;
	if (parts === null) return undefined;
	const [, day, time = '00:00', decimals = '', , hours = '+00', minutes = '00'] = parts;
	const seconds = Date.parse(`${day}T${time}${hours}:${minutes}`);
	return seconds > 0 ? seconds + Number(decimals) * 1000 : undefined;
}

/** Matches a date without a time zone in Portal.io's JSON, which has no spaces between its parts. */
const DATE_WITHOUT_ZONE =
	/([{,]"(?:created|\w{0,50}date)":"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?)"/gi;

/** Marks the dates in a JSON text as UTC, because n8n reads dates without a zone in the workflow's zone. */
export const markUtc = (json: string): string => json.replace(DATE_WITHOUT_ZONE, '$1Z"');
