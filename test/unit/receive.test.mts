/** One delivery to the webhook trigger: it starts the workflow, is acknowledged, or is refused. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openMemory, remember } from '../../nodes/PortalIoTrigger/memory.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';
import {
	event,
	NOW,
	OUTLINE,
	remembered,
	subscription,
	Trigger,
	TYPE,
} from './receivingTrigger.mts';

beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }));
afterEach(() => void vi.useRealTimers());

describe('a repeated delivery', () => {
	it.each([['evt_1'], ['5'], [5], [0], [-1.5], ['9007199254740993']])(
		'recognizes a repeated delivery by its ID alone: %j',
		async (id) => {
			const trigger = new Trigger();
			expect(await trigger.take(event({ id }))).toBe(true);
			expect(await trigger.take(event({ id, created: 'later', data: {} }))).toBe(false);
			expect(await trigger.take(event({ id: String(id) }))).toBe(false);
			expect(await trigger.take(event({ id: 6 }))).toBe(true);
		},
	);

	it('recognizes a repeated delivery by a numeric ID that JavaScript cannot represent', async () => {
		const trigger = new Trigger();
		const body = (id: string, created: string) =>
			event({ created }).replace('"evt_1"', id).replace(':', ' : ');
		expect(await trigger.take(body('9007199254740993', ''))).toBe(true);
		expect(await trigger.take(body('9007199254740992', ''))).toBe(true);
		expect(await trigger.take(body('9007199254740993', 'later'))).toBe(false);
	});

	it.each([[undefined], [''], [null], [{}], [true]])(
		'recognizes a repeated delivery by all of its bytes with the ID %j',
		async (id) => {
			const trigger = new Trigger();
			expect(await trigger.take(event({ id }))).toBe(true);
			expect(await trigger.take(event({ id, created: 'later' }))).toBe(true);
			expect(await trigger.take(event({ id }))).toBe(false);
		},
	);

	it('recognizes a repeated delivery at its own address and node alone', async () => {
		const nodes = new Map();
		const take = async (changes: Partial<Trigger>) => await new Trigger(changes, nodes).take();
		expect(await take({})).toBe(true);
		expect(await take({})).toBe(false);
		expect(await take({ nodeId: 'another' })).toBe(true);
		expect(await take({ url: 'https://n8n.example.com/webhook/2/webhook' })).toBe(true);
	});

	it('shows a repeated delivery in each test run, and remembers none', async () => {
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
			expect(trigger.log).toEqual([`Portal.io Trigger: delivery rejected: ${reason}`]);
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

	it('reads the raw body where n8n has not read it, and only there', async () => {
		expect(await new Trigger().take(event(), { request: unread(event()) })).toBe(true);
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
			// The body as n8n's parser returns it; test/n8n/deliveries uses n8n's own parser.
			const parsed = { 'application/json': JSON.parse(event()), 'text/plain': `\ufeff${event()}` };
			const request = { contentType, body: parsed[contentType as keyof typeof parsed] ?? {} };
			const body = Buffer.from(`\ufeff${event()}`, encoding);
			expect(await new Trigger().receive(body, { request })).toMatchObject([
				[{ json: { eventType: TYPE, proposalId: 7 } }],
			]);
		},
	);

	it('refuses a delivery whose body cannot be read', async () => {
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
		['no subscriptions', { format: 1, subscriptions: null }],
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
				'Portal.io Trigger: delivery rejected: wrong signature, and this workflow has no stored subscription: unpublish it and publish it again',
			);
		},
	);

	it('accepts a delivery that the readable part of a memory verifies', async () => {
		const more = { [OUTLINE]: { subscriptionId: 2 } };
		for (const taken of ['x', { [NOW / 3600]: 5 }] as never[]) {
			const trigger = new Trigger({ memory: { ...remembered({ ...ours, ...more }), taken } });
			expect(await trigger.take()).toBe(true);
			expect(await trigger.take()).toBe(false);
		}
	});
});

it('makes n8n answer at once, with an empty body', () => {
	// docs/dev/n8n-internals.md#when-an-event-is-safe; test/n8n/deliveries has what comes of it.
	expect(new PortalIoTrigger().description.webhooks).toMatchObject([
		{ httpMethod: 'POST', responseMode: 'onReceived', responseData: 'noData' },
	]);
});

describe('the tolerance', () => {
	it.each([
		// docs/dev/portal-api.md#webhook-deliveries: five minutes.
		[undefined, 300],
		['600', 600],
		[1, 1],
		// Values that could turn the check off.
		[0, 300],
		[-1, 300],
		['soon', 300],
		[Infinity, 300],
		[null, 300],
		// 14 h 40 min: a little more than the age of the last retry.
		[1_000_000, 52_800],
		[52_800, 52_800],
	])('reads the tolerance %j as %i seconds', async (toleranceSeconds, seconds) => {
		const trigger = new Trigger({ parameters: { options: { toleranceSeconds } as never } });
		expect(await trigger.take(event(), { time: NOW - seconds })).toBe(true);
		expect(await trigger.take(event(), { time: NOW - seconds - 1 })).toBe(401);
	});
});

describe('static data from before the last publication', () => {
	/** A process that has published the trigger, whose static data a slow delivery then restored. */
	const published = () => {
		const nodes = new Map();
		const trigger = new Trigger({}, nodes);
		const subscriptions = subscription(2, 'new');
		remember(openMemory(trigger.context(), nodes), { owner: 'us', account: 'ours', subscriptions });
		return { nodes, outdated: new Trigger({}, nodes), current: trigger.memory };
	};

	it('replaces outdated static data by what the process knows', async () => {
		const { outdated, current } = published();
		expect(await outdated.take(event(), { secret: 'new' })).toBe(true);
		expect(outdated.memory).toMatchObject(current);
		expect(outdated.log).toEqual([]);
	});

	it('uses newer static data of another process', async () => {
		const { nodes } = published();
		const memory = { ...remembered(subscription(3, 'newer')), subscribedAt: NOW * 1000 + 1 };
		const elsewhere = new Trigger({ memory }, nodes);
		expect(await elsewhere.take(event(), { secret: 'newer' })).toBe(true);
		expect(await elsewhere.take(event(), { secret: 'new' })).toBe(401);
	});

	it('uses the static data of a test run in the editor, not those of the process', async () => {
		const { nodes } = published();
		const testing = new Trigger({ mode: 'manual' }, nodes);
		expect(await testing.take(event(), { secret: 'new' })).toBe(401);
		expect(await testing.take()).toBe(true);
	});
});
