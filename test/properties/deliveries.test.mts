/** Deliveries and retries, in an n8n that takes its steps in any order, fails or is restarted. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ResponseStandIn } from '../../dev/testbed/response.mts';
import { event as textOf, Trigger } from '../unit/receivingTrigger.mts';
import { runs } from './runCount.mts';

/** How n8n may order its steps; first 2.40 (docs/dev/n8n-internals.md#when-an-event-is-safe). */
const ORDERS = ['store, save, answer', 'save, store, answer', 'save, answer, store'] as const;
type Order = (typeof ORDERS)[number];
/** When the sender closes its connection; n8n goes on with the event, and answers nobody. */
const HANG_UPS = [
	'before the trigger is called',
	'while the trigger decides',
	'before the first step',
	'before the answer',
];

interface Attempt {
	event: number;
	/** One of HANG_UPS: the sender gets no answer, and sends the event again. */
	hangUp?: string;
	/** n8n cannot store the execution: its database is away. */
	fails: boolean;
	turns: number;
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

class N8n {
	stored = JSON.stringify(new Trigger().memory);
	readonly executions: string[] = [];
	/** The events that were answered with success although they came for the first time. */
	readonly taken: string[] = [];
	/** The IDs of the node by which each process remembers it. */
	private processes = [randomUUID(), randomUUID()];

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
		const trigger = new Trigger({ memory, nodeId: this.processes[process]! });
		const decision = trigger.call(textOf({ id }), response);
		await pass(HANG_UPS[1]!);
		const outcome = await decision;
		if (response.writableEnded) expect.unreachable('a genuine delivery is not refused');
		await pass(HANG_UPS[2]!);
		// Whatever n8n looks at, and when, says nothing.
		expect(Object.values(outcome).every((value) => value === outcome.workflowData)).toBe(true);
		const isStarted = outcome.workflowData !== undefined;
		for (const step of isStarted ? this.order.split(', ') : ['save', 'answer']) {
			if (step === 'save' && state.changed) this.stored = JSON.stringify(memory);
			if (step === 'answer') {
				await pass(HANG_UPS[3]!);
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
			}
		}
		// Another attempt that waits for this answer looks again.
		await vi.advanceTimersByTimeAsync(100);
		if (isStarted && response.statusCode === 200) this.taken.push(id);
		return response.writableFinished && response.statusCode === 200;
	}

	restart() {
		this.processes = [randomUUID(), randomUUID()];
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
		// Simultaneous deliveries reach one process.
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

	it('starts each delivery exactly once, in any order of steps in n8n and with senders that hang up', async () => {
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
						attempts.map(async (one) => await n8n.deliver(one, process)),
					);
					// A started delivery is saved with the next delivery to the same process.
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
				const started = n8n.executions.sort();
				if (started.join() !== once.join()) expect(started).toEqual(once);
			}),
			// Every mistake that was tried in memory.ts showed within 62.
			runs(1_000),
		);
	});
});
