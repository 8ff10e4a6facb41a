import { describe, expect, it } from 'vitest';
import { parseTime } from '../../client/modifiedRecords.ts';

describe('a date of the service', () => {
	const expected = Date.UTC(2026, 3, 6, 0, 22, 19);
	it.each([
		['2026-04-06T00:22:19Z', expected],
		['2026-04-06T00:22:19', expected],
		['2026-04-06 00:22:19', expected],
		['2026-04-06T02:22:19+02:00', expected],
		['2026-04-06T02:22:19+0200', expected],
		['2026-04-06T00:22:19.123', expected + 123],
		['2026-04-06T00:22:19.1234567Z', expected + 123],
		['2026-04-06', Date.UTC(2026, 3, 6)],
	])('is in UTC unless it says otherwise: %s', (date, time) => expect(parseTime(date)).toBe(time));

	it.each([undefined, null, '', 'soon'])('that is none counts as 0: %s', (date) =>
		expect(parseTime(date)).toBe(0),
	);
});
