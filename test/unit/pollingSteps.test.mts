/** The steps of a poll, each by itself: what it takes, and what it leaves to the next poll. */
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { selectCandidates } from '../../nodes/PortalIoPollingTrigger/candidates.ts';
import {
	isKnownVersion,
	KNOWN_RECORDS,
	memoryAfter,
	newestTime,
	OVERLAP_MS,
	type Known,
	type Learned,
	type Memory,
} from '../../nodes/PortalIoPollingTrigger/memory.ts';
import type { ListedRecord } from '../../nodes/PortalIoPollingTrigger/modifiedRecords.ts';
import {
	explainFailure,
	throwIfRefused,
} from '../../nodes/PortalIoPollingTrigger/refusedLogins.ts';
import { DurableScheduler } from './durableScheduler.mts';
import { remembered } from './pollingModel.mts';
import { playedSession } from './playedSession.mts';

afterEach(() => void vi.useRealTimers());

/** A time of the service, in milliseconds. */
const NOON = Date.UTC(2026, 3, 6, 12);
const listedAt = (...times: number[]): ListedRecord[] =>
	times.map((modifiedAt, index) => ({ record: { id: index + 1 } as never, modifiedAt }));
const knownAt = (...times: number[]): Known =>
	new Map(times.map((time, index) => [index + 1, { time, state: 'Draft' }]));

const BEFORE: Memory = {
	...{ source: 's', cursor: NOON, baseline: 5, from: NOON - OVERLAP_MS, isComplete: true },
	...{ known: {}, pending: [], failures: {}, skipped: {}, unsettledSince: 0 },
};

describe('the memory after a poll', () => {
	const after = (before: Partial<Memory> | undefined, learned: Partial<Learned>) =>
		memoryAfter(before && { ...BEFORE, ...before }, {
			...{ source: 's', listed: [], known: new Map(), keepsOld: true, pending: [], failures: {} },
			...{ skipped: new Map(), isDone: () => false, unsettledSince: 0 },
			...learned,
		});
	const from = NOON - OVERLAP_MS;
	const full = knownAt(...Array.from({ length: KNOWN_RECORDS }, (_, index) => NOON - index));
	const tooMany = new Map([...full, [9999, { time: NOON - 7000, state: '' }]]);
	const skipped = new Map([[2, new Error()]]);
	/** Version of the record with the ID 1 and 2: just old enough, and just too old. */
	const border = knownAt(from, from - 1);

	it.each<[string, Partial<Memory> | undefined, Partial<Learned>, Partial<Memory>]>([
		['the first', undefined, { listed: listedAt(NOON) }, { cursor: NOON, baseline: NOON, from }],
		[
			'a later one',
			{},
			{ listed: listedAt(NOON + 9) },
			{ cursor: NOON + 9, baseline: 5, from: from + 9 },
		],
		[
			'one that lists only what is older',
			{},
			{ listed: listedAt(NOON - 9) },
			{ cursor: NOON, from },
		],
		['one that lists nothing', { from: from + 9 }, {}, { cursor: NOON, from: from + 9 }],
		['one that is not done', { from: 7 }, { listed: listedAt(NOON), isPartial: true }, { from: 7 }],
		[
			'a first one that is not done',
			undefined,
			{ listed: listedAt(NOON), isPartial: true },
			{ from: 0 },
		],
		['a whole baseline', undefined, { isWhole: true }, { isComplete: true }],
		['any other baseline', undefined, {}, { isComplete: false }],
		['one after another baseline', { isComplete: false }, { isWhole: true }, { isComplete: false }],
		['as many records as are remembered', {}, { known: full }, { isComplete: true, from }],
		['one record too many', {}, { known: tooMany }, { isComplete: false, from: NOON - 6999 }],
		[
			'too many new records',
			{ from: 7 },
			{ known: tooMany, isPartial: true },
			{ from: NOON - 6999 },
		],
		['read proposals', {}, { pending: [4, 5, 6], isDone: (id) => id === 5 }, { pending: [4, 6] }],
		['one skipped of the baseline', {}, { pending: [1, 2], skipped }, { isComplete: false }],
		['one skipped that is none of it', {}, { pending: [1, 3], skipped }, { isComplete: true }],
		[
			'one skipped',
			{},
			{ listed: listedAt(NOON, NOON - 5), skipped },
			{ skipped: { 2: NOON - 5 } },
		],
		[
			'one skipped before',
			{ skipped: { 1: NOON } },
			{ listed: listedAt(NOON, 8) },
			{ skipped: { 1: NOON } },
		],
		[
			'one changed since',
			{ skipped: { 1: NOON - 1 } },
			{ listed: listedAt(NOON) },
			{ skipped: {} },
		],
		['one that is gone', { skipped: { 7: NOON } }, { listed: listedAt(NOON) }, { skipped: {} }],
		[
			'old versions',
			{},
			{ known: border },
			{ known: { 1: [from, 'Draft'], 2: [from - 1, 'Draft'] } },
		],
		[
			'recent versions only',
			{},
			{ known: border, keepsOld: false },
			{ known: { 1: [from, 'Draft'] } },
		],
	])('is right after %s', (_what, before, learned, expected) =>
		expect(after(before, learned)).toEqual(expect.objectContaining(expected)),
	);

	it.each<[string, Partial<Memory>, number, boolean]>([
		['before the border', { from: NOON + 1 }, NOON, true],
		['at the border', { from: NOON }, NOON, false],
		['that is known', {}, NOON - 1, true],
		['that is later than the known one', {}, NOON + 1, false],
		['that was given up', { skipped: { 1: NOON + 1 } }, NOON + 1, true],
	])(
		'tells whether there is nothing to learn from a version %s',
		(_what, memory, time, expected) => {
			const [listed] = listedAt(time);
			const known = memory.from === undefined ? knownAt(NOON) : knownAt();
			expect(isKnownVersion({ ...BEFORE, ...memory }, known, listed!, time)).toBe(expected);
		},
	);

	it('keeps the records that were modified last', () => {
		const { known } = after({}, { known: new Map([[1, { time: 3, state: '' }], ...tooMany]) });
		expect(Object.keys(known)).toHaveLength(KNOWN_RECORDS);
		expect(known).not.toHaveProperty('9999');
	});

	it('takes a time up to a day ahead as the newest, and none later than that', () => {
		vi.useFakeTimers({ toFake: ['Date'], now: NOON });
		const day = 24 * 3600_000;
		expect(newestTime(listedAt(NOON, NOON + day, NOON + day + 1))).toBe(NOON + day);
		expect(newestTime(listedAt(NOON + day + 1), 7)).toBe(7);
	});
});

describe('the records that a poll compares', () => {
	const select = (memory: Partial<Memory>, known: Known, listed: ListedRecord[]) =>
		selectCandidates(
			{ event: { timeOf: (one: ListedRecord) => one.modifiedAt } } as never,
			{ ...BEFORE, ...memory },
			known,
			listed,
		);
	const ids = (...selected: Parameters<typeof select>) =>
		select(...selected).map(({ record }) => record.id);

	it.each<[string, number[], Partial<Memory>, Known, ListedRecord[]]>([
		[
			'those from the border on',
			[2, 3],
			{ from: NOON },
			knownAt(),
			listedAt(NOON - 1, NOON, NOON + 1),
		],
		['no earlier version', [2], { from: 0 }, knownAt(6, 6), listedAt(5, 6)],
		['those not given up', [1], { from: 0, skipped: { 1: 4, 2: 5 } }, knownAt(), listedAt(5, 5)],
		['by time, then by ID', [2, 1, 3], { from: 0 }, knownAt(), listedAt(8, 7, 8)],
	])('are %s', (_what, expected, ...given) => expect(ids(...given)).toEqual(expected));

	const rechecked = (...selected: Parameters<typeof select>) =>
		select(...selected)
			.filter(({ needsRecheck }) => needsRecheck)
			.map(({ record }) => record.id);

	it('are looked at again from a second before the newest on, while something is unsettled', () => {
		const listed = listedAt(NOON - 1001, NOON - 1000, NOON);
		expect(rechecked({ unsettledSince: 1 }, knownAt(), listed)).toEqual([2, 3]);
		expect(rechecked({ unsettledSince: 0 }, knownAt(), listed)).toEqual([]);
	});

	it('are looked at again up to fifty, the newest', () => {
		const listed = listedAt(...Array.from({ length: 60 }, (_, index) => NOON + index));
		const again = rechecked({ unsettledSince: 1 }, knownAt(), listed);
		expect([again.length, again[0]]).toEqual([50, 11]);
	});

	it.each<[string, Partial<Memory>, number]>([
		['everything about a record that must be new', {}, -Infinity],
		['what came after the baseline, where some are not known', { isComplete: false, from: 3 }, 5],
		['what came since the last poll, where some are not known', { isComplete: false, from: 9 }, 8],
		['the same of one that is still to be read', { pending: [1], from: 9 }, 8],
	])('report %s', (_what, memory, reportedUntil) => {
		expect(select({ from: 0, ...memory }, knownAt(), listedAt(NOON))).toMatchObject([
			{ reportedUntil },
		]);
	});
});

describe('what a poll fails with', () => {
	const apiError = (cause: string) => {
		const text = { message: 'No', description: 'Why', httpCode: '401' };
		return Object.assign(new NodeApiError({} as never, {}, text), { failure: { cause } });
	};
	const started = (more?: object) => playedSession(() => ({}), more).session;

	it('is the same for as long as a refused login is not repeated', () => {
		const session = started();
		const error = apiError('credential-invalid');
		expect(explainFailure(session, error)).toBe(error);
		const description = expect.stringMatching(/^Why\nPolls log in again/);
		const expected = { message: 'No', description, httpCode: '401', failure: error.failure };
		expect(() => throwIfRefused(session)).toThrow(expect.objectContaining(expected));
		expect(() => throwIfRefused(started())).not.toThrow();
	});

	it('says when polls log in again where nothing else is said', () => {
		const session = started();
		explainFailure(session, Object.assign(apiError('credential-invalid'), { description: null }));
		const description = expect.stringMatching(/^Polls log in again/);
		expect(() => throwIfRefused(session)).toThrow(expect.objectContaining({ description }));
	});

	it('is remembered for a refused login alone', () => {
		const session = started();
		explainFailure(session, apiError('rate-limit'));
		expect(() => throwIfRefused(session)).not.toThrow();
	});

	it('is the time of the poll when that has ended', () => {
		const session = started({ getExecutionCancelSignal: () => AbortSignal.abort() });
		const tooSlow = { name: 'NodeOperationError', message: expect.stringContaining('in the time') };
		expect(explainFailure(session, apiError('rate-limit'))).toMatchObject(tooSlow);
	});

	it('keeps what another error says', () => {
		const error = Object.assign(new Error('Odd'), { description: 'Because' });
		const explained = explainFailure(started(), error);
		expect(explained).toBeInstanceOf(NodeOperationError);
		expect(explained).toMatchObject({ message: 'Odd', description: 'Because' });
	});
});

describe('the first poll', () => {
	const start = async (event: string, count: number, ms: number) => {
		const n8n = new DurableScheduler(event, {}, true);
		n8n.service.reading.maxPageSize = 1000;
		for (let index = 0; index < count; index++) {
			n8n.service.pass(ms);
			n8n.service.create('Submitted');
		}
		n8n.service.still = new Map();
		expect(await n8n.poll()).toEqual([]);
		return { n8n, memory: remembered(n8n.database) };
	};
	const COUNT = KNOWN_RECORDS;

	it.each<[string, string, number, Partial<Memory>]>([
		['all statuses', 'proposalStatusChanged', 3, { isComplete: true, unsettledSince: 0 }],
		['the newest times alone', 'proposalUpdated', 3, { isComplete: false, unsettledSince: 0 }],
		['all payments', 'paymentStatusChanged', 3, { isComplete: true, unsettledSince: NOON }],
		['as many as are remembered', 'paymentStatusChanged', COUNT, { isComplete: true }],
		['more than are remembered', 'paymentStatusChanged', COUNT + 1, { isComplete: false }],
	])('learns %s', async (_what, event, count, expected) => {
		vi.useFakeTimers({ toFake: ['Date'], now: NOON });
		const { memory } = await start(event, count, 1);
		expect(memory).toMatchObject(expected);
		const known = event === 'proposalUpdated' ? 3 : Math.min(count, COUNT);
		expect(Object.keys(memory.known).length + memory.pending.length).toBe(known);
	});

	it('reads no more of a list than the next poll looks at', async () => {
		const { n8n } = await start('proposalUpdated', 1000, 60_000);
		// The newest page, one later page and the archived ones, then the first two again; then what is
		// recent, in both lists and once more in the first.
		expect(n8n.service.requests).toBe(3 + 2 + 3);
	});

	it('learns all that the next poll looks at', async () => {
		const { n8n } = await start('proposalUpdated', 150, 1);
		expect(await n8n.poll()).toEqual([]);
	});

	it('reads fifty of those that are left, beside what it reads anyway', async () => {
		const { n8n, memory } = await start('paymentStatusChanged', 400, 60_000);
		for (const id of memory.pending.slice(0, 10)) {
			n8n.later.service.modify(n8n.service.records.get(id)!, () => {});
		}
		n8n.service.still = undefined;
		await n8n.poll();
		expect(remembered(n8n.database).pending).toHaveLength(400 - 250 - 10 - 50);
	});
});

describe('a later poll', () => {
	/** The memory after a poll that has found one change of two proposals, a minute after the first. */
	const change = async (event: string) => {
		vi.useFakeTimers({ toFake: ['Date'], now: NOON });
		const n8n = new DurableScheduler(event, {}, true);
		const [one] = [n8n.service.create('Draft'), n8n.service.create('Draft')];
		await n8n.poll();
		n8n.service.pass(60_000);
		vi.setSystemTime(NOON + 60_000);
		n8n.service.setChild(one, 'paymentRequests', 0, 'Paid');
		n8n.service.setStatus(one, 'Accepted');
		expect(await n8n.poll()).toHaveLength(1);
		return remembered(n8n.database);
	};

	it.each([
		['proposalStatusChanged', 0],
		['paymentStatusChanged', NOON + 60_000],
	])('looks again at what it has found where a list does not show it: %s', async (event, since) =>
		expect(await change(event)).toMatchObject({ unsettledSince: since }),
	);

	it('leaves behind what it is done with', async () => {
		const { from, cursor } = await change('proposalStatusChanged');
		expect(from).toBe(cursor - OVERLAP_MS);
	});

	it.each([
		['proposalStatusChanged', 2],
		['proposalUpdated', 1],
	])('keeps what is to be compared later: %s', async (event, count) => {
		const n8n = new DurableScheduler(event, {}, true);
		const [one] = [n8n.service.create('Draft'), n8n.service.create('Draft')];
		await n8n.poll();
		n8n.later.service.setStatus(one, 'Accepted');
		expect(await n8n.poll()).toHaveLength(1);
		expect(Object.keys(remembered(n8n.database).known)).toHaveLength(count);
	});
});
