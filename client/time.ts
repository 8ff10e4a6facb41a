/** ISO 8601: a date, mostly with a time of day, decimals and a time zone. */
const ISO =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?)? ?(Z|([+-]\d{2}):?(\d{2}))?$/i;

/**
 * Parses a date of the service: with up to seven decimals, and in UTC unless it names a time zone
 * (docs/dev/portal-api.md#bodies).
 *
 * @returns milliseconds since 1970, with decimals where the service has them; undefined for anything
 * else, and for the year 1, which the service's framework writes for a missing date
 */
export function parseTime(date: unknown): number | undefined {
	const parts = ISO.exec(typeof date === 'string' ? date.trim() : '');
	if (parts === null) return undefined;
	const [, day, time = '00:00', decimals = '0', , hours = '+00', minutes = '00'] = parts;
	const seconds = Date.parse(`${day}T${time}${hours}:${minutes}`);
	return seconds > 0 ? seconds + Number(decimals) * 1000 : undefined;
}

/** A date of a record without a time zone, in JSON as the service writes it. */
const WITHOUT_ZONE = /([{,]"\w{0,50}date":"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?)"/gi;

/**
 * Marks the dates in a JSON text as UTC where they have no time zone: n8n would read them in the time
 * zone of the workflow.
 */
export const markUtc = (json: string): string => json.replace(WITHOUT_ZONE, '$1Z"');
