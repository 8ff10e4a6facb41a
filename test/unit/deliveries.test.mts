/**
 * Which deliveries the webhook trigger remembers, and when. Any order of attempts is in test/properties,
 * and n8n's own responses are in test/n8n.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mergeKeys, type KnownNodes } from '../../nodes/PortalIoTrigger/memory.ts';
import { ResponseStandIn } from '../../dev/testbed/response.mts';
import { event, Trigger } from './receivingTrigger.mts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());
/** A delivery that waits looks again. */
const lookAgain = async () => void (await vi.advanceTimersByTimeAsync(100));

describe('an event that comes again', () => {
	/** A delivery of the event to a process; its outcome is whether a workflow started. */
	const begin = (nodes: KnownNodes, response = new ResponseStandIn()) => {
		const received = { isStarted: undefined as boolean | undefined };
		const outcome = new Trigger({}, nodes)
			.call(event(), response)
			.then(({ workflowData }) => (received.isStarted = workflowData !== undefined));
		return { response, received, outcome };
	};

	it.each([
		[199, 'starts'],
		[200, 'does not start'],
		[299, 'does not start'],
		[300, 'starts'],
		[500, 'starts'],
	])(
		'waits for the answer to an earlier attempt, and after %i %s the workflow',
		async (status, does) => {
			const nodes: KnownNodes = new Map();
			const first = begin(nodes);
			expect(await first.outcome).toBe(true);
			const second = begin(nodes);
			await lookAgain();
			expect(second.received.isStarted).toBeUndefined();
			first.response.status(status).end();
			await lookAgain();
			expect(await second.outcome).toBe(does === 'starts');
			second.response.status(200).end();
			expect(await begin(nodes).outcome).toBe(false);
		},
	);
});

describe('the remembered deliveries', () => {
	/** The keys of deliveries in their order, as they are stored. */
	const keys = (...numbers: number[]) =>
		numbers.map((one) => `k${String(one).padStart(7, '0')} `).join('');
	const all = (first: number, last: number) =>
		keys(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

	it.each([
		['nothing with nothing', '', '', ''],
		['what the process took', keys(1, 2), keys(1, 2, 3), keys(1, 2, 3)],
		['what another process took', keys(1, 2), keys(1, 3), keys(1, 2, 3)],
		['what only another process took', keys(1, 2), keys(3, 4), keys(1, 2, 3, 4)],
		['what came before the process began', keys(1, 2), keys(2, 3), keys(1, 2, 3)],
		['what the process did not take', keys(1, 2), '', keys(1, 2)],
		['less than before, restored by a slow delivery', '', keys(1, 2), keys(1, 2)],
		['a restored state that began with it', all(1, 2000), all(1001, 3000), all(1001, 3000)],
		['one that has others', keys(7) + all(2, 2000), all(1001, 3000), all(1001, 3000)],
	])('merges %s, each key once and the latest last', (_what, stored, known, merged) => {
		expect(mergeKeys(stored, known)).toBe(merged);
	});

	it('remembers the latest 2,000 deliveries in less than 20 kB', async () => {
		const trigger = new Trigger();
		trigger.memory.taken = all(1, 10_000);
		await trigger.take();
		// The second one saves that the first was taken.
		await trigger.take(event({ id: 'evt_2' }));
		expect(trigger.memory.taken).toBe(`${all(8002, 10_000)}fU5adurm `);
		expect(trigger.memory.taken!.length).toBeLessThan(20_000);
	});

	it('writes the static data once more when n8n has begun to store the execution', async () => {
		const trigger = new Trigger();
		await trigger.take();
		const saves: unknown[] = [];
		trigger.memory = new Proxy(trigger.memory, {
			set: (target, name, value) => {
				if (name === 'taken') saves.push(value);
				return Reflect.set(target, name, value);
			},
		});
		expect(await trigger.take(event({ id: 'evt_2' }))).toBe(true);
		expect(saves).toEqual(['fU5adurm ']);
		await vi.runAllTimersAsync();
		expect(saves).toEqual(['fU5adurm ', 'fU5adurm ']);
	});

	it('writes nothing into the static data when there is nothing to add', async () => {
		const trigger = new Trigger();
		expect(await trigger.take()).toBe(true);
		await vi.runAllTimersAsync();
		expect(trigger.memory).not.toHaveProperty('taken');
	});
});
