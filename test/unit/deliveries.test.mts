/** Tests one delivery to the webhook trigger. test/properties tests any order of attempts. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
	mergeKeys,
	openMemory,
	rememberSubscriptions,
} from '../../nodes/PortalIoTrigger/triggerMemory.ts';
import { ResponseStandIn } from '../../dev/testbed/response.mts';
import { event, NOW, remembered, subscription, Trigger, TYPE } from './receivingTrigger.mts';

beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000, toFake: ['Date', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('repeated deliveries', () => {
	it.each(['evt_1', '5', '9007199254740993'])(
		'recognizes a repeated delivery by its ID alone: %j',
		async (id) => {
			const trigger = new Trigger();
			expect(await trigger.take(event({ id }))).toBe(true);
			expect(await trigger.take(event({ id, created: 'later', data: {} }))).toBe(false);
			expect(await trigger.take(event({ id: '6' }))).toBe(true);
		},
	);

	it.each([undefined, '', {}, 5])(
		'recognizes a delivery by its bytes if its ID is %j',
		async (id) => {
			const trigger = new Trigger();
			expect(await trigger.take(event({ id }))).toBe(true);
			expect(await trigger.take(event({ id, created: 'later' }))).toBe(true);
			expect(await trigger.take(event({ id }))).toBe(false);
		},
	);

	it('recognizes a repeated delivery only at the same URL and node', async () => {
		const take = async (changes: Partial<Trigger>) =>
			await new Trigger({ nodeId: 'at its own address', ...changes }).take();
		expect(await take({})).toBe(true);
		expect(await take({})).toBe(false);
		expect(await take({ nodeId: 'another' })).toBe(true);
		expect(await take({ url: 'https://n8n.example.com/webhook/2/webhook' })).toBe(true);
	});

	it('forgets deliveries that Portal.io no longer retries', async () => {
		vi.useFakeTimers({ now: NOW * 1000, toFake: ['Date', 'performance', 'setTimeout'] });
		const take = async () => await new Trigger({ nodeId: 'without deliveries for a day' }).take();
		expect([await take(), await take()]).toEqual([true, false]);
		vi.advanceTimersByTime(26 * 3600_000);
		vi.setSystemTime(NOW * 1000);
		expect(await take()).toBe(true);
	});

	/** See docs/triggers.md#missed-and-repeated-events. */
	it.each([
		['retried after a restart without another delivery in between', true],
		['sent to two n8n processes at the same time', false],
	])('starts the workflow twice for an acknowledged event that is %s', async (_, isRestarted) => {
		const memory = remembered(subscription(1, 'ours'));
		const trigger = new Trigger({ memory: { ...memory } });
		expect(await trigger.take()).toBe(true);
		await vi.runAllTimersAsync();
		const stored = isRestarted ? trigger.memory : memory;
		expect(await new Trigger({ memory: { ...stored } }).take()).toBe(true);
	});

	it('starts the workflow for a retry of an event that n8n had not acknowledged before a restart', async () => {
		const trigger = new Trigger();
		const unanswered = new ResponseStandIn();
		expect(await trigger.call(event(), unanswered)).toHaveProperty('workflowData');
		const afterwards = new Trigger({ memory: trigger.memory });
		expect(await afterwards.take()).toBe(true);
		expect(await afterwards.take()).toBe(false);
	});

	it('accepts a repeated delivery in each test run', async () => {
		const trigger = new Trigger({ mode: 'manual' });
		expect(await trigger.take()).toBe(true);
		expect(await trigger.take()).toBe(true);
		await vi.runAllTimersAsync();
		expect(trigger.memory).toEqual(remembered(subscription(1, 'ours')));
	});

	it.each([
		[199, 'starts'],
		[200, 'does not start'],
		[299, 'does not start'],
		[300, 'starts'],
	])(
		'rejects a retry with 503 until n8n responds to the first attempt; if that response is %i, %s the workflow',
		async (status, does) => {
			const nodeId = randomUUID();
			const first = new ResponseStandIn();
			expect(await new Trigger({ nodeId }).call(event(), first)).toHaveProperty('workflowData');
			const second = new Trigger({ nodeId });
			expect(await second.take()).toBe(503);
			expect(second.log).toEqual([
				'Portal.io Trigger: delivery rejected: n8n has not yet responded to an earlier attempt',
			]);
			// Expect another rejection after the sender has hung up, because n8n has still not responded.
			first.hangUp();
			expect(await new Trigger({ nodeId }).take()).toBe(503);
			first.status(status).end();
			expect(await new Trigger({ nodeId }).take()).toBe(does === 'starts');
			expect(await new Trigger({ nodeId }).take()).toBe(false);
		},
	);
});

describe('remembered deliveries', () => {
	/** Returns the delivery keys with the given numbers, in order, as they are stored. */
	const keys = (...numbers: number[]) =>
		numbers.map((one) => `k${String(one).padStart(7, '0')} `).join('');
	const all = (first: number, last: number) =>
		keys(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

	it.each([
		['no keys', '', '', ''],
		['stored keys and a newer one in the process', keys(1, 2), keys(1, 2, 3), keys(1, 2, 3)],
		['a stored key of another process, and a common key', keys(1, 2), keys(1, 3), keys(1, 2, 3)],
		['stored keys of another process, and no common key', keys(1, 2), keys(3, 4), keys(1, 2, 3, 4)],
		['a stored key from before the process began', keys(1, 2), keys(2, 3), keys(1, 2, 3)],
		['only stored keys', keys(1, 2), '', keys(1, 2)],
		[
			'only keys in the process, because a slow delivery restored older data',
			'',
			keys(1, 2),
			keys(1, 2),
		],
		[
			'the latest 2,000 keys, half of which are stored',
			all(1, 2000),
			all(1001, 3000),
			all(1001, 3000),
		],
		[
			'the latest 2,000 keys, although the stored keys are out of order',
			keys(7) + all(2, 2000),
			all(1001, 3000),
			all(1001, 3000),
		],
	])('merges delivery keys without duplicates, latest last: %s', (_what, stored, known, merged) => {
		expect(mergeKeys(stored, known)).toBe(merged);
	});

	it('remembers the latest 2,000 deliveries in less than 20 kB', async () => {
		const trigger = new Trigger();
		trigger.memory.deliveryKeys = all(1, 10_000);
		await trigger.take();
		// Send a second delivery, which saves the key of the first one.
		await trigger.take(event({ id: 'evt_2' }));
		expect(trigger.memory.deliveryKeys).toBe(`${all(8002, 10_000)}fU5adurm `);
		expect(trigger.memory.deliveryKeys!.length).toBeLessThan(20_000);
	});

	it('saves the static data again after n8n has started to store the execution', async () => {
		const trigger = new Trigger();
		await trigger.take();
		await vi.runAllTimersAsync();
		expect(trigger.memory).not.toHaveProperty('deliveryKeys');
		const saves: unknown[] = [];
		trigger.memory = new Proxy(trigger.memory, {
			set: (target, name, value) => {
				if (name === 'deliveryKeys') saves.push(value);
				return Reflect.set(target, name, value);
			},
		});
		expect(await trigger.take(event({ id: 'evt_2' }))).toBe(true);
		expect(saves).toEqual(['fU5adurm ']);
		await vi.runAllTimersAsync();
		expect(saves).toEqual(['fU5adurm ', 'fU5adurm ']);
	});
});

describe('the body', () => {
	it.each<[number, string, string, object]>([
		[401, 'no body', event({ word: 'secret' }), { request: { rawBody: 'secret' } }],
		[400, 'its body is not a JSON object', '{"secret', {}],
		[400, 'its body is not a JSON object', '["secret"]', {}],
		[400, 'its body is not a JSON object', 'null', {}],
	])(
		'rejects a delivery with status %i and one log line: %s',
		async (status, reason, body, how) => {
			const trigger = new Trigger();
			expect(await trigger.take(body, how)).toBe(status);
			expect(trigger.log).toEqual([`Portal.io Trigger: delivery rejected: ${reason}`]);
			expect(trigger.memory).toEqual(remembered(subscription(1, 'ours')));
		},
	);

	const unread = (body: string) => ({
		rawBody: undefined as Buffer | undefined,
		async readRawBody(this: { rawBody: Buffer | undefined }) {
			this.rawBody = Buffer.from(body);
		},
	});

	it('reads the raw body only if n8n has not read it', async () => {
		expect(await new Trigger().take(event(), { request: unread(event()) })).toBe(true);
		const readRawBody = vi.fn(async () => await Promise.reject(new Error('aborted')));
		expect(await new Trigger().take(event(), { request: { readRawBody } })).toBe(true);
		expect(readRawBody).not.toHaveBeenCalled();
		const request = { rawBody: undefined, readRawBody };
		expect(await new Trigger().take(event(), { request })).toBe(401);
	});

	it("uses n8n's decoded JSON", async () => {
		const json = { contentType: 'application/json', body: JSON.parse(event()) };
		expect(await new Trigger().take('in UTF-16', { request: json })).toBe(true);
		const request = { contentType: 'text/plain' };
		expect(await new Trigger().take(`\ufeff${event()}`, { request })).toBe(true);
	});

	it("verifies the raw body, not n8n's parsed one", async () => {
		const spaced = event().replaceAll(':', ' : ');
		const body = JSON.parse(event());
		expect(await new Trigger().take(spaced, { request: { body } })).toBe(true);
		expect(await new Trigger().take(event(), { request: { ...unread(spaced), body } })).toBe(401);
	});
});

describe('the memory of subscriptions', () => {
	it.each<[string, object]>([
		['nothing', {}],
		['no subscriptions', { subscriptions: null }],
		['a subscription without its secret', remembered({ [TYPE]: { subscriptionId: 1 } })],
		['a subscription with an empty secret', remembered(subscription(1, ''))],
		['nothing in place of a subscription', remembered({ [TYPE]: null })],
	])('rejects deliveries if the memory contains %s', async (_what, memory) => {
		const trigger = new Trigger({ memory: memory as never });
		expect(await trigger.take(event(), { secret: 'undefined' })).toBe(401);
		expect(await trigger.take()).toBe(401);
		expect(trigger.log[1]).toBe(
			'Portal.io Trigger: delivery rejected: wrong signature, and this workflow has no stored subscription. Unpublish it and publish it again.',
		);
	});

	/**
	 * Publishes the trigger. Returns it with outdated static data, as if a slow delivery had overwritten the current
	 * data.
	 */
	const published = () => {
		const nodeId = randomUUID();
		// Use a time later than now, as if the clock had been set back after the subscription was stored.
		const memory = { ...remembered(subscription(1, 'ours')), subscribedAt: NOW * 1000 + 9 };
		const trigger = new Trigger({ memory: { ...memory }, nodeId });
		const subscriptions = subscription(2, 'new');
		rememberSubscriptions(openMemory(trigger.context()), {
			owner: 'us',
			account: 'ours',
			subscriptions,
		});
		return { nodeId, outdated: new Trigger({ memory, nodeId }), current: trigger.memory };
	};

	it("replaces outdated static data with the process's state", async () => {
		const { outdated, current } = published();
		expect(await outdated.take(event(), { secret: 'new' })).toBe(true);
		expect(outdated.memory).toMatchObject(current);
		expect(outdated.log).toEqual([]);
	});

	it('uses newer static data of another process', async () => {
		const { nodeId } = published();
		const memory = { ...remembered(subscription(3, 'newer')), subscribedAt: NOW * 1000 + 11 };
		const elsewhere = new Trigger({ memory, nodeId });
		expect(await elsewhere.take(event(), { secret: 'newer' })).toBe(true);
		expect(await elsewhere.take(event(), { secret: 'new' })).toBe(401);
	});

	it("uses static data, not the process's state, in a test run", async () => {
		const { nodeId } = published();
		const testing = new Trigger({ mode: 'manual', nodeId });
		expect(await testing.take(event(), { secret: 'new' })).toBe(401);
		expect(await testing.take()).toBe(true);
		expect(await new Trigger({ nodeId }).take(event({ id: 'evt_2' }), { secret: 'new' })).toBe(
			true,
		);
	});
});

describe('the age of a delivery', () => {
	it.each([
		// The default is five minutes (see docs/dev/portal-api.md#webhook-deliveries).
		[undefined, 300],
		['600', 600],
		[1, 1],
		// Ignore values that would turn the check off.
		[0, 300],
		['soon', 300],
		[Infinity, 300],
		// Limit the tolerance to 14 h 40 min, a little more than the age of the last retry.
		[1_000_000, 52_800],
	])(
		'with the maximum age %j, accepts deliveries up to %i seconds old',
		async (toleranceSeconds, seconds) => {
			const trigger = new Trigger({ parameters: { options: { toleranceSeconds } as never } });
			expect(await trigger.take(event(), { time: NOW - seconds })).toBe(true);
			expect(await trigger.take(event(), { time: NOW - seconds - 1 })).toBe(401);
		},
	);
});
