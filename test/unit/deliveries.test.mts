/**
 * Deliveries, retries and duplicates against the webhook trigger. Around it are an n8n that takes its
 * steps in any order, fails to store executions, is restarted, or has several processes; and a sender
 * that may hang up at any point and sends again what was not acknowledged.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { IWebhookFunctions } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Claims } from '../../nodes/PortalIoTrigger/claims.ts';
import { receive } from '../../nodes/PortalIoTrigger/receive.ts';
import {
	isSeen,
	REMEMBERED_DELIVERIES,
	REMEMBERED_SECONDS,
	withTaken,
	type Seen,
} from '../../nodes/PortalIoTrigger/seen.ts';
import { ResponseStandIn } from '../../testbed/response.mts';

const SECRET = 'whsec_of_a_test';
const TYPE = 'proposal.status_changed';
/** Some time, in unix seconds. */
const START = 1_800_000_000;

const keysOf = (taken: Iterable<[string, number]>) => [...taken].map(([key]) => key);

/**
 * The order in which an n8n stores the execution, saves static data and answers. The first is that of
 * n8n 2.40 (docs/n8n-internals.md#when-an-event-is-safe).
 */
const ORDERS = ['store, save, answer', 'save, store, answer', 'save, answer, store'] as const;
type Order = (typeof ORDERS)[number];
/** When the sender closes its connection. */
const HANG_UPS = ['before the trigger is called', 'before the first step', 'before the answer'];

/** What happens to one attempt. */
interface Attempt {
	event: number;
	/** One of HANG_UPS: the sender gets no answer, and sends the event again. */
	hangUp?: string;
	/** n8n cannot store the execution: its database is away. */
	fails: boolean;
	/** How long n8n takes, in turns of the event loop. */
	turns: number;
}

/** The deliveries of one second by their event: thousands of sequences send the same. */
const signed = new Map<number, { body: Buffer; signature: string }>();
let signedAt = 0;

/** What the service sends for an event. */
function sent(event: number) {
	const time = Math.floor(Date.now() / 1000);
	if (time !== signedAt) signed.clear();
	signedAt = time;
	const known = signed.get(event);
	if (known) return known;
	const body = JSON.stringify({ id: `evt_${event}`, type: TYPE, created: '', data: { event } });
	const digest = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
	const one = { body: Buffer.from(body), signature: `t=${time},v1=${digest}` };
	signed.set(event, one);
	return one;
}

/** Static data as the database has them, and whether they were changed since. */
function load(stored: string) {
	const state = { changed: false };
	const memory = new Proxy(JSON.parse(stored), {
		set: (target, name, value) => {
			state.changed = true;
			return Reflect.set(target, name, value);
		},
	});
	return { memory, state };
}

/** What the trigger is called with. */
const contextOf = (event: number, memory: object, response: ResponseStandIn) =>
	({
		getRequestObject: () => ({ rawBody: sent(event).body }),
		getHeaderData: () => ({ 'x-webhook-signature': sent(event).signature }),
		getResponseObject: () => response,
		getWorkflowStaticData: () => memory,
		getNodeParameter: (name: string) => (name === 'events' ? [TYPE] : {}),
		getMode: () => 'webhook',
		getNodeWebhookUrl: () => 'https://n8n.example.com/webhook/1/webhook',
		getWorkflow: () => ({ id: '1' }),
		getNode: () => ({ id: '1', name: 'Trigger' }),
		logger: { warn: () => {} },
	}) as unknown as IWebhookFunctions;

const ACTIVE = JSON.stringify({
	subscriptions: { [TYPE]: { subscriptionId: 1, secretKey: SECRET } },
});

class N8n {
	/** What the database holds. */
	stored = ACTIVE;
	readonly executions: string[] = [];
	/** The events that were acknowledged although they came for the first time. */
	readonly taken: string[] = [];
	/** Executions whose sender was not answered any more. */
	readonly unanswered: string[] = [];
	processes = [new Claims(), new Claims()];

	private readonly order: Order;

	constructor(order: Order) {
		this.order = order;
	}

	/** @returns whether the sender was told that its delivery was taken */
	async deliver({ event, hangUp, fails, turns }: Attempt, process: number): Promise<boolean> {
		const id = `evt_${event}`;
		const response = new ResponseStandIn();
		const { memory, state } = load(this.stored);
		const pass = async (until: string) => {
			for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
			if (hangUp === until && !response.closed) response.hangUp();
		};
		await pass(HANG_UPS[0]!);
		const context = contextOf(event, memory, response);
		const outcome = await receive(context, this.processes[process]);
		if (response.writableEnded) expect.unreachable('a genuine delivery is not refused');
		await pass(HANG_UPS[1]!);
		// Whatever n8n looks at, and when, says nothing.
		expect(Object.values(outcome).every((value) => value === outcome.workflowData)).toBe(true);
		const isStarted = outcome.workflowData !== undefined;
		let isStored = false;
		for (const step of isStarted ? this.order.split(', ') : ['save', 'answer']) {
			if (step === 'save' && state.changed) this.stored = JSON.stringify(memory);
			if (step === 'answer') {
				await pass(HANG_UPS[2]!);
				if (!response.writableEnded) response.status(200).end();
			}
			if (step === 'store') {
				state.changed = false;
				await new Promise(setImmediate);
				vi.advanceTimersByTime(1);
				await new Promise(setImmediate);
				await pass('');
				if (fails) {
					if (!response.writableEnded) response.status(500).end();
					break;
				}
				this.executions.push(id);
				isStored = true;
			}
		}
		const isTold = response.writableFinished && response.statusCode === 200;
		if (isStarted && isTold) this.taken.push(id);
		if (isStored && !isTold) this.unanswered.push(id);
		return isTold;
	}

	restart() {
		this.processes = [new Claims(), new Claims()];
	}
}

const attempt = fc.record({
	event: fc.nat(5),
	hangUp: fc.option(fc.constantFrom(...HANG_UPS), { nil: undefined, freq: 9 }),
	fails: fc.nat(9).map((one) => one === 0),
	turns: fc.nat(3),
});
const step = fc.oneof(
	{
		weight: 5,
		// What comes at the same instant comes to one process.
		arbitrary: fc.record({
			attempts: fc.array(attempt, { minLength: 1, maxLength: 5 }),
			process: fc.nat(1),
		}),
	},
	{ weight: 1, arbitrary: fc.constant('restart' as const) },
);

describe('a delivery', () => {
	beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
	afterAll(() => void vi.useRealTimers());

	it('is taken exactly once, whatever n8n does in which order and whenever the sender hangs up', async () => {
		const steps = fc.array(step, { minLength: 1, maxLength: 6 });
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...ORDERS), steps, async (order, given) => {
				const calm = { fails: false, turns: 0 };
				const n8n = new N8n(order);
				const open = new Set<number>();
				let others = 100;
				for (const one of given) {
					if (one === 'restart') {
						n8n.restart();
						continue;
					}
					const { attempts, process } = one;
					const told = await Promise.all(
						attempts.map(async (each) => await n8n.deliver(each, process)),
					);
					// What was taken is saved with the next delivery to the same process.
					await n8n.deliver({ event: ++others, ...calm }, process);
					attempts.forEach(({ event }, index) => {
						if (told[index]) open.delete(event);
						else open.add(event);
					});
				}
				// The last of the retries: what was not acknowledged comes once more.
				for (const event of open) await n8n.deliver({ event, ...calm }, 0);
				const wanted = given.flatMap((one) =>
					one === 'restart' ? [] : one.attempts.map(({ event }) => `evt_${event}`),
				);
				for (let event = 101; event <= others; event++) wanted.push(`evt_${event}`);
				const once = [...new Set(wanted)].sort();
				// To compare as text costs a tenth of what `toEqual` does; that is for showing the difference.
				if (n8n.taken.sort().join() !== once.join()) expect(n8n.taken).toEqual(once);
				// An n8n that answers first may lose what it has acknowledged, and no trigger can help that.
				if (order === 'save, answer, store') return;
				// Each event starts one execution, and one more for each that nobody was told about.
				const started = n8n.executions.sort();
				const expected = [...once, ...n8n.unanswered].sort();
				if (started.join() !== expected.join()) expect(started).toEqual(expected);
			}),
			{ numRuns: 10_000 },
		);
	}, 300_000);
});

describe('whether a delivery was taken', () => {
	/** A delivery of the same event to the same process, as far as the trigger. */
	const begin = (claims: Claims, response = new ResponseStandIn()) => {
		const received = { isStarted: undefined as boolean | undefined };
		const { memory } = load(ACTIVE);
		const outcome = receive(contextOf(1, memory, response), claims).then(
			({ workflowData }) => (received.isStarted = workflowData !== undefined),
		);
		return { response, received, outcome };
	};
	const turn = async () => await new Promise(setImmediate);

	it.each([
		[200, 'taken'],
		[204, 'taken'],
		[302, 'open'],
		[404, 'open'],
		[500, 'open'],
		[503, 'open'],
	])('is decided by the response: %i means %s', async (status, state) => {
		const claims = new Claims();
		const first = begin(claims);
		expect(await first.outcome).toBe(true);
		const duplicate = begin(claims);
		await turn();
		expect(duplicate.received.isStarted).toBeUndefined();
		first.response.status(status).end();
		expect(await duplicate.outcome).toBe(state === 'open');
		duplicate.response.status(200).end();
		expect(await begin(claims).outcome).toBe(false);
	});

	it('is not decided by a response that its sender did not wait for', async () => {
		const claims = new Claims();
		const first = begin(claims);
		expect(await first.outcome).toBe(true);
		const duplicate = begin(claims);
		first.response.hangUp();
		expect(await duplicate.outcome).toBe(true);
		// n8n answers nobody that it has started the workflow.
		first.response.status(200).end();
		duplicate.response.status(500).end();
		expect(await begin(claims).outcome).toBe(true);
	});

	it('is not decided for a sender that had hung up before', async () => {
		const claims = new Claims();
		const response = new ResponseStandIn();
		response.hangUp();
		expect(await begin(claims, response).outcome).toBe(true);
		response.status(200).end();
		expect(await begin(claims).outcome).toBe(true);
	});

	it('lets in one of several that wait, and then the next', async () => {
		const claims = new Claims();
		const first = begin(claims);
		await first.outcome;
		const waiting = [begin(claims), begin(claims), begin(claims)];
		const started = () => waiting.filter(({ received }) => received.isStarted === true);
		first.response.status(500).end();
		await turn();
		expect(started()).toHaveLength(1);
		started()[0]!.response.hangUp();
		await turn();
		expect(started()).toHaveLength(2);
		started()
			.find(({ response }) => !response.closed)!
			.response.status(200)
			.end();
		await turn();
		expect(waiting.filter(({ received }) => received.isStarted === false)).toHaveLength(1);
	});
});

describe('a response over a socket', () => {
	/** Delivers once; n8n answers with this status, or the sender hangs up before. */
	const deliver = async (claims: Claims, status: number, hangsUp = false) => {
		let isStarted: boolean | undefined;
		const { memory } = load(ACTIVE);
		const server = createServer((request, response) => {
			request.resume();
			const context = contextOf(1, memory, response as unknown as ResponseStandIn);
			void receive(context, claims).then(async ({ workflowData }) => {
				isStarted = workflowData !== undefined;
				if (hangsUp) {
					socket.destroy();
					await once(response, 'close');
				}
				response.writeHead(status).end();
				socket.end();
			});
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
		socket.write('POST / HTTP/1.1\r\nHost: n8n\r\nContent-Length: 0\r\n\r\n');
		socket.resume();
		await once(socket, 'close');
		await new Promise((resolve) => server.close(resolve));
		return isStarted;
	};

	it('counts when it is a success and reached the sender', async () => {
		const claims = new Claims();
		expect(await deliver(claims, 500)).toBe(true);
		expect(await deliver(claims, 200, true)).toBe(true);
		expect(await deliver(claims, 200)).toBe(true);
		expect(await deliver(claims, 200)).toBe(false);
	});
});

describe('what is remembered of deliveries', () => {
	it('outlasts the retries of the service, and no more', () => {
		// docs/portal-api.md#webhook-deliveries: 1 min, 5 min, 30 min, 2 h, 12 h after one another.
		const retries = (1 + 5 + 30 + 2 * 60 + 12 * 60) * 60;
		expect(REMEMBERED_SECONDS).toBeGreaterThan(retries);
		const seen = withTaken({}, [['delivery', START]], START)!;
		expect(isSeen(seen, 'delivery', START + retries)).toBe(true);
		expect(isSeen(seen, 'delivery', START + REMEMBERED_SECONDS)).toBe(true);
		expect(isSeen(seen, 'delivery', START + REMEMBERED_SECONDS + 1)).toBe(false);
		const later = (now: number) => Object.keys(withTaken(seen, [['later', now]], now)!);
		expect(later(START + REMEMBERED_SECONDS)).toEqual(['delivery', 'later']);
		expect(later(START + REMEMBERED_SECONDS + 1)).toEqual(['later']);
	});

	it('is written only when there is something to add', () => {
		const seen = withTaken({}, [['delivery', START]], START)!;
		expect(seen).toEqual({ delivery: START });
		expect(withTaken(seen, [], START)).toBeUndefined();
		expect(withTaken(seen, [['delivery', START]], START + 1)).toBeUndefined();
		expect(withTaken({}, [['old', START]], START + REMEMBERED_SECONDS + 1)).toBeUndefined();
		for (const key of ['toString', '__proto__', 'constructor', '12345678']) {
			expect(isSeen({}, key, START)).toBe(false);
		}
	});

	it('is let go by a process when no retry can come any more, also of nodes that are gone', async () => {
		const claims = new Claims();
		const take = async (node: string, key: string, now: number) => {
			const settle = await claims.claim(node, key, now);
			settle?.(true);
			return settle !== undefined;
		};
		expect(await take('one', 'first', 0)).toBe(true);
		expect(await take('one', 'second', 10)).toBe(true);
		expect(await take('one', 'first', REMEMBERED_SECONDS)).toBe(false);
		expect(await take('one', 'first', REMEMBERED_SECONDS + 1)).toBe(true);
		expect(keysOf(claims.taken('one')).sort()).toEqual(['first', 'second']);
		await take('one', 'third', REMEMBERED_SECONDS + 11);
		expect(keysOf(claims.taken('one')).sort()).toEqual(['first', 'third']);
		// Each activation has a key of its own for the node: what is over must not pile up.
		for (let activation = 0; activation < 100; activation++) {
			await take(`activation ${activation}`, 'key', (activation + 3) * (REMEMBERED_SECONDS + 1));
		}
		const { byNode } = claims as unknown as { byNode: Map<string, unknown> };
		expect([...byNode.keys()]).toEqual(['activation 99']);
	});

	it('is bounded in a process too, under a flood of genuine deliveries', async () => {
		const claims = new Claims();
		const flood = 60_000;
		for (let index = 0; index < flood; index++) {
			(await claims.claim('one', `key ${index}`, 0))?.(true);
		}
		const kept = keysOf(claims.taken('one'));
		expect(kept.length).toBeGreaterThan(REMEMBERED_DELIVERIES);
		expect(kept.length).toBeLessThanOrEqual(50_000);
		expect(kept.at(-1)).toBe(`key ${flood - 1}`);
	}, 60_000);

	it('stays bounded, and keeps the latest', () => {
		const many = Array.from({ length: 10_000 }, (_, index): [string, number] => [
			`k${String(index).padStart(7, '0')}`,
			START + index,
		]);
		let seen: Seen = {};
		for (let at = 0; at < many.length; at += 100) {
			seen = withTaken(seen, many.slice(at, at + 100), START + 10_000)!;
		}
		const known = many.filter(([key]) => isSeen(seen, key, START + 10_000));
		expect(known).toEqual(many.slice(-REMEMBERED_DELIVERIES));
		// What goes through n8n's database with every delivery.
		expect(JSON.stringify(seen).length).toBeLessThan(50_000);
	});

	it('forgets what is old, and nothing that another process took since', () => {
		const hours = 3600;
		// Another process has undone the note of the first, which is made again after the second.
		const add = (to: Seen, taken: [string, number], now: number) =>
			withTaken(to, [taken], START + now) ?? to;
		let seen = add({}, ['second__', START + 10 * hours], 10 * hours);
		seen = add(seen, ['first___', START], 11 * hours);
		seen = add(seen, ['first___', START], 16 * hours);
		expect(isSeen(seen, 'first___', START + 16 * hours)).toBe(false);
		expect(isSeen(seen, 'second__', START + 16 * hours)).toBe(true);
		seen = add(seen, ['third___', START + 16 * hours], 16 * hours);
		expect(Object.keys(seen)).toEqual(['second__', 'third___']);
		// Taken again after it was forgotten, it is remembered from then on.
		seen = add(seen, ['first___', START + 17 * hours], 17 * hours);
		expect(isSeen(seen, 'first___', START + 30 * hours)).toBe(true);
	});

	it('is each once, whatever it is told again and however its letters lie', () => {
		const key = fc.string({ unit: fc.constantFrom('0', 'a', 'z'), minLength: 8, maxLength: 8 });
		const time = fc.integer({ min: START, max: START + 3 * REMEMBERED_SECONDS });
		fc.assert(
			fc.property(fc.array(fc.array(fc.tuple(key, time))), key, time, (rounds, other, now) => {
				const wanted = new Map<string, number>();
				let seen: Seen = {};
				for (const round of rounds) {
					// Those of a process stand in the order in which it took them.
					const taken = new Map(round.toSorted(([, one], [, two]) => one - two));
					seen = withTaken(seen, taken, START) ?? seen;
					for (const [each, at] of taken) if (!wanted.has(each)) wanted.set(each, at);
				}
				for (const each of [other, ...wanted.keys()]) {
					const at = wanted.get(each);
					const isRemembered = at !== undefined && now - at <= REMEMBERED_SECONDS;
					expect(isSeen(seen, each, now)).toBe(isRemembered);
				}
			}),
		);
	});
});
