import { FieldError } from './values';

/** A date, or a date and a time of day, without a time zone: as n8n's date picker gives it. */
const LOCAL = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?)?$/;
const ISO_WITH_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Reads a date as n8n's date picker and expressions give it (ISO 8601 with or without a time zone,
 * a Luxon date, a Date) and writes it as the service takes it.
 *
 * @param timezone the IANA time zone of the workflow, for what names none
 * @returns ISO 8601 in UTC, with milliseconds
 * @throws FieldError for anything else
 */
export function utcOf(value: unknown, label: string, timezone: string): string {
	const date = readDate(value, timezone);
	if (date === undefined || Number.isNaN(date.getTime())) {
		throw new FieldError(label, "must be a date such as '2026-04-14' or '2026-04-14T09:30:00Z'");
	}
	return date.toISOString();
}

function readDate(value: unknown, timezone: string): Date | undefined {
	if (value instanceof Date) return value;
	if (typeof value === 'object' && value !== null && 'toJSDate' in value) {
		return (value as { toJSDate(): Date }).toJSDate();
	}
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (ISO_WITH_ZONE.test(text)) return new Date(text.replace(' ', 'T'));
	const local = LOCAL.exec(text);
	if (local === null) return undefined;
	const [year, month, day, hour, minute, second, fraction] = local
		.slice(1)
		.map((part) => Number(part ?? 0)) as [number, number, number, number, number, number, number];
	const milliseconds = fraction * 10 ** (3 - (local[7]?.length ?? 3));
	const asUtc = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
	// 31 February would roll over into March, and 25:00 into the next day.
	if (new Date(asUtc).toISOString().slice(0, 10) !== text.slice(0, 10)) return undefined;
	// The offset is that of the moment sought, which the first guess may miss around a clock change.
	const guess = asUtc - offsetAt(asUtc, timezone);
	return new Date(asUtc - offsetAt(guess, timezone));
}

/** How far the wall clock of a time zone is ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(moment);
	const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
	const wall = Date.UTC(
		read('year'),
		read('month') - 1,
		read('day'),
		read('hour'),
		read('minute'),
		read('second'),
	);
	return wall - Math.floor(moment / 1000) * 1000;
}
