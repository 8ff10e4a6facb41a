/** What the webhook trigger does with one delivery: start the workflow, acknowledge it, or refuse it. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProcessDeliveries } from '../../nodes/PortalIoTrigger/deduplicate.ts';
import { forget, remember } from '../../nodes/PortalIoTrigger/memory.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';
import {
	event,
	NOW,
	OUTLINE,
	remembered,
	subscription,
	Trigger,
	TYPE,
	URL,
} from './receivingTrigger.mts';

beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }));
afterEach(() => void vi.useRealTimers());

describe('a delivery is known', () => {
	it('knows a delivery by its ID, whatever else it says', async () => {
		const trigger = new Trigger();
		expect(await trigger.take(event())).toBe(true);
		expect(await trigger.take(event({ created: 'later' }))).toBe(false);
		expect(await trigger.take(event({ id: 'evt_2' }))).toBe(true);
	});

	it.each([[undefined], [''], [5], [null], [{}]])(
		'knows a delivery by all of its bytes with the ID %j',
		async (id) => {
			const trigger = new Trigger();
			expect(await trigger.take(event({ id }))).toBe(true);
			expect(await trigger.take(event({ id, created: 'later' }))).toBe(true);
			expect(await trigger.take(event({ id }))).toBe(false);
		},
	);

	it('knows a delivery for its own activation, node and workflow alone', async () => {
		const deliveries = new ProcessDeliveries();
		const take = async (changes: Partial<Trigger>) => await new Trigger(changes, deliveries).take();
		expect(await take({})).toBe(true);
		expect(await take({})).toBe(false);
		expect(await take({ nodeId: 'another' })).toBe(true);
		expect(await take({ workflowId: 'another' })).toBe(true);
		const memory = remembered(subscription(2, 'ours'));
		expect(await take({ memory })).toBe(true);
		const both = { ...subscription(2, 'ours'), [OUTLINE]: { subscriptionId: 3, secretKey: 'x' } };
		expect(await take({ memory: remembered(both) })).toBe(true);
		expect(await take({ memory: remembered(structuredClone(both)) })).toBe(false);
	});

	it('knows a delivery by 48 bits of its hash, in base64url', async () => {
		const trigger = new Trigger();
		await trigger.take(event());
		await trigger.take(event({ id: 'evt_2' }));
		// printf evt_1 | openssl dgst -sha256 -binary | base64 | cut -c -8
		expect(trigger.memory.taken).toBe('fU5adurm ');
	});

	it('shares known deliveries in a process, unless a test says otherwise', async () => {
		const changes = { nodeId: randomUUID() };
		expect(await new Trigger(changes, null).take()).toBe(true);
		expect(await new Trigger(changes, null).take()).toBe(false);
	});

	it('knows a delivery from the static data, where the process has none of it', async () => {
		const trigger = new Trigger();
		expect(await trigger.take()).toBe(true);
		// The second one to come saves what the process knows.
		expect(await trigger.take()).toBe(false);
		expect(await new Trigger({ memory: structuredClone(trigger.memory) }).take()).toBe(false);
	});

	it('writes a delivery into the static data once more when n8n has begun to store the execution', async () => {
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
		// Meanwhile the second one was taken too.
		expect(saves.slice(1)).toEqual(['fU5adurm 56U65Gt4 ']);
	});

	it('writes nothing into the static data when there is nothing to add', async () => {
		const trigger = new Trigger();
		expect(await trigger.take()).toBe(true);
		await vi.runAllTimersAsync();
		expect(trigger.memory).not.toHaveProperty('taken');
	});
});

describe('a test run in the editor', () => {
	it('shows a delivery in a test run as often as it comes, and remembers none', async () => {
		const trigger = new Trigger({ mode: 'manual' });
		expect(await trigger.take()).toBe(true);
		expect(await trigger.take()).toBe(true);
		await vi.runAllTimersAsync();
		expect(trigger.memory).toEqual(remembered(subscription(1, 'ours')));
	});
});

describe('a refused delivery', () => {
	const secretWord = 'a word of the body';
	it.each<[number, string, string, object]>([
		[401, 'wrong signature', event({ secretWord }), { secret: 'wrong' }],
		[401, 'too old', event({ secretWord }), { time: NOW - 301 }],
		[401, 'no body', event({ secretWord }), { request: { rawBody: undefined } }],
		[401, 'no body', event({ secretWord }), { request: { rawBody: secretWord } }],
		[400, 'its body is not a JSON object', `{"${secretWord}`, {}],
		[400, 'its body is not a JSON object', `["${secretWord}"]`, {}],
		[400, 'its body is not a JSON object', 'null', {}],
		[400, 'its body is not a JSON object', '5', {}],
	])(
		'refuses a delivery with %i: one line in the log, %s, and nothing of its body',
		async (status, reason, body, how) => {
			const trigger = new Trigger();
			expect(await trigger.take(body, how)).toBe(status);
			expect(trigger.log).toEqual([`Portal.io Trigger: delivery refused, ${reason}`]);
			expect(trigger.memory).toEqual(remembered(subscription(1, 'ours')));
		},
	);
});

describe('the raw body', () => {
	/** A request whose body nobody has read yet. */
	const unread = (body: string) => ({
		rawBody: undefined as Buffer | undefined,
		async readRawBody(this: { rawBody: Buffer | undefined }) {
			this.rawBody = Buffer.from(body);
		},
	});

	it('reads the raw body where n8n has not read it', async () => {
		expect(await new Trigger().take(event(), { request: unread(event()) })).toBe(true);
	});

	it('reads the raw body only once', async () => {
		let reads = 0;
		const readRawBody = async () => void reads++;
		expect(await new Trigger().take(event(), { request: { readRawBody } })).toBe(true);
		expect(reads).toBe(0);
	});

	it('verifies the raw body as it is, and not as n8n has parsed it', async () => {
		const spaced = event().replaceAll(':', ' : ');
		const body = JSON.parse(event());
		expect(await new Trigger().take(spaced, { request: { body } })).toBe(true);
		expect(await new Trigger().take(event(), { request: { ...unread(spaced), body } })).toBe(401);
	});

	it.each<[string, BufferEncoding]>([
		['application/json', 'utf8'],
		['application/json', 'utf16le'],
		['text/plain', 'utf8'],
		['text/plain', 'utf16le'],
		['', 'utf8'],
	])(
		'reads a raw body with a byte order mark as n8n does: %s in %s',
		async (contentType, encoding) => {
			// What n8n's body parser makes of it; test/n8n/deliveries has n8n's own.
			const parsed = { 'application/json': JSON.parse(event()), 'text/plain': `\ufeff${event()}` };
			const request = { contentType, body: parsed[contentType as keyof typeof parsed] ?? {} };
			const body = Buffer.from(`\ufeff${event()}`, encoding);
			expect(await new Trigger().receive(body, { request })).toMatchObject([
				[{ json: { eventType: TYPE, proposalId: 7 } }],
			]);
		},
	);

	it('refuses a raw body that cannot be read', async () => {
		const readRawBody = async () => await Promise.reject(new Error('aborted'));
		const request = { rawBody: undefined, readRawBody };
		expect(await new Trigger().take(event(), { request })).toBe(401);
	});
});

describe('a memory that cannot be read', () => {
	const secretless = { [TYPE]: { subscriptionId: 1 } };
	const ours = subscription(1, 'ours');
	it.each<[string, object]>([
		['nothing', {}],
		['no format', { subscriptions: ours }],
		['the format of another version', { format: 2, subscriptions: ours }],
		['subscriptions of another type', { format: 1, subscriptions: 'ours' }],
		['a subscription of another type', { format: 1, subscriptions: { [TYPE]: null } }],
		['a subscription without its secret', { format: 1, subscriptions: secretless }],
		['a subscription with an empty secret', remembered(subscription(1, ''))],
		['a subscription without its ID', remembered({ [TYPE]: { secretKey: 'ours' } })],
	])(
		'refuses deliveries when the memory holds %s, and the log says what to do',
		async (_what, memory) => {
			const trigger = new Trigger({ memory: memory as never });
			expect(await trigger.take(event(), { secret: 'undefined' })).toBe(401);
			expect(await trigger.take()).toBe(401);
			expect(trigger.log[1]).toBe(
				'Portal.io Trigger: delivery refused, wrong signature, and this workflow knows no subscription: unpublish it and publish it again',
			);
		},
	);

	it('accepts what the rest of a memory verifies that cannot be read in part', async () => {
		const more = { [OUTLINE]: { subscriptionId: 2 } };
		for (const taken of ['x', { [NOW / 3600]: 5 }] as never[]) {
			const memory = { ...remembered({ ...ours, ...more }), taken };
			const trigger = new Trigger({ memory });
			expect(await trigger.take()).toBe(true);
			expect(await trigger.take()).toBe(false);
		}
	});
});

it.each([
	['first', TYPE],
	['second', OUTLINE],
])(
	'takes an unknown event for that of the subscription with its secret: %s',
	async (secret, type) => {
		const memory = remembered({
			[TYPE]: { subscriptionId: 1, secretKey: 'first' },
			[OUTLINE]: { subscriptionId: 2, secretKey: 'second' },
		});
		const trigger = new Trigger({ memory, parameters: { events: [TYPE, OUTLINE] } });
		expect(await trigger.receive(event({ type: 'OlderName' }), { secret })).toMatchObject([
			[{ json: { eventType: type } }],
		]);
	},
);

it('tells n8n to answer at once, with an empty body', () => {
	// docs/n8n-internals.md#when-an-event-is-safe; test/n8n/deliveries has what comes of it.
	expect(new PortalIoTrigger().description.webhooks).toMatchObject([
		{ httpMethod: 'POST', responseMode: 'onReceived', responseData: 'noData' },
	]);
});

describe('the tolerance', () => {
	const isAccepted = async (age: number, toleranceSeconds?: unknown) => {
		const trigger = new Trigger({ parameters: { options: { toleranceSeconds } as never } });
		return await trigger.take(event(), { time: NOW - age });
	};

	it.each([
		// docs/portal-api.md#webhook-deliveries: five minutes.
		[undefined, 300],
		[600, 600],
		['600', 600],
		[1, 1],
		// What could switch the check off.
		[0, 300],
		[-1, 300],
		['soon', 300],
		[Number.NaN, 300],
		[Infinity, 300],
		[null, 300],
		// 14 h 40 min: a little more than the age of the last retry.
		[1_000_000, 52_800],
		[52_800, 52_800],
	])('reads the tolerance %j as %i seconds', async (given, seconds) => {
		expect(await isAccepted(seconds, given)).toBe(true);
		expect(await isAccepted(seconds + 1, given)).toBe(401);
	});
});

describe('the secret', () => {
	const ofProcess = subscription(2, 'of the process');
	const secret = 'of the process';
	beforeEach(() => remember(new Trigger({ memory: {} }).context(), URL, 'account', ofProcess));
	afterEach(() => forget(new Trigger({ memory: {} }).context(), URL));

	it('accepts the secret that this process subscribed last, and remembers it', async () => {
		const outdated = new Trigger();
		expect(await outdated.take(event(), { secret })).toBe(true);
		expect(outdated.memory).toEqual({
			...remembered(ofProcess),
			owner: `this n8n workflow ${URL}`,
			account: 'account',
		});
		expect(outdated.log).toEqual([]);
	});

	it('accepts the secret of an address that n8n does not name', async () => {
		const nameless = new Trigger({ memory: {}, url: undefined });
		remember(nameless.context(), '', 'account', ofProcess);
		expect(await new Trigger({ url: undefined }).take(event(), { secret })).toBe(true);
		forget(nameless.context(), '');
	});

	it('refuses the secret of another address', async () => {
		for (const url of [`${URL}/other`, undefined]) {
			const elsewhere = new Trigger({ url });
			expect(await elsewhere.take(event(), { secret })).toBe(401);
			expect(elsewhere.memory).toEqual(remembered(subscription(1, 'ours')));
		}
	});

	it('keeps the subscriptions that the process does not know when a delivery is right by both', async () => {
		const both = remembered({ ...ofProcess, [OUTLINE]: { subscriptionId: 3, secretKey: 'more' } });
		const trigger = new Trigger({ memory: structuredClone(both) });
		expect(await trigger.take(event(), { secret })).toBe(true);
		expect(trigger.memory).toEqual(both);
	});

	it('keeps the secret when a delivery is wrong by both', async () => {
		const trigger = new Trigger();
		expect(await trigger.take(event(), { secret: 'wrong' })).toBe(401);
		expect(trigger.log).toEqual(['Portal.io Trigger: delivery refused, wrong signature']);
		expect(trigger.memory).toEqual(remembered(subscription(1, 'ours')));
	});

	it('keeps the secret when a delivery is right by the static data', async () => {
		const trigger = new Trigger();
		expect(await trigger.take()).toBe(true);
		expect(trigger.memory).toEqual(remembered(subscription(1, 'ours')));
	});

	it('refuses what is too old by the secret of the process', async () => {
		const trigger = new Trigger();
		expect(await trigger.take(event(), { secret, time: NOW - 301 })).toBe(401);
		expect(trigger.memory).toEqual(remembered(subscription(1, 'ours')));
	});

	it('refuses the secret of the active workflow in a test run in the editor', async () => {
		const testing = new Trigger({ mode: 'manual' });
		expect(await testing.take(event(), { secret })).toBe(401);
		expect(testing.memory).toEqual(remembered(subscription(1, 'ours')));
		expect(await testing.take()).toBe(true);
	});
});
