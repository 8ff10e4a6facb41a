export const DAY_MS = 24 * 60 * 60_000;

const ISO =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?)? ?(Z|([+-]\d{2}):?(\d{2}))?$/i;

/**
 * Parses a date of the service, in UTC unless it names a time zone (docs/dev/portal-api.md#bodies), to
 * milliseconds since 1970. Undefined for anything else, and for the year 1: a missing date.
 */
export function parseTime(date: unknown): number | undefined {
	const parts = typeof date === 'string' ? ISO.exec(date) : null;
	if (parts === null) return undefined;
	const [, day, time = '00:00', decimals = '', , hours = '+00', minutes = '00'] = parts;
	const seconds = Date.parse(`${day}T${time}${hours}:${minutes}`);
	return seconds > 0 ? seconds + Number(decimals) * 1000 : undefined;
}

/** A date of a record or event without a time zone, in JSON without spaces. */
const WITHOUT_ZONE =
	/([{,]"(?:created|\w{0,50}date)":"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?)"/gi;

/** Marks the dates in a JSON text as UTC: without a zone, n8n would read them in that of the workflow. */
export const markUtc = (json: string): string => json.replace(WITHOUT_ZONE, '$1Z"');
