/** What the webhook trigger remembers of deliveries, and when. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
	mergeKeys,
	ProcessDeliveries,
	REMEMBERED_DELIVERIES,
} from '../../nodes/PortalIoTrigger/deduplicate.ts';
import { ResponseStandIn } from '../../dev/testbed/response.mts';
import { event, Trigger } from './receivingTrigger.mts';

/** Some time, in unix seconds. */
const START = 1_800_000_000;
/** The trigger looks every second whether n8n has answered a sender that hung up. */
const look = async (seconds = 1) => void (await vi.advanceTimersByTimeAsync(seconds * 1000));
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] }));
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

	it('remembers a delivery when another node receives its first, fifteen hours later', async () => {
		const deliveries = new ProcessDeliveries();
		const first = begin(deliveries);
		await first.outcome;
		vi.setSystemTime(Date.now() + 15 * 3600_000);
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
	/** The keys of deliveries in their order, as they are stored. */
	const keys = (...numbers: number[]) =>
		numbers.map((one) => `k${String(one).padStart(7, '0')} `).join('');
	const all = (first: number, last: number) =>
		keys(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

	it.each([
		['nothing, and nothing that the process took', '', '', ''],
		['what the process took as well', keys(1, 2), keys(1, 2, 3), keys(1, 2, 3)],
		['what another process took', keys(1, 2), keys(1, 3), keys(1, 2, 3)],
		['what only another process took', keys(1, 2), keys(3, 4), keys(1, 2, 3, 4)],
		['what came before the process began', keys(1, 2), keys(2, 3), keys(1, 2, 3)],
		['what the process did not take', keys(1, 2), '', keys(1, 2)],
		['less than before, put back by a slow delivery', '', keys(1, 2), keys(1, 2)],
	])('merges %s into what is stored, each once and the latest last', (_, stored, known, merged) => {
		expect(mergeKeys(stored, known)).toBe(merged);
	});

	it('remembers the latest 2,000 deliveries in less than 20 kB', async () => {
		const trigger = new Trigger();
		trigger.memory.taken = all(1, 10_000);
		await trigger.take();
		// The second one saves what the process has taken.
		await trigger.take(event({ id: 'evt_2' }));
		expect(REMEMBERED_DELIVERIES).toBe(2000);
		expect(trigger.memory.taken).toBe(`${all(8002, 10_000)}fU5adurm `);
		expect(trigger.memory.taken!.length).toBeLessThan(20_000);
	});

	it('remembers a delivery where what is stored of others cannot be read', async () => {
		const trigger = new Trigger();
		Object.assign(trigger.memory, { taken: { 500000: 'fU5adurm ' } });
		expect(await trigger.take()).toBe(true);
		expect(await trigger.take()).toBe(false);
		expect(trigger.memory.taken).toBe('fU5adurm ');
	});

	it.each([
		['began with it', all(1, 2000)],
		['has others too', keys(7) + all(2, 2000)],
	])(
		'leaves out keys that were dropped when an older state is stored again that %s',
		(_, stored) => {
			const known = all(1001, 3000);
			expect(mergeKeys(stored, known)).toBe(known);
		},
	);

	it('forgets the deliveries of activations that are over, after the last retry', () => {
		const HOUR = 3600;
		const deliveries = new ProcessDeliveries();
		const first = deliveries.of('first activation', START);
		deliveries.of('second activation', START + 15 * HOUR);
		expect(deliveries.of('first activation', START + 15 * HOUR)).toBe(first);
		deliveries.of('third activation', START + 30 * HOUR);
		expect(deliveries.of('first activation', START + 30 * HOUR)).toBe(first);
		deliveries.of('fourth activation', START + 45 * HOUR + 1);
		expect(deliveries.of('first activation', START + 45 * HOUR + 1)).not.toBe(first);
	});
});
