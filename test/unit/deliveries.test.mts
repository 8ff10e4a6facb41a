/** What the webhook trigger remembers of deliveries, and how it finds out what became of them. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Claims } from '../../nodes/PortalIoTrigger/claims.ts';
import {
	isSeen,
	REMEMBERED_DELIVERIES,
	REMEMBERED_SECONDS,
	withSeen,
} from '../../nodes/PortalIoTrigger/seen.ts';
import { startedWith } from '../../nodes/PortalIoTrigger/started.ts';
import { ResponseStandIn } from '../../testbed/response.mts';

/** Some time, in unix seconds. */
const START = 1_800_000_000;

const keysOf = (taken: Iterable<[string, number]>) => [...taken].map(([key]) => key);

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
	}, 60_000);

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
