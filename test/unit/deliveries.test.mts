/** What the webhook trigger remembers of deliveries, and when. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProcessDeliveries } from '../../nodes/PortalIoTrigger/deduplicate.ts';
import {
	addKey,
	hasKey,
	isSame,
	mergeKeys,
	REMEMBERED_DELIVERIES,
	type TakenKeys,
} from '../../nodes/PortalIoTrigger/takenKeys.ts';
import { ResponseStandIn } from '../../dev/testbed/response.mts';
import { event, Trigger } from './receivingTrigger.mts';

/** Some time, in unix seconds. */
const START = 1_800_000_000;
/** The trigger looks every second whether n8n has answered a sender that hung up. */
const look = async (seconds = 1) => void (await vi.advanceTimersByTimeAsync(seconds * 1000));
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('whether a delivery was taken', () => {
	/** A delivery of the same event to the same process; its outcome is whether a workflow started. */
	const begin = (deliveries: ProcessDeliveries, response = new ResponseStandIn()) => {
		const received = { isStarted: undefined as boolean | undefined };
		const outcome = new Trigger({}, deliveries)
			.call(event(), response)
			.then(({ workflowData }) => (received.isStarted = workflowData !== undefined));
		return { response, received, outcome };
	};
	const turn = async () => await new Promise(setImmediate);

	it.each([
		[199, 'open'],
		[200, 'taken'],
		[299, 'taken'],
		[300, 'open'],
		[500, 'open'],
	])('decides by the response whether a delivery was taken: %i means %s', async (status, state) => {
		const deliveries = new ProcessDeliveries();
		const first = begin(deliveries);
		expect(await first.outcome).toBe(true);
		const duplicate = begin(deliveries);
		await turn();
		expect(duplicate.received.isStarted).toBeUndefined();
		first.response.status(status).end();
		expect(await duplicate.outcome).toBe(state === 'open');
		duplicate.response.status(200).end();
		expect(await begin(deliveries).outcome).toBe(false);
	});

	it.each([
		[200, 'taken'],
		[500, 'open'],
	])(
		'decides by the answer of n8n, %i, long after the sender hung up: %s',
		async (status, state) => {
			const deliveries = new ProcessDeliveries();
			const first = begin(deliveries);
			expect(await first.outcome).toBe(true);
			first.response.hangUp();
			// n8n has no slot for the execution yet, and the next attempt comes, which hangs up as well.
			const second = begin(deliveries);
			second.response.hangUp();
			await look(600);
			expect(second.received.isStarted).toBeUndefined();
			first.response.status(status).end();
			await look();
			expect(await second.outcome).toBe(state === 'open');
			second.response.status(200).end();
			await look();
			expect(await begin(deliveries).outcome).toBe(false);
		},
	);

	it('decides by the answer of n8n for a sender that had hung up before', async () => {
		const deliveries = new ProcessDeliveries();
		const response = new ResponseStandIn();
		response.hangUp();
		expect(await begin(deliveries, response).outcome).toBe(true);
		response.status(200).end();
		await look();
		expect(await begin(deliveries).outcome).toBe(false);
	});

	it('waits for the answer of n8n no longer than retries come', async () => {
		const deliveries = new ProcessDeliveries();
		const first = begin(deliveries);
		await first.outcome;
		first.response.hangUp();
		const duplicate = begin(deliveries);
		await look(15 * 3600 - 1);
		expect(duplicate.received.isStarted).toBeUndefined();
		await look();
		expect(await duplicate.outcome).toBe(true);
	});

	it('remembers a delivery while another node receives its first', async () => {
		const deliveries = new ProcessDeliveries();
		const first = begin(deliveries);
		await first.outcome;
		await new Trigger({ nodeId: 'other' }, deliveries).take();
		const duplicate = begin(deliveries);
		first.response.status(200).end();
		expect(await duplicate.outcome).toBe(false);
	});

	it('lets in one of several deliveries that wait, and then the next', async () => {
		const deliveries = new ProcessDeliveries();
		const first = begin(deliveries);
		await first.outcome;
		const waiting = [begin(deliveries), begin(deliveries), begin(deliveries)];
		const started = () => waiting.filter(({ received }) => received.isStarted === true);
		first.response.status(500).end();
		await turn();
		expect(started()).toHaveLength(1);
		started()[0]!.response.status(500).end();
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
	const deliver = async (deliveries: ProcessDeliveries, status: number, hangsUp = false) => {
		let isStarted: boolean | undefined;
		const server = createServer(async (request, response) => {
			request.resume();
			const { workflowData } = await new Trigger({}, deliveries).call(event(), response);
			isStarted = workflowData !== undefined;
			if (hangsUp) {
				socket.destroy();
				await once(response, 'close');
			}
			response.writeHead(status).end();
			await look();
			socket.end();
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
		socket.write('POST / HTTP/1.1\r\nHost: n8n\r\nContent-Length: 0\r\n\r\n');
		socket.resume();
		await once(socket, 'close');
		await new Promise((resolve) => server.close(resolve));
		return isStarted;
	};

	it.each([
		['that waited', false],
		['that hung up', true],
	])(
		'counts a response over a socket when it is a success, for a sender %s',
		async (_who, hangsUp) => {
			const deliveries = new ProcessDeliveries();
			expect(await deliver(deliveries, 500, hangsUp)).toBe(true);
			expect(await deliver(deliveries, 200, hangsUp)).toBe(true);
			expect(await deliver(deliveries, 200)).toBe(false);
		},
	);
});

describe('what is remembered of deliveries', () => {
	const HOUR = 3600;
	const keysOf = (taken: TakenKeys) => Object.values(taken).join('').trimEnd().split(' ');
	const nameOf = (index: number) => `k${String(index).padStart(7, '0')}`;

	it('remembers a delivery an hour longer than the retries of the service at most', () => {
		// docs/portal-api.md#webhook-deliveries: 1 min, 5 min, 30 min, 2 h, 12 h after one another.
		const retries = (1 + 5 + 30 + 2 * 60 + 12 * 60) * 60;
		// In the last second of an hour, and in its first.
		for (const taken of [START + HOUR - 1, START]) {
			const stored = addKey({}, 'delivery', taken);
			expect(hasKey(mergeKeys(stored, {}, taken + retries), 'delivery')).toBe(true);
			expect(mergeKeys(stored, {}, taken + retries + 2 * HOUR)).toEqual({});
		}
	});

	it('remembers what is stored and what the process took, each once and the latest last', () => {
		const stored = addKey(addKey({}, 'both____', START), 'stored__', START);
		const known = addKey(
			addKey(addKey({}, 'both____', START), 'known___', START),
			'later___',
			START + HOUR,
		);
		expect(keysOf(mergeKeys(stored, known, START + HOUR))).toEqual([
			'both____',
			'stored__',
			'known___',
			'later___',
		]);
		// Another process, or a slow delivery, has put back what was stored before.
		expect(mergeKeys({}, known, START + HOUR)).toEqual(known);
		expect(mergeKeys(known, {}, START + HOUR)).toEqual(known);
	});

	it.each([
		['in an hour', 0],
		['over nine hours', 3],
	])('keeps the memory below 20 kB with the latest of 10,000 deliveries %s', (_, seconds) => {
		let taken: TakenKeys = {};
		let largest = 0;
		for (let index = 0; index < 10_000; index++) {
			const now = START + index * seconds;
			taken = mergeKeys(taken, addKey(taken, nameOf(index), now), now);
			// Each tenth shows it as well, and takes a tenth of the time.
			if (index % 10 === 0) largest = Math.max(largest, JSON.stringify(taken).length);
		}
		expect(largest).toBeLessThan(20_000);
		const kept = keysOf(taken);
		expect(kept.length).toBeGreaterThan(REMEMBERED_DELIVERIES / 2);
		expect(kept).toEqual(
			Array.from({ length: kept.length }, (__, index) => nameOf(10_000 - kept.length + index)),
		);
	});

	it('keeps the memory whole up to the limit, and beyond it drops the hours that no longer fit', () => {
		const hours = (first: number) => {
			let taken: TakenKeys = {};
			for (let index = 0; index < first + 1500; index++) {
				taken = addKey(taken, nameOf(index), START + (index < first ? 0 : HOUR));
			}
			return taken;
		};
		const most = hours(REMEMBERED_DELIVERIES - 1500);
		expect(mergeKeys(most, {}, START + HOUR)).toEqual(most);
		const [, second] = Object.keys(most);
		const more = hours(REMEMBERED_DELIVERIES - 1499);
		expect(mergeKeys(more, {}, START + HOUR)).toEqual({ [second!]: more[second!] });
	});

	it.each([
		[{}, {}, true],
		[{ 1: 'a ' }, { 1: 'a ' }, true],
		[{ 1: 'a ' }, { 1: 'b ' }, false],
		[{ 1: 'a ' }, { 1: 'a ', 2: 'b ' }, false],
	])('takes %j as the same as %j: %s', (one, other, expected) =>
		expect(isSame(one, other)).toBe(expected),
	);

	it('leaves out keys that were dropped when an older state is stored again', () => {
		let taken: TakenKeys = {};
		for (let index = 0; index < REMEMBERED_DELIVERIES; index++) {
			taken = addKey(taken, nameOf(index), START);
		}
		const full = taken;
		taken = mergeKeys(full, addKey(full, nameOf(REMEMBERED_DELIVERIES), START), START);
		expect(keysOf(taken).length).toBeLessThan(REMEMBERED_DELIVERIES);
		expect(mergeKeys(full, taken, START)).toEqual(taken);
	});

	it('forgets the deliveries of activations that are over', async () => {
		const process = new ProcessDeliveries();
		const first = process.of('first activation', START);
		first.taken = addKey({}, 'delivery', START);
		process.of('second activation', START + 14 * HOUR);
		expect(process.of('first activation', START + 14 * HOUR)).toBe(first);
		process.of('third activation', START + 17 * HOUR);
		expect(process.of('first activation', START + 17 * HOUR).taken).toEqual({});
	});
});
