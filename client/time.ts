export const DAY_MS = 24 * 60 * 60_000;

const SERVICE_DATE =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?)? ?(Z|([+-]\d{2}):?(\d{2}))?$/i;

/**
 * Converts a date from Portal.io to milliseconds since 1970. A date without a time zone is in UTC
 * (docs/dev/portal-api.md#bodies). Returns undefined for anything else, and for the year 1, which means that there is
 * no date.
 */
export function parseTime(date: unknown): number | undefined {
	const parts = typeof date === 'string' ? SERVICE_DATE.exec(date) : null;
	if (parts === null) return undefined;
	const [, day, time = '00:00', decimals = '', , hours = '+00', minutes = '00'] = parts;
	const seconds = Date.parse(`${day}T${time}${hours}:${minutes}`);
	return seconds > 0 ? seconds + Number(decimals) * 1000 : undefined;
}

/** Pattern of a date property without a time zone. Portal.io's JSON has no spaces around names and values. */
const DATE_WITHOUT_ZONE =
	/([{,]"(?:created|\w{0,50}date)":"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?)"/gi;

/**
 * Marks dates in JSON as UTC if they have no time zone, because n8n would otherwise read them in the workflow's time
 * zone.
 */
export const markUtc = (json: string): string => json.replace(DATE_WITHOUT_ZONE, '$1Z"');
