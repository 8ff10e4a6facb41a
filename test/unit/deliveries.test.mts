/** What the webhook trigger remembers of deliveries, and when. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
import { ACTIVE, contextOf, load } from './deliveryModel.mts';

/** Some time, in unix seconds. */
const START = 1_800_000_000;

const keysOf = (taken: Iterable<[string, number]>) => [...taken].map(([key]) => key);

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
