/** The dates of the service. */
import { describe, expect, it } from 'vitest';
import { markUtc, parseTime } from '../../client/data.ts';

const SECOND = Date.UTC(2026, 3, 6, 0, 22, 19);

describe('a date of the service', () => {
	it.each([
		['2026-04-06T00:22:19Z', SECOND],
		['2026-04-06T00:22:19', SECOND],
		['2026-04-06 00:22:19', SECOND],
		['2026-04-06T02:22:19+02:00', SECOND],
		['2026-04-05T19:52:19-0430', SECOND],
		['2026-04-06T00:22', SECOND - 19_000],
		['2026-04-06T00:22:19.123', SECOND + 123],
		['2026-04-06', Date.UTC(2026, 3, 6)],
		// A server in New York has no such time of day.
		['2026-03-08T02:30:00', Date.UTC(2026, 2, 8, 2, 30)],
	])('reads %s in UTC unless it names a time zone', (date, time) =>
		expect(parseTime(date)).toBe(time),
	);

	it.each(['2026-04-06T00:22:19.1234567', '2026-04-06T02:22:19.1234567+02:00'])(
		'reads %s with its seven decimals',
		(date) => expect(parseTime(date)).toBeCloseTo(SECOND + 123.4567, 3),
	);

	it.each([undefined, null, '', 'soon', 5, '5', '04/05/2026', '2026-13-01', '0001-01-01T00:00:00'])(
		'counts as missing when it is %s',
		(date) => expect(parseTime(date)).toBeUndefined(),
	);
});

describe('the dates of a response', () => {
	const date = '2026-04-06T00:22:19.1234567';

	it('are in UTC where they name no time zone', () => {
		const json = JSON.stringify({
			createdDate: date,
			due: { date },
			list: [{ id: 1, dueDate: date }],
		});
		expect(markUtc(json)).toBe(json.replaceAll(date, `${date}Z`));
	});

	it.each([
		[{ createdDate: `${date}Z` }],
		[{ createdDate: `${date}+02:00` }],
		[{ createdDate: null }],
		[{ clientNote: date }],
		[{ clientNote: `{"createdDate":"${date}"}` }],
	])('stay as they are in %j', (record) => {
		const json = JSON.stringify(record);
		expect(markUtc(json)).toBe(json);
	});
});
