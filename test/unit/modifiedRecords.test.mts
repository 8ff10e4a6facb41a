/** Lists that change in awkward ways while the polling trigger reads them, page by page. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openSession } from '../../client/session.ts';
import {
	readModified,
	type ReadingLimits,
} from '../../nodes/PortalIoPollingTrigger/modifiedRecords.ts';
import { pollContext } from './pollingModel.mts';

/** A record as a list shows it: its ID, and the second of its last modification, if it says so. */
type Row = [id: number, second: number | null];
/** What a list shows in each round: its pages. The last round repeats. */
type Rounds = Row[][][];

const START = Date.parse('2026-04-06T00:00:00Z');

/** The pages that were asked for, in all rounds. */
let asked: number[] = [];
/** The same, each with the first letter of its list. */
let askedOf = '';
/** From when on lists were asked for what was modified, in seconds. */
let filters: (number | undefined)[] = [];
/** The first letters of the lists from which the records were taken. */
let takenFrom = '';
/** How many records the last page of the first list was to have. */
let pageSize = 0;
afterEach(() => void vi.useRealTimers());

/**
 * Reads lists of these contents, each of which says that it has `total` records; NaN: it does not.
 *
 * @param after the parameter of the lists that filters by time, if they have one
 */
async function read(
	lists: Record<string, Rounds>,
	total: number | ((list: string, round: number) => number),
	{ after, ...limits }: Partial<ReadingLimits> & { after?: string } = {},
): Promise<Row[]> {
	const round: Record<string, number> = {};
	[asked, askedOf, filters] = [[], '', []];
	const respond = (url: URL) => {
		const list = url.pathname.slice(1);
		const page = Number(url.searchParams.get('PageNumber'));
		asked.push(page);
		askedOf += ` ${list[0]}${page}`;
		if (list === Object.keys(lists)[0]) pageSize = Number(url.searchParams.get('PageSize'));
		const from = after && url.searchParams.get(after);
		filters.push(from ? (Date.parse(from) - START) / 1000 : undefined);
		if (page === 1) round[list] = (round[list] ?? -1) + 1;
		const rounds = lists[list]!;
		const pages = rounds[Math.min(round[list]!, rounds.length - 1)]!;
		const records = (pages[page - 1] ?? []).map(([id, second]) => ({
			...{ id, name: list },
			lastModifiedDate: second === null ? null : new Date(START + second * 1000).toISOString(),
		}));
		const count = typeof total === 'number' ? total : total(list, round[list]!);
		return { statusCode: 200, body: { records, total: count } };
	};
	const context = pollContext((url) => respond(new URL(url, 'https://api.example.com')));
	const session = await openSession(context);
	const found = await readModified(
		session,
		Object.keys(lists).map((list) => ({
			request: { method: 'GET', path: `/${list}` },
			records: 'records',
			count: 'total',
			...(after === undefined ? {} : { after }),
		})),
		{ since: 0, isOver: () => false, ...limits },
	);
	takenFrom = found.map(({ record }) => String(record.name).charAt(0)).join('');
	return found
		.map(({ record, modifiedAt }): [number, number] => [record.id, (modifiedAt - START) / 1000])
		.sort(([one], [other]) => one - other);
}

it('finds a record that other records with the same time hide in several equal rounds', async () => {
	const hidden = [[[3, 9]], [[2, 9]], [[2, 9]]] as Row[][];
	const shown = [[[3, 9]], [[2, 9]], [[1, 9]]] as Row[][];
	const records = await read({ proposals: [hidden, hidden, hidden, hidden, shown] }, 3);
	expect(records.map(([id]) => id)).toEqual([1, 2, 3]);
});

it('reads on while one of the lists is not complete, although another one is', async () => {
	const hiding = (order: number): Row[][] =>
		order % 2 === 0 ? [[[3, 9]], [[2, 9]], [[2, 9]]] : [[[2, 9]], [[3, 9]], [[3, 9]]];
	const rounds = [
		...Array.from({ length: 13 }, (_, round) => hiding(round)),
		[[[1, 9]], [[2, 9]], [[3, 9]]],
	] as Rounds;
	const lists = { open: rounds, archived: [[[[5, 5]]]] as Rounds };
	const records = await read(lists, (list) => (list === 'open' ? 3 : 1));
	expect(records.map(([id]) => id)).toEqual([1, 2, 3, 5]);
});

it('takes a list as complete when its rounds together have shown every record', async () => {
	const rounds = [
		[[[3, 9]], [[2, 9]], [[2, 9]]],
		[[[3, 9]], [[1, 9]], [[1, 9]]],
	] as Rounds;
	const turns = Array.from({ length: 20 }, () => rounds).flat();
	expect(await read({ proposals: turns }, 3)).toHaveLength(3);
	expect(asked).toHaveLength(4 * 3);
});

it.each<[string, Rounds, string, number, number[]?]>([
	['the first list alone', [[[[3, 9]], [[2, 8]]]], ' o1 o2 a1 o1 o2', 1],
	['the first list alone, where it has one page', [[[[2, 8]]]], ' o1 a1 o1', 100],

	[
		'all lists, where something has moved',
		[
			[[[3, 9]], [[2, 8]]],
			[[[4, 9]], [[3, 9]]],
		],
		' o1 o2 a1 o1 o2 o1 o2 a1',
		1,
	],
	[
		'all lists, where a count has changed',
		[[[[3, 9]], [[2, 8]]]],
		' o1 o2 o3 a1 o1 o2 o1 o2 a1',
		1,
		[3, 2],
	],
	['all lists, where one was empty although it counted', [[[]]], ' o1 a1 o1 o1 a1', 100, [3]],
])('reads a second time %s', async (_what, open, expected, size, counts = []) => {
	const archived = [[[[1, 7]]]] as Rounds;
	const total = (list: string, round: number) =>
		list === 'open' ? (counts[round] ?? open[0]!.length) : 1;
	await read({ open, archived }, total);
	expect([askedOf, pageSize]).toEqual([expected, size]);
});

it('reads once where all is known, and again where one record is not', async () => {
	const list = [[[[2, 9]], [[1, 8]]]] as Rounds;
	const from = (id: number) => ({
		isKnown: ({ record }: { record: { id: number } }) => record.id > id,
	});
	await read({ proposals: list }, 2, from(0));
	expect(askedOf).toBe(' p1 p2');
	await read({ proposals: list }, 2, from(1));
	expect(askedOf).toBe(' p1 p2 p1 p2');
});

it('asks a list with a filter from a second before the time on, and reads on for a minute', async () => {
	const at = (...seconds: number[]) => [
		seconds.map((second, index): Row[] => [[index + 1, second]]),
	];
	const since = START + 100_500;
	await read({ proposals: at(100, 41, 40, 39) }, 4, { since, after: 'After', isKnown: () => true });
	expect([askedOf, ...filters]).toEqual([' p1 p2 p3 p4', 99, 99, 99, 99]);
	await read({ proposals: at(100) }, 1, { after: 'After' });
	expect(filters).toEqual([undefined]);
});

it('fails when the time ends in one of the lists', async () => {
	const open = [[[[3, 9]], [[2, 8]]]] as Rounds;
	const lists = { open, archived: [[[[1, 7]]]] as Rounds };
	const total = (list: string) => (list === 'open' ? 2 : 1);
	await expect(read(lists, total, { isOver: () => true })).rejects.toThrow('in the time that n8n');
	expect(askedOf).toBe(' o1 a1');
});

it.each<[string, Row[][], number, string]>([
	['has a page without records', [[[3, 9]], [], [[1, 8]]], 3, ' p1 p2 p1 p2'],
	['is empty although it counts records', [[]], 3, ' p1'],
])('ends where a list %s', async (_what, pages, total, expected) => {
	await read({ proposals: [pages] }, total);
	expect(askedOf).toBe(expected);
});

it('takes a list that returns a record twice as complete after twelve equal rounds', async () => {
	expect(await read({ proposals: [[[[2, 9]], [[2, 9]], [[1, 9]]]] }, 3)).toHaveLength(2);
	expect(asked).toHaveLength(12 * 3);
});

it('gives up a list that shows another record in each of forty rounds', async () => {
	const rounds = Array.from({ length: 41 }, (_, index): Row[][] => [[[index + 2, 9]], [[1, 8]]]);
	await expect(read({ proposals: rounds }, 2)).rejects.toThrow('changed faster than it could be');
});

it('returns no part of lists of which one is not sorted', async () => {
	const sorted = [[[[2, 9]], [[1, 8]]]] as Rounds;
	const reversed = [[[[1, 8]], [[2, 9]], [[3, 9]]]] as Rounds;
	const over = () => ({ isPartial: true, isOver: () => asked.length > 4 });
	expect(await read({ open: sorted, archived: sorted }, 3, over())).toHaveLength(2);
	const reading = read({ open: sorted, archived: reversed }, 3, over());
	await expect(reading).rejects.toThrow('in the time that n8n gives');
});

it('names a record without the time of its last modification', async () => {
	const undated = read({ proposals: [[[[7, null]]]] }, 1);
	await expect(undated).rejects.toThrow('does not say when the record with the ID 7 was modified');
});

describe('a list that is not filtered', () => {
	/** Pages of records by the second of their last modification: `98 7` has two pages. */
	const pagesAt = (text: string) => {
		let id = 0;
		return text.split(' ').map((page) => [...page].map((at): Row => [++id, Number(at)]));
	};

	it.each<[string, string, string, Partial<ReadingLimits>, { minute?: number; total?: number }?]>([
		['what is older than asked for, and one later page', '9 8 7 6 5', '1234', { since: 8 }],
		['the same, where records before it have equal times', '99 88 77 66 55', '1234', { since: 8 }],
		['the same, and another page a minute later', '9 8 7 6 5', '1235', { since: 8 }, { minute: 1 }],
		['as many as are wanted, and one later page', '9 8 7 6 5', '123', { max: 2 }],
		['what is old enough, and one page with equal times', '9 7 7 6', '123', { since: 8 }],
		['what is old enough alone, without a count', '9 8 7 6', '123', { since: 8 }, { total: NaN }],
		['the end, where a page is not sorted', '89 72 1 9 6', '1234', { since: 8 }],
	])(
		'reads a list up to %s',
		async (_what, text, expected, { since = 0, ...limits }, { minute = 0, total } = {}) => {
			vi.useFakeTimers({ toFake: ['Date'], now: minute * 60_000 });
			const pages = pagesAt(text);
			const more = { since: since && START + since * 1000, isKnown: () => true, ...limits };
			await read({ people: [pages] }, total ?? pages.flat().length, more);
			expect(asked.join('')).toBe(expected);
		},
	);

	it('reads overlapping pages to the end where the service gives no count', async () => {
		const [[one, two], [three, four]] = pagesAt('98 76') as [[Row, Row], [Row, Row]];
		const pages = [
			[one, two],
			[two, three],
			[three, four],
		];
		expect(await read({ people: [pages] }, NaN)).toHaveLength(4);
	});
});

it('tells a record that was deleted from one that it has not seen yet', async () => {
	const before = [[[3, 9]], [[2, 9]], [[1, 9]]] as Row[][];
	// Record 3 was deleted and record 4 created, and the first round after that does not see it.
	const hidden = [[[2, 9]], [[1, 9]], [[1, 9]]] as Row[][];
	const shown = [[[4, 9]], [[2, 9]], [[1, 9]]] as Row[][];
	const records = await read({ proposals: [before, hidden, shown] }, 3);
	expect(records.map(([id]) => id)).toEqual([1, 2, 3, 4]);
});

it('tells the same where all but the new record is known', async () => {
	const before = [[[3, 9]], [[2, 9]], [[2, 9]]] as Row[][];
	const hidden = [[[2, 9]], [[1, 9]], [[1, 9]]] as Row[][];
	const shown = [[[4, 9]], [[2, 9]], [[1, 9]]] as Row[][];
	const isKnown = ({ record }: { record: { id: number } }) => record.id !== 4;
	const records = await read({ proposals: [before, hidden, shown] }, 3, { isKnown });
	expect(records.map(([id]) => id)).toEqual([1, 2, 3, 4]);
});

it('tells a record that was deleted from one that it has not seen yet, by a count that has changed', async () => {
	const before = [[[4, 9]], [[3, 9]], [[2, 9]], [[2, 9]]] as Row[][];
	const hidden = [[[3, 9]], [[2, 9]], [[2, 9]]] as Row[][];
	const shown = [[[3, 9]], [[1, 9]], [[2, 9]]] as Row[][];
	const total = (_list: string, round: number) => (round < 2 ? 4 : 3);
	const rounds = [before, before, hidden, hidden, shown];
	const records = await read({ proposals: rounds }, total);
	expect(records.map(([id]) => id)).toEqual([1, 2, 3, 4]);
});

it('takes the later version of a record that is in two lists', async () => {
	const records = await read({ open: [[[[1, 5]]]], archived: [[[[1, 8]]]] }, 1);
	expect(records).toEqual([[1, 8]]);
	expect(await read({ open: [[[[1, 8]]]], archived: [[[[1, 5]]]] }, 1)).toEqual([[1, 8]]);
	// Where both have the same time, it has moved to the list that shows it later.
	const counts = (list: string, round: number) => (list === 'open' && round > 0 ? 0 : 1);
	await read({ open: [[[[1, 5]]], [[]]], archived: [[[[1, 5]]]] }, counts);
	expect(takenFrom).toBe('a');
});
