/** Lists that change in awkward ways while the polling trigger reads them, page by page. */
import { describe, expect, it } from 'vitest';
import { openSession } from '../../client/session.ts';
import { parseTime, readModified } from '../../nodes/PortalIoPollingTrigger/modifiedRecords.ts';
import { pollContext } from './pollingModel.mts';

/** A record as a list shows it: its ID, and the second of its last modification. */
type Row = [id: number, second: number];
/** What a list shows in each round: its pages. The last round repeats. */
type Rounds = Row[][][];

const START = Date.parse('2026-04-06T00:00:00Z');

/** Reads lists of these contents, each of which says that it has `total` records. */
async function read(lists: Record<string, Rounds>, total: number): Promise<Row[]> {
	const round: Record<string, number> = {};
	const respond = (url: URL) => {
		const list = url.pathname.slice(1);
		const page = Number(url.searchParams.get('PageNumber'));
		if (page === 1) round[list] = (round[list] ?? -1) + 1;
		const rounds = lists[list]!;
		const pages = rounds[Math.min(round[list]!, rounds.length - 1)]!;
		const records = (pages[page - 1] ?? []).map(([id, second]) => ({
			id,
			lastModifiedDate: new Date(START + second * 1000).toISOString(),
		}));
		return { statusCode: 200, body: { records, total } };
	};
	const context = pollContext((url) => respond(new URL(url, 'https://api.example.com')));
	const session = await openSession(context);
	const found = await readModified(
		session,
		Object.keys(lists).map((list) => ({
			request: { method: 'GET', path: `/${list}` },
			records: 'records',
			count: 'total',
		})),
		{ since: 0 },
	);
	return found
		.map(({ record, modifiedAt }): Row => [record.id, (modifiedAt - START) / 1000])
		.sort(([one], [other]) => one - other);
}

it('finds a record that other records with the same time hide in several equal rounds', async () => {
	const hidden = [[[3, 9]], [[2, 9]], [[2, 9]]] as Row[][];
	const shown = [[[3, 9]], [[2, 9]], [[1, 9]]] as Row[][];
	const records = await read({ proposals: [hidden, hidden, hidden, hidden, shown] }, 3);
	expect(records.map(([id]) => id)).toEqual([1, 2, 3]);
});

it('tells a record that was deleted from one that it has not seen yet', async () => {
	const before = [[[3, 9]], [[2, 9]], [[1, 9]]] as Row[][];
	// Record 3 was deleted and record 4 created, and the first round after that does not see it.
	const hidden = [[[2, 9]], [[1, 9]], [[1, 9]]] as Row[][];
	const shown = [[[4, 9]], [[2, 9]], [[1, 9]]] as Row[][];
	const records = await read({ proposals: [before, hidden, shown] }, 3);
	expect(records.map(([id]) => id)).toEqual([1, 2, 3, 4]);
});

it('takes the later version of a record that is in two lists', async () => {
	const records = await read({ open: [[[[1, 5]]]], archived: [[[[1, 8]]]] }, 1);
	expect(records).toEqual([[1, 8]]);
	expect(await read({ open: [[[[1, 8]]]], archived: [[[[1, 5]]]] }, 1)).toEqual([[1, 8]]);
});

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
	])('reads a date of the service in UTC unless it says otherwise: %s', (date, time) =>
		expect(parseTime(date)).toBe(time),
	);

	it.each([undefined, null, '', 'soon'])('counts a date that is none as 0: %s', (date) =>
		expect(parseTime(date)).toBe(0),
	);
});
