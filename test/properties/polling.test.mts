/**
 * The polling trigger's own poll function against a model of the service, in random sequences of
 * changes, polls, failures and restarts. What is expected comes from the model's own bookkeeping.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { poll } from '../../nodes/PortalIoPollingTrigger/poll.ts';
import {
	ModelService,
	type Child,
	type ModelRecord,
	type Reading,
	pollContext,
} from '../unit/pollingModel.mts';
import { runs } from './runCount.mts';

const STATUSES = ['Draft', 'Submitted', 'ViewedByClient', 'Accepted', 'Expired', 'Delayed'];
const PAYMENTS = ['Draft', 'Submitted', 'Paid', 'Refunded'];

interface Item {
	id: number;
	lastModifiedDate?: string;
	name: string;
	status: string;
	previousStatus?: string | null;
}

/** How n8n keeps static data: in its process, or read from the database for each poll. */
const ENGINES = ['legacy', 'durable', 'durable with cursors'] as const;
type Engine = (typeof ENGINES)[number];

/** n8n as far as a poll sees it: it saves static data when a poll reports something. */
class Poller {
	memory: Record<string, unknown> = {};
	private kept = '{}';
	private isFirst = true;
	private process = crypto.randomUUID();
	private readonly account = { appKey: crypto.randomUUID() };
	private readonly service: ModelService;
	private readonly parameters: Record<string, unknown>;
	private readonly engine: Engine;

	constructor(service: ModelService, event: string, engine: Engine) {
		this.service = service;
		this.parameters = { event, simplify: false };
		this.engine = engine;
	}

	/** The first poll belongs to the activation, after which n8n saves too. */
	async poll(): Promise<Item[]> {
		this.service.requests = 0;
		if (this.engine !== 'legacy') this.memory = JSON.parse(this.kept);
		const respond = (url: string) => this.service.respond(url);
		const more = { workflowId: this.process, account: this.account };
		const output = await poll(pollContext(respond, this.memory, this.parameters, more));
		const isSaved = output !== null || this.isFirst || this.engine === 'durable with cursors';
		if (isSaved) this.kept = JSON.stringify(this.memory);
		this.isFirst = false;
		return (output?.[0] ?? []).map(({ json }) => json as unknown as Item);
	}

	restart() {
		this.memory = JSON.parse(this.kept);
		this.process = crypto.randomUUID();
	}
}

// ------------------------------------------------------------------ sequences

const pick = fc.nat(50);
const age = fc.constantFrom(0, 0, 0, 1, 1500, 60_000, 540_000);
const change = fc.oneof(
	fc.record({ kind: fc.constant('modify' as const), pick, age }),
	fc.record({ kind: fc.constant('status' as const), pick, age, status: fc.nat(5) }),
	fc.record({ kind: fc.constant('create' as const), pick, age, status: fc.nat(5) }),
	fc.record({ kind: fc.constantFrom('archive', 'delete', 'purge'), pick, age }),
	fc.record({
		kind: fc.constantFrom('paymentRequests' as const, 'changeOrders' as const),
		pick,
		age,
		status: fc.nat(3),
	}),
);
type Change = { kind: string; pick: number; age: number; status?: number };

const time = fc.constantFrom(0, 0, 1, 400, 1000, 60_000, 900_000, 7_200_000);
const step = fc.oneof(
	{ weight: 5, arbitrary: fc.record({ do: fc.constant('change' as const), change, time }) },
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('poll' as const),
			/** What happens between the requests of the poll. */
			meanwhile: fc.array(fc.record({ at: fc.nat(9), change }), { maxLength: 4 }),
			failAt: fc.option(fc.nat(8), { freq: 4, nil: undefined }),
			time,
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), time }) },
	{
		weight: 1,
		// n8n was down: much has changed, in groups with equal times that lie far apart.
		arbitrary: fc.record({
			do: fc.constant('backlog' as const),
			count: fc.integer({ min: 5, max: 30 }),
			group: fc.integer({ min: 1, max: 9 }),
			time,
		}),
	},
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
	/** Everything that exists when the trigger is activated. */
	baseline(records: ModelRecord[]): void;
	/** Throws for what was reported before, or is not true. */
	report(items: Item[]): void;
	/** Throws when something should have been reported by now. */
	expectReported(records: ModelRecord[]): void;
}

/** Every version once; a version that looks like the one reported before may be left out. */
function versions(isReportable: (record: ModelRecord) => boolean, hasStatus = true): Judge {
	const reported = new Set<string>();
	const looks = new Map<number, string>();
	const look = (one: { lastModifiedDate?: unknown; status: string }) =>
		`${String(one.lastModifiedDate)} ${hasStatus ? one.status : ''}`;
	return {
		baseline: (records) =>
			records.forEach((one) => {
				reported.add(one.name);
				looks.set(one.id, look(one));
			}),
		report: (items) =>
			items.forEach((item) => {
				expect(reported, 'reported twice').not.toContain(item.name);
				reported.add(item.name);
				looks.set(item.id, look(item));
			}),
		expectReported: (records) =>
			records
				.filter((one) => isReportable(one) && looks.get(one.id) !== look(one))
				.forEach((one) => expect(reported, `missed: ${JSON.stringify(one)}`).toContain(one.name)),
	};
}

function creations(): Judge {
	const reported = new Set<number>();
	return {
		baseline: (records) => records.forEach(({ id }) => reported.add(id)),
		report: (items) =>
			items.forEach(({ id }) => {
				expect(reported, 'reported twice').not.toContain(id);
				reported.add(id);
			}),
		expectReported: (records) =>
			records.forEach(({ id }) => expect(reported, 'missed').toContain(id)),
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
		versions(({ createdDate, lastModifiedDate }) => createdDate !== lastModifiedDate),
	proposalCreated: creations,
	proposalStatusChanged: () => statuses((record) => [record]),
	paymentStatusChanged: () => statuses(({ paymentRequests }) => paymentRequests),
	changeOrderStatusChanged: () => statuses(({ changeOrders }) => changeOrders),
	// The list of contacts is not filtered and not counted against: ties at the border of tiny pages
	// in an order that changes cannot be detected.
	contactCreatedOrUpdated: () => versions(() => true, false),
};

type Step = { do: string; time: number; change?: Change; failAt?: number } & {
	meanwhile?: Array<{ at: number; change: Change }>;
	count?: number;
	group?: number;
};

async function play(event: string, engine: Engine, how: Reading, before: Change[], steps: Step[]) {
	const isContacts = event === 'contactCreatedOrUpdated';
	const service = new ModelService(isContacts ? { ...how, shufflesTies: false } : how);
	for (const one of before) apply(service, { ...one, age: 0 });
	// What concerns one proposal would count; here each failure is of another one.
	service.failStatus = 402;
	const poller = new Poller(service, event, engine);
	const judge = judges[event]!();
	judge.baseline([...service.records.values()].map((one) => structuredClone(one)));
	await poller.poll();
	const quietPoll = async () => {
		judge.report(await poller.poll());
		judge.expectReported([...service.records.values()]);
	};
	for (const one of steps) {
		service.pass(one.time);
		if (one.do === 'change') apply(service, one.change!);
		if (one.do === 'restart') poller.restart();
		if (one.do === 'backlog') backlog(service, one.count!, one.group!);
		if (one.do !== 'poll') continue;
		const { meanwhile = [], failAt = Infinity } = one;
		service.failAt = failAt;
		let changes = 0;
		let hasArchived = false;
		service.beforeRequest = (index) => {
			for (const { at, change: other } of meanwhile) {
				// What goes from one list to the other and back within one poll hides from any reading.
				if (at !== index || (other.kind === 'archive' && hasArchived)) continue;
				hasArchived ||= other.kind === 'archive';
				apply(service, other);
				changes++;
			}
		};
		try {
			const items = await poller.poll();
			judge.report(items);
			if (changes === 0) judge.expectReported([...service.records.values()]);
		} catch (error) {
			// A failure of the service, or a list that did not stop moving; nothing else is one.
			if ((error as { name: string }).name.startsWith('Assertion')) throw error;
			expect(failAt < service.requests || changes > 0, String(error)).toBe(true);
		} finally {
			service.beforeRequest = () => {};
			service.failAt = Infinity;
		}
	}
	await quietPoll();
	poller.restart();
	await quietPoll();
	expect(await poller.poll()).toEqual([]);
}

describe('the polling trigger', () => {
	it.each(Object.keys(judges))(
		'reports each change once and misses none, whatever happens: %s',
		async (event) => {
			await fc.assert(
				fc.asyncProperty(
					fc.constantFrom(...ENGINES),
					reading,
					fc.array(change as fc.Arbitrary<Change>, { maxLength: 40 }),
					fc.array(step as fc.Arbitrary<Step>, { minLength: 1, maxLength: 25 }),
					async (engine, how, before, steps) => await play(event, engine, how, before, steps),
				),
				// Every mistake that this found showed within 120 for one of the events.
				runs(600),
			);
		},
	);
});
