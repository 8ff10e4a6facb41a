/** The polling trigger against a model of the service, which does its own bookkeeping. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/pollEvents.ts';
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
/** A change of the record with a number, which its date may show so many milliseconds too early. */
type Change = { kind: string; pick: number; age: number; status?: number };
interface Step {
	do: string;
	/** The time that passes before the step, in milliseconds. */
	time: number;
	/** For *change* and *twice*. */
	change?: Change;
	/** For *twice*: the status in the second change. */
	status?: number;
	/** For *poll* and *twice*. */
	failure?: RequestFailure;
	/** For *poll*: changes before requests, by the number of the request. */
	changesBetween?: Array<{ at: number; change: Change }>;
	/** For *poll*: the request before which the workflow is published, so n8n discards the result. */
	publishAt?: number;
	/** For *poll*: reads of proposals in full fail. */
	failsReads?: boolean;
	/** For *account*: in so many polls, from the first one, reads of proposals in full fail. */
	failedPolls?: number;
	/** For *lag*: what a server responds that does not have the changes of the step before. */
	lagsIn?: 'lists' | 'reads' | 'both';
	/** For *clock*: by how many milliseconds n8n's clock jumps. */
	by?: number;
	/** For *backlog*: the number of changes, and how many of them have the same time. */
	count?: number;
	group?: number;
}

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
		changesBetween: fc.array(fc.record({ at: fc.nat(9), change }), { maxLength: 4 }),
		failure: fc.option(failureOf(8), { freq: 3, nil: undefined }),
		publishAt: fc.option(fc.nat(6), { freq: 5, nil: undefined }),
		failsReads: fc.constantFrom(false, false, false, true),
	}),
	// A change, and a poll of a server that does not have it yet.
	stepOf(2, ['lag'], {
		change,
		status: fc.nat(3),
		lagsIn: fc.constantFrom('lists', 'reads', 'both'),
	}),
	stepOf(1, ['account'], { failedPolls: fc.constantFrom(0, 1, 4) }),
	// Changes a record twice within a second: after the first change a poll, after the second one a poll that may fail.
	stepOf(3, ['twice'], {
		change,
		status: fc.nat(3),
		failure: fc.option(failureOf(4), { nil: undefined }),
	}),
	stepOf(1, ['restart', 'publish', 'begin', 'end', 'setBack']),
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
	contactDates: fc.constantFrom('both', 'modified', 'later'),
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

/** Remembers what a trigger reports, and fails for what is reported twice or missed. */
interface Judge {
	/** Another account has other records. */
	forget(): void;
	/** What existed, or what was first read. */
	baseline(records: ModelRecord[]): void;
	report(items: Item[]): void;
	expectReported(records: ModelRecord[]): void;
}

/** Each version of a record, or each record, is reported once, if it existed when the poll began. */
function once(
	key: 'name' | 'id',
	isReportable: (record: ModelRecord) => boolean = () => true,
): Judge {
	const reported = new Set<unknown>();
	return {
		forget: () => reported.clear(),
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

/** After a poll during which nothing changes, the last reported status of each record is its current one. */
function statuses(things: (record: ModelRecord) => Child[]): Judge {
	const reported = new Map<number, string>();
	return {
		forget: () => reported.clear(),
		baseline: (records) =>
			records.flatMap(things).forEach(({ id, status }) => {
				// A change order with a later date was reported with the first read.
				if (!reported.has(id)) reported.set(id, status);
			}),
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

/** Events about what only a full proposal has: a change cannot be seen before the first read. */
const DETAILED = ['paymentStatusChanged', 'changeOrderStatusChanged'];

const OUT_OF_TIME = /^Portal\.io did not respond within the time limit of a poll$/;
/** Why a poll may fail, by the failure of a request; one that is repeated with success fails no poll. */
const REASONS: Partial<Record<RequestFailure['by'], RegExp[]>> = {
	402: [/^Your Portal\.io subscription is inactive or expired$/],
	offline: [/^Portal\.io cannot be reached/, OUT_OF_TIME],
};
/** Why a poll may fail during which records change. */
const REASON_OF_FAILED_READS =
	/^Proposal \d+ could not be read: Portal\.io could not process the request$/;
const REASONS_OF_A_CHANGING_LIST = [
	/^Only [\d,]+ of [\d,]+ records could be read$/,
	/^Portal\.io did not sort a list as requested$/,
];

async function play(event: string, engine: Engine, how: Reading, before: Change[], steps: Step[]) {
	const service = new ModelService(how);
	for (const one of before) apply(service, { ...one, age: 0 });
	const node = new PolledNode(event, {}, engine, service);
	const createJudge = judges[event];
	if (createJudge === undefined) throw new Error(`add a judge of ${event} to this file`);
	const judge = createJudge();
	const all = () => [...service.records.values()];
	const isDetailed = DETAILED.includes(event);
	/** The proposals of a baseline that no poll has read in full yet. */
	let unread = new Set<number>();
	/** Polls, and learns what a baseline is when a poll has read it. Returns what was reported. */
	const poll = async (): Promise<Item[]> => {
		const read = new Map<number, ModelRecord>();
		service.onRead = (record) => {
			if (unread.has(record.id) && !read.has(record.id)) read.set(record.id, record);
		};
		const learn = () => {
			if (node.wasDiscarded) return;
			judge.baseline([...read.values()]);
			for (const id of read.keys()) unread.delete(id);
		};
		try {
			const items = (await node.poll()) as unknown as Item[];
			judge.report(items);
			return items;
		} finally {
			learn();
		}
	};
	const startBaseline = async (failedPolls = 0) => {
		judge.forget();
		unread = new Set(isDetailed ? all().map(({ id }) => id) : []);
		if (!isDetailed) judge.baseline(all().map((one) => structuredClone(one)));
		for (let polls = 0; polls < Math.max(1, failedPolls); polls++) {
			service.failsReads = polls < failedPolls;
			expect(await poll().catch(expectFailedRead)).toEqual([]);
		}
		service.failsReads = false;
	};
	/** A new account is no new publication: its baseline may fail. */
	const expectFailedRead = (error: Error): Item[] => {
		if (!service.failsReads || !REASON_OF_FAILED_READS.test(error.message)) throw error;
		return [];
	};
	const expectAll = () => judge.expectReported(all().filter(({ id }) => !unread.has(id)));
	/** Whether the clock of the service was set back: a version may then seem earlier than the one before it. */
	let isSetBack = false;
	/** Polls while nothing changes: then everything has been reported. */
	const pollAndExpectAll = async () => {
		await poll();
		// A seemingly earlier version has to be seen twice.
		if (isSetBack) await poll();
		expectAll();
	};
	const pollDuringChanges = async ({
		changesBetween = [],
		failure,
		publishAt,
		failsReads = false,
	}: Partial<Step>) => {
		service.failure = failure;
		service.failsReads = failsReads;
		let changes = 0;
		let hasArchived = false;
		service.beforeRequest = (index) => {
			if (index === publishAt && canPublish()) node.publish();
			for (const { at, change: other } of changesBetween) {
				// No poll can see a record that moves to the other list and back while it reads.
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
		service.failsReads = false;
		if (result instanceof Error) {
			const reasons = [
				...(hasFailed ? (REASONS[failure.by] ?? []) : []),
				...(changes > 0 ? REASONS_OF_A_CHANGING_LIST : []),
				...(failsReads ? [REASON_OF_FAILED_READS] : []),
			];
			const isExpected = reasons.some((reason) => reason.test(result.message));
			if (!isExpected) throw result;
			return;
		}
		// The first poll after a start does not fail.
		const isLeft = node.log.some((line) => /the next (poll continues|one tries again)/.test(line));
		if (changes === 0 && !isLeft && !isSetBack && !failsReads && !node.wasDiscarded) expectAll();
	};
	/** What only this process knows would be lost, which is documented. */
	const canPublish = () => !node.isOnlyInProcess;
	const restart = () => {
		if (!node.isOnlyInProcess && !node.hasUnread) node.restart();
	};
	await startBaseline();
	for (const one of steps) {
		service.pass(one.time);
		vi.setSystemTime(Date.now() + one.time);
		if (one.do === 'change') apply(service, one.change!);
		if (one.do === 'restart') restart();
		if (one.do === 'publish' && canPublish()) node.publish();
		if (one.do === 'begin') node.beginExecution();
		if (one.do === 'end') {
			await pollAndExpectAll();
			node.endExecution();
		}
		if (one.do === 'clock') vi.setSystemTime(Date.now() + one.by!);
		if (one.do === 'setBack' && !isSetBack) {
			isSetBack = true;
			// To a time at which nothing was modified: the same date again would not show a change.
			service.pass(-58_500);
		}
		if (one.do === 'backlog') backlog(service, one.count!, one.group!);
		if (one.do === 'poll') await pollDuringChanges(one);
		if (one.do === 'account') {
			node.changeAccount();
			await startBaseline(one.failedPolls);
		}
		if (one.do === 'twice') {
			const { change: first, status, failure } = one;
			apply(service, { ...first!, age: 0 });
			await pollDuringChanges({});
			apply(service, { ...first!, age: 0, status });
			if (failure !== undefined) await pollDuringChanges({ failure });
			await pollAndExpectAll();
		}
		// After the clock was set back, an earlier version cannot be told from a later one.
		if (one.do === 'lag' && !isSetBack) {
			const { change: first, status, lagsIn } = one;
			/** An earlier version has an earlier date. */
			const pass = () => {
				service.pass(2000);
				vi.setSystemTime(Date.now() + 2000);
			};
			await pollAndExpectAll();
			const records = structuredClone(service.records);
			pass();
			apply(service, { ...first!, age: 0 });
			await pollAndExpectAll();
			pass();
			apply(service, { ...first!, age: 0, status });
			service.lag = { records, lists: lagsIn !== 'reads', reads: lagsIn !== 'lists' };
			await poll();
			service.lag = undefined;
			await pollAndExpectAll();
		}
	}
	await pollAndExpectAll();
	restart();
	await pollAndExpectAll();
	expect(await poll()).toEqual([]);
	node.process = undefined;
}

const makeChange = (kind: string, status = 0, place = 0) => ({ kind, pick: place, age: 0, status });
const CREATION = makeChange('create', 1);
const makeStep = (what: string, more: Partial<Step> = {}): Step => ({ do: what, time: 0, ...more });
const changeStep = (...given: Parameters<typeof makeChange>) =>
	makeStep('change', { change: makeChange(...given) });
const backlogStep = (count: number, group: number) => makeStep('backlog', { count, group });
const pollStep = (failAt?: number, changesBetween: Step['changesBetween'] = []) =>
	makeStep('poll', {
		failure: failAt === undefined ? undefined : { at: failAt, by: 402 },
		changesBetween,
	});

/** Sequences that have failed once. */
const rows: Array<[string, string, Reading, Change[], Step[]]> = [
	// The cursor advanced although the read of the proposal failed, in the second of the baseline.
	...[0, 1, 2, 3, 4, 5].map((failAt): (typeof rows)[number] => [
		`a payment in the second of the baseline, three newer proposals, and a failure of request ${failAt}`,
		'paymentStatusChanged',
		{ inSeconds: true },
		[CREATION],
		[
			changeStep('paymentRequests', 1),
			makeStep('change', { change: CREATION, time: 60_000 }),
			makeStep('change', { change: CREATION, time: 60_000 }),
			makeStep('change', { change: CREATION, time: 60_000 }),
			pollStep(failAt),
		],
	]),
	[
		'change orders during two failed polls, and a failure while the proposals are read',
		'changeOrderStatusChanged',
		{},
		[],
		[
			backlogStep(11, 1),
			pollStep(0, [{ at: 0, change: makeChange('changeOrders', 1) }]),
			pollStep(0, [
				{ at: 0, change: makeChange('create') },
				{ at: 0, change: makeChange('changeOrders', 1, 15) },
			]),
			pollStep(6),
		],
	],
	[
		'a last page with a record that the page before has shown, because equal times changed places',
		'contactCreatedOrUpdated',
		{ shufflesTies: true },
		[],
		[
			makeStep('twice', { change: makeChange('create') }),
			backlogStep(16, 7),
			changeStep('modify', 0, 31),
		],
	],
	[
		'a baseline whose last page lacks one of the newest records, because equal times changed places',
		'contactCreatedOrUpdated',
		{ shufflesTies: true },
		[CREATION],
		[backlogStep(26, 1), backlogStep(23, 8), makeStep('account')],
	],
	[
		'a proposal that changes lists while a poll reads the first ones of an empty account',
		'proposalCreated',
		{},
		[],
		[
			backlogStep(26, 1),
			makeStep('change', { change: makeChange('paymentRequests'), time: 900_000 }),
			changeStep('create'),
			changeStep('archive', 0, 5),
			pollStep(undefined, [{ at: 2, change: makeChange('archive', 0, 40) }]),
			makeStep('restart'),
		],
	],
	// After the restart, only the polls that reported nothing had seen the newest memory.
	...['proposalUpdated', 'contactCreatedOrUpdated'].map((event): (typeof rows)[number] => [
		'a restart while an execution runs that began before the last changes, and saves static data',
		event,
		{},
		[CREATION],
		[
			makeStep('begin'),
			makeStep('twice', { change: makeChange('paymentRequests') }),
			makeStep('restart'),
			makeStep('end'),
			changeStep('create'),
		],
	]),
	// The poll after it knew from the process alone that the changes had been reported.
	[
		'an execution that ends right after a poll with changes, and saves older static data',
		'proposalUpdated',
		{},
		[],
		[backlogStep(5, 1), makeStep('begin'), makeStep('end'), pollStep()],
	],
	[
		'a change after the clock of the service was set back, and a poll after it has caught up',
		'proposalUpdated',
		{},
		[],
		[
			changeStep('create'),
			makeStep('setBack'),
			changeStep('status', 3),
			makeStep('poll', { time: 60_000 }),
			makeStep('poll'),
		],
	],
	[
		'the first records of an empty account',
		'proposalUpdated',
		{},
		[],
		[backlogStep(6, 1), backlogStep(11, 1), changeStep('create')],
	],
];

// The waits before an attempt is repeated pass at once.
beforeEach(() => {
	vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'] }).setTimerTickMode(
		'nextTimerAsync',
	);
});
afterEach(() => void vi.useRealTimers());

it.each(rows)('loses nothing in a sequence that has failed: %s', async (_, event, how, ...more) => {
	for (const engine of ENGINES) await play(event, engine, { maxPageSize: 5, ...how }, ...more);
});

it.each(Object.keys(pollEvents))('reports each change once and misses none: %s', async (event) => {
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
