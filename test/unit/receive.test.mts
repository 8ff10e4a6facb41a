/** What the webhook trigger does with one delivery: let it in, acknowledge it, or refuse it. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProcessDeliveries } from '../../nodes/PortalIoTrigger/deduplicate.ts';
import { PortalIoTrigger } from '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';
import { event, NOW, OUTLINE, subscription, Trigger, TYPE } from './receivingTrigger.mts';

beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }));
afterEach(() => void vi.useRealTimers());

describe('a delivery is known', () => {
	it('by its ID, whatever else it says', async () => {
		const trigger = new Trigger();
		expect(await trigger.take(event())).toBe(true);
		expect(await trigger.take(event({ created: 'later' }))).toBe(false);
		expect(await trigger.take(event({ id: 'evt_2' }))).toBe(true);
	});

	it.each([[undefined], [''], [5], [null], [{}]])(
		'by all of its bytes with the ID %j',
		async (id) => {
			const trigger = new Trigger();
			expect(await trigger.take(event({ id }))).toBe(true);
			expect(await trigger.take(event({ id, created: 'later' }))).toBe(true);
			expect(await trigger.take(event({ id }))).toBe(false);
		},
	);

	it('to its own activation, node and workflow alone', async () => {
		const deliveries = new ProcessDeliveries();
		const take = async (changes: Partial<Trigger>) => await new Trigger(changes, deliveries).take();
		expect(await take({})).toBe(true);
		expect(await take({})).toBe(false);
		expect(await take({ nodeId: 'another' })).toBe(true);
		expect(await take({ workflowId: 'another' })).toBe(true);
		const memory = { subscriptions: subscription(2, 'ours') };
		expect(await take({ memory })).toBe(true);
		const both = { ...memory.subscriptions, [OUTLINE]: { subscriptionId: 3, secretKey: 'x' } };
		expect(await take({ memory: { subscriptions: both } })).toBe(true);
		expect(await take({ memory: { subscriptions: structuredClone(both) } })).toBe(false);
	});

	it('by 48 bits of its hash, in base64url', async () => {
		const trigger = new Trigger();
		await trigger.take(event());
		await trigger.take(event({ id: 'evt_2' }));
		// printf evt_1 | openssl dgst -sha256 -binary | base64 | cut -c -8
		expect(trigger.memory.taken).toEqual({ [NOW / 3600]: 'fU5adurm ' });
	});

	it('to all deliveries of a process, unless a test says otherwise', async () => {
		const changes = { nodeId: 'of this test alone' };
		expect(await new Trigger(changes, null).take()).toBe(true);
		expect(await new Trigger(changes, null).take()).toBe(false);
	});

	it('from the static data, where the process has none of it', async () => {
		const trigger = new Trigger();
		expect(await trigger.take()).toBe(true);
		// The second one to come saves what the process knows.
		expect(await trigger.take()).toBe(false);
		expect(await new Trigger({ memory: structuredClone(trigger.memory) }).take()).toBe(false);
	});

	it.each([199, 300, 500])('only once n8n has answered it with success: not %i', async (status) => {
		const trigger = new Trigger();
		expect(await trigger.take(event(), { status })).toBe(true);
		expect(await trigger.take(event(), { status: 299 })).toBe(true);
		expect(await trigger.take()).toBe(false);
	});

	it('in the static data once more when n8n has begun to store the execution', async () => {
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
		expect(saves).toEqual([{ [NOW / 3600]: 'fU5adurm ' }]);
		await vi.runAllTimersAsync();
		// Meanwhile the second one was taken too.
		expect(saves.slice(1)).toEqual([{ [NOW / 3600]: 'fU5adurm 56U65Gt4 ' }]);
	});

	it('without a word in the static data when there is nothing to add', async () => {
		const trigger = new Trigger();
		expect(await trigger.take()).toBe(true);
		await vi.runAllTimersAsync();
		expect(trigger.memory).not.toHaveProperty('taken');
	});
});

describe('a test run in the editor', () => {
	it('shows a delivery as often as it comes, and remembers none', async () => {
		const trigger = new Trigger({ mode: 'manual' });
		expect(await trigger.take()).toBe(true);
		expect(await trigger.take()).toBe(true);
		await vi.runAllTimersAsync();
		expect(trigger.memory).toEqual({ subscriptions: subscription(1, 'ours') });
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
		'%i: leaves one line in the log, %s, and nothing of its body',
		async (status, reason, body, how) => {
			const trigger = new Trigger();
			expect(await trigger.take(body, how)).toBe(status);
			expect(trigger.log).toEqual([`Portal.io Trigger: delivery refused, ${reason}`]);
			expect(trigger.memory).toEqual({ subscriptions: subscription(1, 'ours') });
		},
	);

	it('does not keep the next one out', async () => {
		const trigger = new Trigger();
		expect(await trigger.take(event(), { secret: 'wrong' })).toBe(401);
		expect(await trigger.take()).toBe(true);
		expect(trigger.log).toHaveLength(1);
	});
});

describe('the raw body', () => {
	/** A request whose body nobody has read yet. */
	const unread = (body: string) => ({
		rawBody: undefined as Buffer | undefined,
		async readRawBody(this: { rawBody: Buffer | undefined }) {
			this.rawBody = Buffer.from(body);
		},
	});

	it('is read by the trigger where n8n has not read it', async () => {
		expect(await new Trigger().take(event(), { request: unread(event()) })).toBe(true);
	});

	it('is not read a second time', async () => {
		let reads = 0;
		const readRawBody = async () => void reads++;
		expect(await new Trigger().take(event(), { request: { readRawBody } })).toBe(true);
		expect(reads).toBe(0);
	});

	it('is verified as it is, and not as n8n has parsed it', async () => {
		const spaced = event().replaceAll(':', ' : ');
		const body = JSON.parse(event());
		expect(await new Trigger().take(spaced, { request: { body } })).toBe(true);
		expect(await new Trigger().take(event(), { request: { ...unread(spaced), body } })).toBe(401);
	});

	it('that cannot be read is refused', async () => {
		const readRawBody = async () => await Promise.reject(new Error('aborted'));
		const request = { rawBody: undefined, readRawBody };
		expect(await new Trigger().take(event(), { request })).toBe(401);
		expect(await new Trigger().take(event(), { request: { rawBody: undefined } })).toBe(401);
	});
});

it('n8n is told to answer at once, with an empty body', () => {
	// docs/n8n-internals.md#when-an-event-is-safe; test/n8n/deliveries has what comes of it.
	expect(new PortalIoTrigger().description.webhooks).toMatchObject([
		{ httpMethod: 'POST', responseMode: 'onReceived', responseData: 'noData' },
	]);
});

describe('what the workflow starts with', () => {
	const jsonOf = async (trigger: Trigger, body = event()) => {
		const outcome = await trigger.receive(body);
		expect(outcome).toEqual([[{ json: expect.anything() }]]);
		return (outcome as { json: object }[][])[0]![0]!.json;
	};
	const accepted = event({ data: { id: 7, name: 'Den', status: 'Accepted' } });
	/** A service that has the proposal 7 with another status, or refuses to show it. */
	const withService = (statusCode = 200) => ({
		getCredentials: async () => ({ appKey: 'a', secretKey: 'b', username: 'c', password: 'd' }),
		helpers: {
			httpRequestWithAuthentication: async () => ({
				statusCode,
				headers: {},
				body: { id: 7, name: 'Ground floor', status: 'Completed', errorCode: 'X', message: 'No' },
			}),
		},
	});
	const fetched = { options: { fetchProposal: true } };

	it('is the event as it came, when it is not simplified', async () => {
		const trigger = new Trigger({ parameters: { simplify: false } });
		expect(await jsonOf(trigger, accepted)).toEqual(JSON.parse(accepted));
	});

	it('is the flat proposal and what happened, when it is', async () => {
		const json = await jsonOf(new Trigger(), accepted);
		expect(json).toMatchObject({
			name: 'Den',
			status: 'Accepted',
			eventTime: JSON.parse(accepted).created,
		});
		expect(json).not.toHaveProperty('proposal');
	});

	it('is that also where an expression gives nothing', async () => {
		const parameters = { simplify: null, options: { fetchProposal: null } } as never;
		const json = await jsonOf(new Trigger({ parameters, more: withService() }), accepted);
		expect(json).toMatchObject({ name: 'Den', status: 'Accepted' });
	});

	it('has the fetched proposal, with the status that the event reports', async () => {
		const trigger = new Trigger({ parameters: fetched, more: withService() });
		expect(await jsonOf(trigger, accepted)).toMatchObject({
			name: 'Ground floor',
			status: 'Accepted',
		});
		const other = event({ id: 'evt_2', data: { id: 7 } });
		expect(await jsonOf(trigger, other)).toMatchObject({ status: 'Completed' });
		const raw = new Trigger({ parameters: { ...fetched, simplify: false }, more: withService() });
		expect(await jsonOf(raw, accepted)).toMatchObject({
			...JSON.parse(accepted),
			proposal: { name: 'Ground floor', status: 'Completed' },
		});
	});

	it('says why the proposal could not be fetched', async () => {
		const trigger = new Trigger({ parameters: fetched, more: withService(404) });
		const proposalError = 'No record found with this ID';
		const json = await jsonOf(trigger, accepted);
		expect(json).toMatchObject({ name: 'Den', status: 'Accepted', proposalError });
		expect(json).not.toHaveProperty('proposal');
	});
});

describe('an event that nobody asked for', () => {
	it('is acknowledged and starts nothing', async () => {
		const trigger = new Trigger();
		expect(await trigger.take(event({ type: OUTLINE }))).toBe(false);
		expect(await trigger.take(event())).toBe(true);
	});

	it('is one of another status', async () => {
		const trigger = new Trigger({
			parameters: { events: [TYPE, OUTLINE], statuses: ['Accepted'] },
		});
		const take = async (id: string, data: object, type = TYPE) =>
			await trigger.take(event({ id, data, type }));
		expect(await take('evt_1', { status: 'Declined' })).toBe(false);
		expect(await take('evt_2', { status: 'Accepted' })).toBe(true);
		expect(await take('evt_3', { status: 5 })).toBe(true);
		// The status of an outline is none of a proposal.
		expect(await take('evt_4', { proposal: { status: 'Declined' } }, OUTLINE)).toBe(true);
	});

	it('is none without a type', async () => {
		expect(await new Trigger().take(event({ type: undefined }))).toBe(true);
		expect(await new Trigger().take(event({ type: 5 }))).toBe(true);
	});
});
