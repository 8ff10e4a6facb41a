/**
 * Deliveries, retries and duplicates against the webhook trigger, around it an n8n that reads static
 * data when a delivery comes and writes it as a whole when it has taken it, is restarted, or has
 * several processes; and a sender that sends again what it believes is not acknowledged. Each event
 * must start exactly one execution.
 */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { IWebhookFunctions } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Claims } from '../../nodes/PortalIoTrigger/claims.ts';
import { receive } from '../../nodes/PortalIoTrigger/receive.ts';
import {
	isSeen,
	REMEMBERED_DELIVERIES,
	REMEMBERED_SECONDS,
	withSeen,
} from '../../nodes/PortalIoTrigger/seen.ts';
import { startedWith } from '../../nodes/PortalIoTrigger/started.ts';
import { ResponseStandIn } from '../../testbed/response.mts';

const SECRET = 'whsec_of_a_test';
const TYPE = 'proposal.status_changed';
/** Some time, in unix seconds. */
const START = 1_800_000_000;

const keysOf = (taken: Iterable<[string, number]>) => [...taken].map(([key]) => key);

/** What befalls one attempt. */
interface Attempt {
	event: number;
	/** The sender does not get the answer, and sends again what n8n has taken. */
	hangsUp: boolean;
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

class N8n {
	/** What the database holds. */
	stored = JSON.stringify({ subscriptions: { [TYPE]: { subscriptionId: 1, secretKey: SECRET } } });
	readonly executions: string[] = [];
	processes = [new Claims(), new Claims()];

	/** @returns whether the sender was told that its delivery was taken */
	async deliver({ event, hangsUp, fails, turns }: Attempt, process: number): Promise<boolean> {
		const { body, signature } = sent(event);
		const response = new ResponseStandIn();
		const memory = JSON.parse(this.stored);
		const { seen } = memory;
		const context = {
			getRequestObject: () => ({ rawBody: body }),
			getHeaderData: () => ({ 'x-webhook-signature': signature }),
			getResponseObject: () => response,
			getWorkflowStaticData: () => memory,
			getNodeParameter: (name: string) => (name === 'events' ? [TYPE] : {}),
			getMode: () => 'webhook',
			getNodeWebhookUrl: () => 'https://n8n.example.com/webhook/1/webhook',
			getWorkflow: () => ({ id: '1' }),
			getNode: () => ({ id: '1', name: 'Trigger' }),
			logger: { warn: () => {} },
		};
		for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
		const outcome = await receive(context as unknown as IWebhookFunctions, this.processes[process]);
		if (response.writableEnded) expect.unreachable('a genuine delivery is not refused');
		if (hangsUp) response.hangUp();
		for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
		if (outcome.workflowData && fails) {
			response.status(500).end();
			// Which the node finds out by looking again, when the sender was gone before.
			vi.advanceTimersByTime(1000);
			return false;
		}
		if (outcome.workflowData) this.executions.push(`evt_${event}`);
		void outcome.webhookResponse;
		// n8n writes what has changed, as a whole, once it has stored the execution, and answers then.
		if (memory.seen !== seen) this.stored = JSON.stringify(memory);
		response.status(200).end();
		return !hangsUp;
	}

	restart() {
		this.processes = [new Claims(), new Claims()];
	}
}

const attempt = fc.record({
	event: fc.nat(5),
	hangsUp: fc.nat(9).map((one) => one === 0),
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

	it('starts one execution, however often and in whatever circumstances it comes', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
				const calm = { hangsUp: false, fails: false, turns: 0 };
				const n8n = new N8n();
				const open = new Set<number>();
				let others = 100;
				for (const one of steps) {
					if (one === 'restart') {
						n8n.restart();
						continue;
					}
					const { attempts, process } = one;
					const told = await Promise.all(
						attempts.map(async (each) => await n8n.deliver(each, process)),
					);
					// Of several at once, n8n keeps what the last one wrote; the next one adds what is missing.
					await n8n.deliver({ event: ++others, ...calm }, process);
					attempts.forEach(({ event }, index) => {
						if (told[index]) open.delete(event);
						else open.add(event);
					});
				}
				// The last of the retries: what was not acknowledged comes once more.
				for (const event of open) await n8n.deliver({ event, ...calm }, 0);
				const wanted = steps.flatMap((one) =>
					one === 'restart' ? [] : one.attempts.map(({ event }) => `evt_${event}`),
				);
				for (let event = 101; event <= others; event++) wanted.push(`evt_${event}`);
				const once = [...new Set(wanted)].sort();
				// To compare as text costs a tenth of what `toEqual` does; that is for showing the difference.
				if (n8n.executions.sort().join() !== once.join()) expect(n8n.executions).toEqual(once);
			}),
			{ numRuns: 10_000 },
		);
	}, 300_000);
});

describe('whether a workflow was started', () => {
	beforeAll(() => void vi.useFakeTimers());
	afterAll(() => void vi.useRealTimers());

	const begin = (response = new ResponseStandIn()) => {
		const told: string[] = [];
		const outcome = startedWith({ workflowData: [] }, response as never, {
			onStarted: () => told.push('started'),
			onFailed: () => told.push('failed'),
		});
		return { response, told, outcome };
	};

	it('is told when n8n asks for the answer, once, and leaves that to n8n', () => {
		const { response, told, outcome } = begin();
		expect(told).toEqual([]);
		expect(outcome.webhookResponse).toBeUndefined();
		expect(outcome).toMatchObject({ workflowData: [] });
		response.status(200).end();
		expect(told).toEqual(['started']);
	});

	it.each([
		[200, 'started'],
		[500, 'failed'],
		[503, 'failed'],
	])('is told by an answer of %i when n8n never asks', (status, outcome) => {
		const { response, told } = begin();
		response.status(status).end();
		expect(told).toEqual([outcome]);
	});

	it('is still open when the sender has hung up, until n8n is done', async () => {
		const late = begin();
		late.response.hangUp();
		await vi.advanceTimersByTimeAsync(60_000);
		expect(late.told).toEqual([]);
		void late.outcome.webhookResponse;
		await vi.advanceTimersByTimeAsync(60_000);
		expect(late.told).toEqual(['started']);
		const failing = begin();
		failing.response.hangUp();
		failing.response.status(500).end();
		await vi.advanceTimersByTimeAsync(1000);
		expect(failing.told).toEqual(['failed']);
		const forgotten = begin();
		forgotten.response.hangUp();
		await vi.advanceTimersByTimeAsync(10 * 60_000);
		expect(forgotten.told).toEqual(['failed']);
	});

	it('is told also when the sender had hung up before', async () => {
		const response = new ResponseStandIn();
		response.hangUp();
		const { told } = begin(response);
		await vi.advanceTimersByTimeAsync(1000);
		expect(told).toEqual([]);
		response.status(500).end();
		await vi.advanceTimersByTimeAsync(1000);
		expect(told).toEqual(['failed']);
	});
});

describe('what is remembered of deliveries', () => {
	it('outlasts the retries of the service, and no more', () => {
		// docs/portal-api.md#webhook-deliveries: 1 min, 5 min, 30 min, 2 h, 12 h after one another.
		const retries = (1 + 5 + 30 + 2 * 60 + 12 * 60) * 60;
		expect(REMEMBERED_SECONDS).toBeGreaterThan(retries);
		const seen = withSeen('', [['delivery', START]], START);
		expect(isSeen(seen, 'delivery', START + retries)).toBe(true);
		expect(isSeen(seen, 'delivery', START + REMEMBERED_SECONDS)).toBe(true);
		expect(isSeen(seen, 'delivery', START + REMEMBERED_SECONDS + 1)).toBe(false);
		expect(withSeen(seen, [], START + REMEMBERED_SECONDS)).toBe(seen);
		expect(withSeen(seen, [], START + REMEMBERED_SECONDS + 1)).toBe('');
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
		let seen = '';
		for (const one of many) seen = withSeen(seen, [one], START + 10_000);
		const known = many.filter(([key]) => isSeen(seen, key, START + 10_000));
		expect(known).toEqual(many.slice(-REMEMBERED_DELIVERIES));
		// What goes through n8n's database with every delivery.
		expect(seen.length).toBeLessThan(30_000);
	});

	it('forgets what is old, and nothing that another process took since', () => {
		const hours = 3600;
		// Another process has undone the note of the first, which is made again after the second.
		let seen = withSeen('', [['second__', START + 10 * hours]], START + 10 * hours);
		seen = withSeen(seen, [['first___', START]], START + 11 * hours);
		seen = withSeen(seen, [['first___', START]], START + 16 * hours);
		expect(isSeen(seen, 'first___', START + 16 * hours)).toBe(false);
		expect(isSeen(seen, 'second__', START + 16 * hours)).toBe(true);
		expect(seen).toHaveLength(14);
		// Taken again after it was forgotten, it is remembered from then on.
		seen = withSeen(seen, [['first___', START + 17 * hours]], START + 17 * hours);
		expect(isSeen(seen, 'first___', START + 30 * hours)).toBe(true);
	});

	it('is each once, whatever it is told again and however its letters lie', () => {
		const key = fc.string({ unit: fc.constantFrom('0', 'a', 'z'), minLength: 8, maxLength: 8 });
		const time = fc.integer({ min: START, max: START + 3 * REMEMBERED_SECONDS });
		fc.assert(
			fc.property(fc.array(fc.array(fc.tuple(key, time))), key, time, (rounds, other, now) => {
				const wanted = new Map<string, number>();
				let seen = '';
				for (const round of rounds) {
					// Those of a process stand in the order in which it took them.
					const taken = new Map(round.toSorted(([, one], [, two]) => one - two));
					seen = withSeen(seen, taken, START);
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
