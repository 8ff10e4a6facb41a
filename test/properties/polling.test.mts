/**
 * Polls a model of Portal.io with random sequences of steps, and expects each change to be reported once.
 *
 * change --> ModelService (pollingModel) --requests--> PolledNode (polledNode) --items--> Judge
 *
 * Each sequence starts with a baseline. Then each step passes some time on both clocks and does one thing:
 * - `change`: changes one record at Portal.io. `backlog`: changes many, as after downtime
 * - `poll`: runs one poll. Records can change before each of its requests, and requests can fail
 * - `changeTwice`: changes a record, polls, changes it again within the same second, and polls
 * - `pollStaleServer`: polls a server that does not have the latest change yet
 * - `publish`, `restart`, `beginExecution`, `endExecution`: act on n8n, which then uses saved or older static
 *   data
 * - `changeAccount`: switches to another account, which requires a new baseline
 * - `moveClock`: moves only n8n's clock. `setBackService`: moves only Portal.io's clock, backward
 *
 * A poll during which nothing changes must leave nothing unreported. The judge then compares what was reported
 * with what exists.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/pollEvents.ts';
import { ENGINES, PolledNode, type Engine } from '../unit/polledNode.mts';
import {
	ModelService,
	type Child,
	type ModelRecord,
	type ModelOptions,
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
/** Change to the record with the number `pick`. The change becomes visible `age` milliseconds after its date. */
type Change = { kind: string; pick: number; age: number; status?: number };
type StepKind =
	| 'change'
	| 'backlog'
	| 'poll'
	| 'changeTwice'
	| 'pollStaleServer'
	| 'publish'
	| 'restart'
	| 'beginExecution'
	| 'endExecution'
	| 'changeAccount'
	| 'moveClock'
	| 'setBackService';

interface Step {
	do: StepKind;
	/** Time that passes before the step, in milliseconds. */
	time: number;
	/** For `change`, `changeTwice`, and `pollStaleServer`: the only or first change. */
	change?: Change;
	/** For `changeTwice` and `pollStaleServer`: the status in the second change. */
	status?: number;
	/** For `poll` and `changeTwice`: the request that fails. */
	failure?: RequestFailure;
	/** For `poll`: changes to make during the poll, each just before the request with the number `at`. */
	changesBetween?: Array<{ at: number; change: Change }>;
	/** For `poll`: number of the request before which the workflow is published, so n8n discards the result. */
	publishAt?: number;
	/** For `poll`: whether reads of full proposals fail. */
	failsReads?: boolean;
	/** For `changeAccount`: number of polls, starting with the first, in which reads of full proposals fail. */
	failedPolls?: number;
	/** For `pollStaleServer`: the responses that lack the latest change. */
	lagsIn?: 'lists' | 'reads' | 'both';
	/** For `moveClock`: milliseconds by which n8n's clock moves. */
	by?: number;
	/** For `backlog`: number of changes, and how many of them share a time. */
	count?: number;
	group?: number;
}

const pick = fc.nat(50);
const age = fc.constantFrom(0, 0, 0, 1, 1500, 60_000, 540_000);
const changeOfKind = (kinds: string[], more: object = {}) =>
	fc.record({ kind: fc.constantFrom(...kinds), pick, age, ...more }) as fc.Arbitrary<Change>;
const arbitraryChange = fc.oneof(
	changeOfKind(['modify']),
	changeOfKind(['status'], { status: fc.nat(5) }),
	changeOfKind(['create'], { status: fc.nat(5) }),
	changeOfKind(['archive', 'delete', 'purge']),
	changeOfKind(['paymentRequests', 'changeOrders'], { status: fc.nat(3) }),
);

const arbitraryFailure = (last: number) =>
	fc.record({
		at: fc.nat(last),
		by: fc.constantFrom<RequestFailure['by']>(402, 402, 'offline', 'offline', 429, 503, 'reset'),
	});
const time = fc.constantFrom(0, 0, 1, 400, 1000, 60_000, 900_000, 7_200_000);
const weightedStep = (weight: number, kinds: StepKind[], more: object = {}) => ({
	weight,
	arbitrary: fc.record({ do: fc.constantFrom(...kinds), time, ...more }) as fc.Arbitrary<Step>,
});
const arbitraryStep = fc.oneof(
	weightedStep(5, ['change'], { change: arbitraryChange }),
	weightedStep(4, ['poll'], {
		changesBetween: fc.array(fc.record({ at: fc.nat(9), change: arbitraryChange }), {
			maxLength: 4,
		}),
		failure: fc.option(arbitraryFailure(8), { freq: 3, nil: undefined }),
		publishAt: fc.option(fc.nat(6), { freq: 5, nil: undefined }),
		failsReads: fc.constantFrom(false, false, false, true),
	}),
	weightedStep(2, ['pollStaleServer'], {
		change: arbitraryChange,
		status: fc.nat(3),
		lagsIn: fc.constantFrom('lists', 'reads', 'both'),
	}),
	weightedStep(1, ['changeAccount'], { failedPolls: fc.constantFrom(0, 1, 4) }),
	weightedStep(3, ['changeTwice'], {
		change: arbitraryChange,
		status: fc.nat(3),
		failure: fc.option(arbitraryFailure(4), { nil: undefined }),
	}),
	weightedStep(1, ['restart', 'publish', 'beginExecution', 'endExecution', 'setBackService']),
	weightedStep(1, ['moveClock'], {
		by: fc.constantFrom(-86_400_000, -3_600_000, -1000, 1000, 3_600_000),
	}),
	weightedStep(1, ['backlog'], {
		count: fc.integer({ min: 5, max: 30 }),
		group: fc.integer({ min: 1, max: 9 }),
	}),
);
const arbitraryOptions: fc.Arbitrary<ModelOptions> = fc.record({
	isInclusive: fc.boolean(),
	inSeconds: fc.boolean(),
	readsSeconds: fc.boolean(),
	shufflesTies: fc.boolean(),
	maxPageSize: fc.constantFrom(5, 7, 10, 100),
	contactDates: fc.constantFrom('both', 'modified', 'later'),
});

function applyChange(service: ModelService, { kind, pick: index, age: msAgo, status = 0 }: Change) {
	const records = [...service.records.values()];
	const record = records[index % Math.max(1, records.length)];
	if (kind === 'create') service.create(STATUSES[status]!, msAgo);
	if (!record) return;
	if (kind === 'modify') service.modify(record, () => {}, msAgo);
	if (kind === 'status') service.setStatus(record, STATUSES[status]!, msAgo);
	if (kind === 'archive') record.isArchived = !record.isArchived;
	if (kind === 'delete') service.records.delete(record.id);
	if (kind === 'purge') records.slice(-8, -2).forEach(({ id }) => service.records.delete(id));
	if (kind === 'paymentRequests' || kind === 'changeOrders') {
		service.setChild(record, kind, status % 2, PAYMENTS[status]!);
	}
}

function applyBacklog(service: ModelService, count: number, group: number) {
	for (let index = 0; index < count; index++) {
		if (index % group === 0) service.pass(20 * 60_000);
		applyChange(service, {
			kind: index % 3 === 0 ? 'status' : 'modify',
			pick: index,
			age: 0,
			status: 3,
		});
		if (index % 5 === 0) applyChange(service, { kind: 'create', pick: 0, age: 0, status: 1 });
	}
}

/** Collector of what the trigger reports. Fails the test if something is reported twice or missed. */
interface Judge {
	/** Forgets everything, because another account has other records. */
	reset(): void;
	/**
	 * Treats the given records as reported, because they existed at the baseline, or a poll has read them for the first
	 * time.
	 */
	addToBaseline(records: ModelRecord[]): void;
	addReport(items: Item[]): void;
	expectNothingMissed(records: ModelRecord[]): void;
}

/** Creates a judge for events that report each version of a record (`name`), or each record (`id`), once. */
function createOnceJudge(
	key: 'name' | 'id',
	isReportable: (record: ModelRecord) => boolean = () => true,
): Judge {
	const reported = new Set<unknown>();
	return {
		reset: () => reported.clear(),
		addToBaseline: (records) => records.forEach((one) => reported.add(one[key])),
		addReport: (items) =>
			items.forEach((one) => {
				expect(reported, 'reported twice').not.toContain(one[key]);
				reported.add(one[key]);
			}),
		expectNothingMissed: (records) =>
			records
				.filter(isReportable)
				.forEach((one) => expect(reported, `missed: ${JSON.stringify(one)}`).toContain(one[key])),
	};
}

/** Creates a judge for events about statuses. The last reported status of each record must be its current one. */
function createStatusJudge(things: (record: ModelRecord) => Child[]): Judge {
	const reported = new Map<number, string>();
	return {
		reset: () => reported.clear(),
		addToBaseline: (records) =>
			records.flatMap(things).forEach(({ id, status }) => {
				// Keep a status that was already reported, because the poll that first reads a proposal reports change
				// orders that are dated after the baseline.
				if (!reported.has(id)) reported.set(id, status);
			}),
		addReport: (items) =>
			items.forEach(({ id, status, previousStatus }) => {
				expect(status, 'reported twice').not.toBe(reported.get(id));
				// Also accept null as the status before the first change from Draft, because after a restart, the
				// trigger might not know a status that it has read but not reported.
				const isFirst = reported.get(id) === 'Draft' && previousStatus === null;
				if (reported.has(id) && !isFirst) expect(previousStatus).toBe(reported.get(id));
				reported.set(id, status);
			}),
		expectNothingMissed: (records) =>
			records.flatMap(things).forEach(({ id, status }) => {
				// Expect no event for a new child in its first status, because the status has not changed yet.
				if (!reported.has(id) && status === 'Draft') reported.set(id, status);
				expect(reported.get(id), `missed: ${id} is ${status}`).toBe(status);
			}),
	};
}

const judgeFactories: Record<string, () => Judge> = {
	proposalUpdated: () =>
		createOnceJudge(
			'name',
			({ createdDate, lastModifiedDate }) => createdDate !== lastModifiedDate,
		),
	proposalCreated: () => createOnceJudge('id'),
	proposalStatusChanged: () => createStatusJudge((record) => [record]),
	paymentStatusChanged: () => createStatusJudge(({ paymentRequests }) => paymentRequests),
	changeOrderStatusChanged: () => createStatusJudge(({ changeOrders }) => changeOrders),
	contactCreatedOrUpdated: () => createOnceJudge('name'),
};

/**
 * Events that the trigger detects only by reading full proposals. It cannot detect changes made before its first read
 * of a proposal.
 */
const EVENTS_IN_DETAIL = ['paymentStatusChanged', 'changeOrderStatusChanged'];

const TIME_LIMIT_ERROR = /^Portal\.io did not respond within the time limit of a poll$/;
/**
 * Allowed errors of a poll, by the failure of a request. Failures whose retry succeeds are missing, because the poll
 * then succeeds.
 */
const ALLOWED_ERRORS: Partial<Record<RequestFailure['by'], RegExp[]>> = {
	402: [/^Your Portal\.io subscription is inactive or expired$/],
	offline: [/^Portal\.io cannot be reached/, TIME_LIMIT_ERROR],
};
/** Allowed error of a poll whose reads of full proposals fail. */
const FAILED_READ_ERROR =
	/^Proposal \d+ could not be read: Portal\.io could not process the request$/;
const CHANGING_LIST_ERRORS = [
	/^Only [\d,]+ of [\d,]+ records could be read$/,
	/^Portal\.io did not sort a list as requested$/,
];

async function playSequence(
	event: string,
	engine: Engine,
	options: ModelOptions,
	before: Change[],
	steps: Step[],
) {
	const service = new ModelService(options);
	for (const one of before) applyChange(service, { ...one, age: 0 });
	const node = new PolledNode(event, {}, engine, service);
	const createJudge = judgeFactories[event];
	if (createJudge === undefined) throw new Error(`Add a judge for ${event} to this file`);
	const judge = createJudge();
	const currentRecords = () => [...service.records.values()];
	const isDetailed = EVENTS_IN_DETAIL.includes(event);
	/** IDs of baseline proposals that no poll has fully read yet. */
	let unreadIds = new Set<number>();
	/**
	 * Polls and returns what was reported. Records that a poll reads for the first time become part of the
	 * baseline.
	 */
	const poll = async (): Promise<Item[]> => {
		const read = new Map<number, ModelRecord>();
		service.onRead = (record) => {
			if (unreadIds.has(record.id) && !read.has(record.id)) read.set(record.id, record);
		};
		try {
			const items = (await node.poll()) as unknown as Item[];
			judge.addReport(items);
			return items;
		} finally {
			if (!node.wasDiscarded) {
				judge.addToBaseline([...read.values()]);
				for (const id of read.keys()) unreadIds.delete(id);
			}
		}
	};
	const startBaseline = async (failedPolls = 0) => {
		judge.reset();
		unreadIds = new Set(isDetailed ? currentRecords().map(({ id }) => id) : []);
		if (!isDetailed) judge.addToBaseline(currentRecords().map((one) => structuredClone(one)));
		for (let polls = 0; polls < Math.max(1, failedPolls); polls++) {
			service.failsReads = polls < failedPolls;
			expect(await poll().catch(expectFailedRead)).toEqual([]);
		}
		service.failsReads = false;
	};
	/**
	 * Returns no items for a failed read of a proposal, and throws any other error. Only the baseline after a change of
	 * account has failed reads here.
	 */
	const expectFailedRead = (error: Error): Item[] => {
		if (!service.failsReads || !FAILED_READ_ERROR.test(error.message)) throw error;
		return [];
	};
	const expectNothingMissed = () =>
		judge.expectNothingMissed(currentRecords().filter(({ id }) => !unreadIds.has(id)));
	/** Whether Portal.io's clock was set back, so a version can seem earlier than the one before it. */
	let isSetBack = false;
	/** Polls while nothing changes, and expects that everything has been reported. */
	const pollAndExpectNothingMissed = async () => {
		await poll();
		// Poll again, because a version that seems earlier is reported only if two polls see it.
		if (isSetBack) await poll();
		expectNothingMissed();
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
				// Archive only once, because no poll can find a record that moves between two lists while the poll
				// reads them.
				if (at !== index || (other.kind === 'archive' && hasArchived)) continue;
				hasArchived ||= other.kind === 'archive';
				applyChange(service, other);
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
				...(hasFailed ? (ALLOWED_ERRORS[failure.by] ?? []) : []),
				...(changes > 0 ? CHANGING_LIST_ERRORS : []),
				...(failsReads ? [FAILED_READ_ERROR] : []),
			];
			const isExpected = reasons.some((reason) => reason.test(result.message));
			if (!isExpected) throw result;
			return;
		}
		// Skip the check if the poll was incomplete, because a poll that reports some changes, or the first poll after
		// a start, then logs this instead of failing.
		const isIncomplete = node.log.some((line) =>
			/the rest is left for the next poll|will be retried/.test(line),
		);
		if (changes === 0 && !isIncomplete && !isSetBack && !failsReads && !node.wasDiscarded)
			expectNothingMissed();
	};
	/** Returns whether publishing would lose nothing. As documented, it loses what only this process knows. */
	const canPublish = () => !node.isOnlyInProcess;
	const restart = () => {
		if (!node.isOnlyInProcess && !node.hasUnread) node.restart();
	};
	await startBaseline();
	for (const one of steps) {
		service.pass(one.time);
		vi.setSystemTime(Date.now() + one.time);
		if (one.do === 'change') applyChange(service, one.change!);
		if (one.do === 'restart') restart();
		if (one.do === 'publish' && canPublish()) node.publish();
		if (one.do === 'beginExecution') node.beginExecution();
		if (one.do === 'endExecution') {
			await pollAndExpectNothingMissed();
			node.endExecution();
		}
		if (one.do === 'moveClock') vi.setSystemTime(Date.now() + one.by!);
		if (one.do === 'setBackService' && !isSetBack) {
			isSetBack = true;
			// Move to a time at which nothing was modified, because a second change with the same date would not be
			// visible.
			service.pass(-58_500);
		}
		if (one.do === 'backlog') applyBacklog(service, one.count!, one.group!);
		if (one.do === 'poll') await pollDuringChanges(one);
		if (one.do === 'changeAccount') {
			node.changeAccount();
			await startBaseline(one.failedPolls);
		}
		if (one.do === 'changeTwice') {
			const { change: first, status, failure } = one;
			applyChange(service, { ...first!, age: 0 });
			await pollDuringChanges({});
			applyChange(service, { ...first!, age: 0, status });
			if (failure !== undefined) await pollDuringChanges({ failure });
			await pollAndExpectNothingMissed();
		}
		// Once the clock has been set back, an earlier version cannot be distinguished from a later one.
		if (one.do === 'pollStaleServer' && !isSetBack) {
			const { change: first, status, lagsIn } = one;
			/** Advances both clocks, so an earlier version has an earlier date. */
			const pass = () => {
				service.pass(2000);
				vi.setSystemTime(Date.now() + 2000);
			};
			await pollAndExpectNothingMissed();
			const records = structuredClone(service.records);
			pass();
			applyChange(service, { ...first!, age: 0 });
			await pollAndExpectNothingMissed();
			pass();
			applyChange(service, { ...first!, age: 0, status });
			service.staleServer = { records, lists: lagsIn !== 'reads', reads: lagsIn !== 'lists' };
			await poll();
			service.staleServer = undefined;
			await pollAndExpectNothingMissed();
		}
	}
	await pollAndExpectNothingMissed();
	restart();
	await pollAndExpectNothingMissed();
	expect(await poll()).toEqual([]);
	node.process = undefined;
}

const makeChange = (kind: string, status = 0, place = 0) => ({ kind, pick: place, age: 0, status });
const CREATION = makeChange('create', 1);
const makeStep = (kind: StepKind, more: Partial<Step> = {}): Step => ({
	do: kind,
	time: 0,
	...more,
});
const changeStep = (...values: Parameters<typeof makeChange>) =>
	makeStep('change', { change: makeChange(...values) });
const backlogStep = (count: number, group: number) => makeStep('backlog', { count, group });
const pollStep = (failAt?: number, changesBetween: Step['changesBetween'] = []) =>
	makeStep('poll', {
		failure: failAt === undefined ? undefined : { at: failAt, by: 402 },
		changesBetween,
	});

/** Title, event, options, changes before the first poll, and steps. */
type FailedSequence = [string, string, ModelOptions, Change[], Step[]];

// Bug: the cursor advanced even if a proposal modified in the same second as the baseline could not be read.
const failuresOfEachRequest = [0, 1, 2, 3, 4, 5].map((failAt): FailedSequence => [
	`a payment in the same second as the baseline, three newer proposals, and a failure of request ${failAt}`,
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
]);

// Bug: after the restart, a poll with changes did not read the newest memory.
const restartsOfEachEvent = ['proposalUpdated', 'contactCreatedOrUpdated'].map(
	(event): FailedSequence => [
		'a restart during an execution that began before the last changes and saves static data',
		event,
		{},
		[CREATION],
		[
			makeStep('beginExecution'),
			makeStep('changeTwice', { change: makeChange('paymentRequests') }),
			makeStep('restart'),
			makeStep('endExecution'),
			changeStep('create'),
		],
	],
);

/** Sequences that failed in the past. */
const failedSequences: FailedSequence[] = [
	...failuresOfEachRequest,
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
		'a last page that repeats a record of the previous page, because records with equal times changed places',
		'contactCreatedOrUpdated',
		{ shufflesTies: true },
		[],
		[
			makeStep('changeTwice', { change: makeChange('create') }),
			backlogStep(16, 7),
			changeStep('modify', 0, 31),
		],
	],
	[
		'a baseline whose last page lacks one of the newest records, because records with equal times changed places',
		'contactCreatedOrUpdated',
		{ shufflesTies: true },
		[CREATION],
		[backlogStep(26, 1), backlogStep(23, 8), makeStep('changeAccount')],
	],
	[
		'a proposal that changes lists while a poll reads the first proposals of an account that was empty',
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
	...restartsOfEachEvent,
	// Bug: only the process knew that the changes had been reported.
	[
		'an execution that ends right after a poll with changes, and saves older static data',
		'proposalUpdated',
		{},
		[],
		[backlogStep(5, 1), makeStep('beginExecution'), makeStep('endExecution'), pollStep()],
	],
	[
		'a change after the clock of the service was set back, and a poll after the clock has caught up',
		'proposalUpdated',
		{},
		[],
		[
			changeStep('create'),
			makeStep('setBackService'),
			changeStep('status', 3),
			makeStep('poll', { time: 60_000 }),
			makeStep('poll'),
		],
	],
	[
		'the first records in an empty account',
		'proposalUpdated',
		{},
		[],
		[backlogStep(6, 1), backlogStep(11, 1), changeStep('create')],
	],
	// Bug in this test: it expected all changes from a first poll that had failed.
	[
		'a failed poll after the workflow was published during a poll',
		'proposalUpdated',
		{},
		[],
		[
			backlogStep(5, 1),
			makeStep('poll', { changesBetween: [], publishAt: 0 }),
			pollStep(0),
			changeStep('status', 0, 0),
		],
	],
];

// Use fake timers to skip the waits before retries.
beforeEach(() => {
	vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'] }).setTimerTickMode(
		'nextTimerAsync',
	);
});
afterEach(() => void vi.useRealTimers());

it.each(failedSequences)(
	'reports every change exactly once in a sequence that failed in the past: %s',
	async (_, event, options, ...more) => {
		for (const engine of ENGINES)
			await playSequence(event, engine, { maxPageSize: 5, ...options }, ...more);
	},
);

it.each(Object.keys(pollEvents))('reports every change exactly once: %s', async (event) => {
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...ENGINES),
			arbitraryOptions,
			fc.array(arbitraryChange, { maxLength: 40 }),
			fc.array(arbitraryStep, { minLength: 1, maxLength: 25 }),
			async (engine, options, before, steps) =>
				await playSequence(event, engine, options, before, steps),
		),
		runs(600),
	);
});
