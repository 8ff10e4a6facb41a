/** The polling trigger against a model of the service, which does its own bookkeeping. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ENGINES, PolledNode, type Engine } from '../unit/polledNode.mts';
import {
	ModelService,
	type Child,
	type ModelRecord,
	type Reading,
	type RequestFailure,
} from '../unit/pollingModel.mts';
import { runs } from './runCount.mts';

const STATUSES = ['Draft', 'Submitted', 'ViewedByClient', 'Accepted', 'Expired', 'Delayed'];
const PAYMENTS = ['Draft', 'Submitted', 'Paid', 'Refunded'];

interface Item {
	id: number;
	name: string;
	status: string;
	previousStatus?: string | null;
}
type Change = { kind: string; pick: number; age: number; status?: number };
type Step = { do: string; time: number; change?: Change; failure?: RequestFailure } & {
	/** The changes between the requests of a poll. */
	meanwhile?: Array<{ at: number; change: Change }>;
	count?: number;
	group?: number;
	status?: number;
	by?: number;
};

const pick = fc.nat(50);
const age = fc.constantFrom(0, 0, 0, 1, 1500, 60_000, 540_000);
const changeOf = (kinds: string[], more: object = {}) =>
	fc.record({ kind: fc.constantFrom(...kinds), pick, age, ...more }) as fc.Arbitrary<Change>;
const change = fc.oneof(
	changeOf(['modify']),
	changeOf(['status'], { status: fc.nat(5) }),
	changeOf(['create'], { status: fc.nat(5) }),
	changeOf(['archive', 'delete', 'purge']),
	changeOf(['paymentRequests', 'changeOrders'], { status: fc.nat(3) }),
);

const failureOf = (last: number) =>
	fc.record({
		at: fc.nat(last),
		by: fc.constantFrom<RequestFailure['by']>(402, 402, 'offline', 'offline', 429, 503, 'reset'),
	});
const time = fc.constantFrom(0, 0, 1, 400, 1000, 60_000, 900_000, 7_200_000);
const stepOf = (weight: number, what: string[], more: object = {}) => ({
	weight,
	arbitrary: fc.record({ do: fc.constantFrom(...what), time, ...more }) as fc.Arbitrary<Step>,
});
const step = fc.oneof(
	stepOf(5, ['change'], { change }),
	stepOf(4, ['poll'], {
		meanwhile: fc.array(fc.record({ at: fc.nat(9), change }), { maxLength: 4 }),
		failure: fc.option(failureOf(8), { freq: 3, nil: undefined }),
	}),
	// Two changes of one record in one second, with a poll between that may fail.
	stepOf(3, ['twice'], {
		change,
		status: fc.nat(3),
		failure: fc.option(failureOf(4), { nil: undefined }),
	}),
	stepOf(1, ['restart', 'account', 'begin', 'end', 'setBack']),
	// The clock of n8n jumps, the other one does not.
	stepOf(1, ['clock'], { by: fc.constantFrom(-86_400_000, -3_600_000, -1000, 1000, 3_600_000) }),
	// n8n was down: much has changed, in groups with equal times that lie far apart.
	stepOf(1, ['backlog'], {
		count: fc.integer({ min: 5, max: 30 }),
		group: fc.integer({ min: 1, max: 9 }),
	}),
);
const reading: fc.Arbitrary<Reading> = fc.record({
	isInclusive: fc.boolean(),
	inSeconds: fc.boolean(),
	readsSeconds: fc.boolean(),
	shufflesTies: fc.boolean(),
	maxPageSize: fc.constantFrom(5, 7, 10, 100),
});

function apply(service: ModelService, { kind, pick: index, age: msAgo, status = 0 }: Change) {
	const all = [...service.records.values()];
	const record = all[index % Math.max(1, all.length)];
	if (kind === 'create') service.create(STATUSES[status]!, msAgo);
	if (!record) return;
	if (kind === 'modify') service.modify(record, () => {}, msAgo);
	if (kind === 'status') service.setStatus(record, STATUSES[status]!, msAgo);
	if (kind === 'archive') record.isArchived = !record.isArchived;
	if (kind === 'delete') service.records.delete(record.id);
	if (kind === 'purge') all.slice(-8, -2).forEach(({ id }) => service.records.delete(id));
	if (kind === 'paymentRequests' || kind === 'changeOrders') {
		service.setChild(record, kind, status % 2, PAYMENTS[status]!);
	}
}

function backlog(service: ModelService, count: number, group: number) {
	for (let index = 0; index < count; index++) {
		if (index % group === 0) service.pass(20 * 60_000);
		apply(service, { kind: index % 3 === 0 ? 'status' : 'modify', pick: index, age: 0, status: 3 });
		if (index % 5 === 0) apply(service, { kind: 'create', pick: 0, age: 0, status: 1 });
	}
}

/** Judges what a trigger reports; what *once* and *missed* mean depends on the event. */
interface Judge {
	baseline(records: ModelRecord[]): void;
	report(items: Item[]): void;
	expectReported(records: ModelRecord[]): void;
}

/** Everything that stands when a poll begins, once: each version, or each record. */
function once(
	key: 'name' | 'id',
	isReportable: (record: ModelRecord) => boolean = () => true,
): Judge {
	const reported = new Set<unknown>();
	return {
		baseline: (records) => records.forEach((one) => reported.add(one[key])),
		report: (items) =>
			items.forEach((one) => {
				expect(reported, 'reported twice').not.toContain(one[key]);
				reported.add(one[key]);
			}),
		expectReported: (records) =>
			records
				.filter(isReportable)
				.forEach((one) => expect(reported, `missed: ${JSON.stringify(one)}`).toContain(one[key])),
	};
}

/** After each quiet poll the last status reported is the current one. */
function statuses(things: (record: ModelRecord) => Child[]): Judge {
	const reported = new Map<number, string>();
	return {
		baseline: (records) =>
			records.flatMap(things).forEach(({ id, status }) => reported.set(id, status)),
		report: (items) =>
			items.forEach(({ id, status, previousStatus }) => {
				expect(status, 'reported twice').not.toBe(reported.get(id));
				// A first status that was only seen is forgotten in a restart.
				const isFirst = reported.get(id) === 'Draft' && previousStatus === null;
				if (reported.has(id) && !isFirst) expect(previousStatus).toBe(reported.get(id));
				reported.set(id, status);
			}),
		expectReported: (records) =>
			records.flatMap(things).forEach(({ id, status }) => {
				// Something new that is still in its first status has not changed it.
				if (!reported.has(id) && status === 'Draft') reported.set(id, status);
				expect(reported.get(id), `missed: ${id} is ${status}`).toBe(status);
			}),
	};
}

const judges: Record<string, () => Judge> = {
	proposalUpdated: () =>
		once('name', ({ createdDate, lastModifiedDate }) => createdDate !== lastModifiedDate),
	proposalCreated: () => once('id'),
	proposalStatusChanged: () => statuses((record) => [record]),
	paymentStatusChanged: () => statuses(({ paymentRequests }) => paymentRequests),
	changeOrderStatusChanged: () => statuses(({ changeOrders }) => changeOrders),
	contactCreatedOrUpdated: () => once('name'),
};

const OUT_OF_TIME = /^Portal\.io did not respond within the time limit of a poll$/;
/** Why a poll may fail, by the failure of a request; one that is repeated with success fails no poll. */
const REASONS: Partial<Record<RequestFailure['by'], RegExp[]>> = {
	402: [/^Your Portal\.io subscription is inactive or expired$/],
	offline: [/^Portal\.io cannot be reached/, OUT_OF_TIME],
};
/** Why a poll may fail during which records change. */
const REASONS_OF_A_CHANGING_LIST = [
	/^Only [\d,]+ of [\d,]+ records could be read$/,
	/^Portal\.io does not sort a list as requested$/,
];

async function play(event: string, engine: Engine, how: Reading, before: Change[], steps: Step[]) {
	const service = new ModelService(how);
	for (const one of before) apply(service, { ...one, age: 0 });
	const node = new PolledNode(event, {}, engine, service);
	const judge = judges[event]!();
	const all = () => [...service.records.values()];
	const poll = async () => (await node.poll()) as unknown as Item[];
	const startBaseline = async () => {
		judge.baseline(all().map((one) => structuredClone(one)));
		expect(await poll()).toEqual([]);
	};
	/** The time of the service when its clock was set back; '' before that. */
	let latest = '';
	const isSetBack = () => service.stamp(0) <= latest;
	let wasThrottled = false;
	/** A poll after which everything is reported that was there before it. */
	const quietPoll = async () => {
		judge.report(await poll());
		// A seemingly earlier version has to be seen twice.
		if (isSetBack()) judge.report(await poll());
		judge.expectReported(all());
	};
	const restlessPoll = async ({ meanwhile = [], failure }: Partial<Step>) => {
		service.failure = failure;
		let changes = 0;
		let hasArchived = false;
		service.beforeRequest = (index) => {
			for (const { at, change: other } of meanwhile) {
				// A record that moves to the other list and back within one poll cannot be seen by any reading.
				if (at !== index || (other.kind === 'archive' && hasArchived)) continue;
				hasArchived ||= other.kind === 'archive';
				apply(service, other);
				changes++;
			}
		};
		node.log.length = 0;
		const result = await poll().catch((error: Error) => error);
		const hasFailed = failure !== undefined && failure.at < service.requests;
		service.beforeRequest = () => {};
		service.failure = undefined;
		wasThrottled ||= hasFailed && (failure.by === 429 || failure.by === 503);
		if (result instanceof Error) {
			const reasons = [
				...(hasFailed ? (REASONS[failure.by] ?? []) : []),
				...(changes > 0 ? REASONS_OF_A_CHANGING_LIST : []),
			];
			const isExpected = reasons.some((reason) => reason.test(result.message));
			if (!isExpected) throw result;
			return;
		}
		judge.report(result);
		// The first poll after a start does not fail.
		const isLeft = node.log.some((line) => /the next (poll continues|one tries again)/.test(line));
		if (changes === 0 && !isLeft && !isSetBack()) judge.expectReported(all());
	};
	await startBaseline();
	for (const one of steps) {
		service.pass(one.time);
		vi.setSystemTime(Date.now() + one.time);
		if (one.do === 'change') apply(service, one.change!);
		if (one.do === 'restart' && !node.isOnlyInProcess) node.restart();
		if (one.do === 'begin') node.beginExecution();
		if (one.do === 'end') {
			await quietPoll();
			node.endExecution();
		}
		// A pause that Portal.io has requested ends at its time by the clock, also if that is set back.
		if (one.do === 'clock' && !(wasThrottled && one.by! < 0))
			vi.setSystemTime(Date.now() + one.by!);
		if (one.do === 'setBack' && latest === '') {
			latest = service.stamp(0);
			// To a time at which nothing was modified: the same date again would not show a change.
			service.pass(-58_500);
		}
		if (one.do === 'backlog') backlog(service, one.count!, one.group!);
		if (one.do === 'poll') await restlessPoll(one);
		if (one.do === 'account') {
			node.changeAccount();
			await startBaseline();
		}
		if (one.do === 'twice') {
			const { change: first, status, failure } = one;
			apply(service, { ...first!, age: 0 });
			await restlessPoll({});
			apply(service, { ...first!, age: 0, status });
			if (failure !== undefined) await restlessPoll({ failure });
			await quietPoll();
		}
	}
	await quietPoll();
	if (!node.isOnlyInProcess) node.restart();
	await quietPoll();
	expect(await poll()).toEqual([]);
	node.process = undefined;
}

const changed = (kind: string, status = 0, place = 0) => ({ kind, pick: place, age: 0, status });
const created = changed('create', 1);
const did = (what: string, more: Partial<Step> = {}): Step => ({ do: what, time: 0, ...more });
const changing = (...given: Parameters<typeof changed>) =>
	did('change', { change: changed(...given) });
const grew = (count: number, group: number) => did('backlog', { count, group });
const polling = (failAt?: number, meanwhile: Step['meanwhile'] = []) =>
	did('poll', { failure: failAt === undefined ? undefined : { at: failAt, by: 402 }, meanwhile });

/** Sequences that have failed once. */
const rows: Array<[string, string, Reading, Change[], Step[]]> = [
	// The cursor advanced although the read of the proposal failed, in the second of the baseline.
	...[0, 1, 2, 3, 4, 5].map((failAt): (typeof rows)[number] => [
		`a payment in the second of the baseline, three newer proposals, and a failure of request ${failAt}`,
		'paymentStatusChanged',
		{ inSeconds: true },
		[created],
		[
			changing('paymentRequests', 1),
			...[1, 2, 3].map(() => did('change', { change: created, time: 60_000 })),
			polling(failAt),
		],
	]),
	[
		'change orders during two failed polls, and a failure while the proposals are read',
		'changeOrderStatusChanged',
		{},
		[],
		[
			grew(11, 1),
			polling(0, [{ at: 0, change: changed('changeOrders', 1) }]),
			polling(0, [
				{ at: 0, change: changed('create') },
				{ at: 0, change: changed('changeOrders', 1, 15) },
			]),
			polling(6),
		],
	],
	[
		'a last page with a record that the page before has shown, because equal times changed places',
		'contactCreatedOrUpdated',
		{ shufflesTies: true },
		[],
		[did('twice', { change: changed('create') }), grew(16, 7), changing('modify', 0, 31)],
	],
	[
		'a baseline whose last page lacks one of the newest records, because equal times changed places',
		'contactCreatedOrUpdated',
		{ shufflesTies: true },
		[created],
		[grew(26, 1), grew(23, 8), did('account')],
	],
	[
		'a proposal that changes lists while a poll reads the first ones of an empty account',
		'proposalCreated',
		{},
		[],
		[
			grew(26, 1),
			did('change', { change: changed('paymentRequests'), time: 900_000 }),
			changing('create'),
			changing('archive', 0, 5),
			polling(undefined, [{ at: 2, change: changed('archive', 0, 40) }]),
			did('restart'),
		],
	],
	// After the restart, only the polls that reported nothing had seen the newest memory.
	...['proposalUpdated', 'contactCreatedOrUpdated'].map((event): (typeof rows)[number] => [
		'a restart while an execution runs that began before the last changes, and saves static data',
		event,
		{},
		[created],
		[
			did('begin'),
			did('twice', { change: changed('paymentRequests') }),
			did('restart'),
			did('end'),
			changing('create'),
		],
	]),
	[
		'the first records of an empty account',
		'proposalUpdated',
		{},
		[],
		[grew(6, 1), grew(11, 1), changing('create')],
	],
];

// The waits before an attempt is repeated pass at once.
beforeEach(() => {
	vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] }).setTimerTickMode('nextTimerAsync');
});
afterEach(() => void vi.useRealTimers());

it.each(rows)('loses nothing in a sequence that has failed: %s', async (_, event, how, ...more) => {
	for (const engine of ENGINES) await play(event, engine, { maxPageSize: 5, ...how }, ...more);
});

it.each(Object.keys(judges))('reports each change once and misses none: %s', async (event) => {
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...ENGINES),
			reading,
			fc.array(change, { maxLength: 40 }),
			fc.array(step, { minLength: 1, maxLength: 25 }),
			async (engine, how, before, steps) => await play(event, engine, how, before, steps),
		),
		runs(600),
	);
});
