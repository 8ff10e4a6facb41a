import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fileService, seed, type AccountName } from './account.mts';
import { digest, signedHeaders } from './deliver.mts';
import { triggerNode } from '../../testbed/nodeRunner.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

const ALL = [
	'proposal.build.status_update',
	'proposal.outline.status_update',
	'proposal.status_changed',
];
const URL = 'http://127.0.0.1:5678/webhook/a-webhook-id/webhook';
/** Taken, and nothing started. */
const ACKNOWLEDGED = { answer: { status: 200, ended: true } };

const service = fileService();
beforeEach(() => {
	service.control.deleteSubscriptions();
	service.control.clearFaults();
	service.control.clearRequests();
});

const trigger = (parameters: object = {}, webhookBaseUrl?: string) =>
	triggerNode({
		credential: service.account,
		parameters: { events: ALL, simplify: false, ...parameters },
		...(webhookBaseUrl && { webhookBaseUrl }),
	});
const subscribed = () =>
	service.control.subscriptions().map(({ url, events, is_enabled }) => [url, events, is_enabled]);
const isSecond = ({ events }: { events?: unknown }) => events === ALL[1];
/** Changes the subscription for the second event at the service. */
const changeSecond = (changes: { isEnabled?: boolean; events?: string }) =>
	service.control.updateSubscriptions(changes, isSecond);
/** As n8n activates a workflow. */
const activate = async (node: ReturnType<typeof trigger>) => {
	if (!(await node.checkExists())) await node.create();
};

describe('the subscriptions of a trigger', () => {
	it('are one for each event, also after a second activation', async () => {
		const node = trigger();
		await activate(node);
		const wanted = ALL.map((event) => [URL, event, 1]);
		expect(subscribed()).toEqual(wanted);
		service.control.clearRequests();
		await activate(node);
		expect(subscribed()).toEqual(wanted);
		expect(service.control.requests.map(({ method }) => method)).toEqual(['GET']);
	});

	it('go when the workflow is deactivated, and those of others stay', async () => {
		const other = triggerNode({ credential: service.account, parameters: { events: [ALL[2]!] } });
		await activate(other);
		service.control.updateSubscriptions({ url: 'https://n8n.example.com/webhook/other' });
		const node = trigger();
		await activate(node);
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([['https://n8n.example.com/webhook/other', ALL[2], 1]]);
		expect(node.staticData()).toEqual({});
	});

	it('cannot be for no event at all', async () => {
		await expect(activate(trigger({ events: [] }))).rejects.toThrow("'Trigger On' is empty");
	});

	it('follow the events that are chosen', async () => {
		const node = trigger();
		await activate(node);
		node.node.parameters.events = [ALL[2]!, ALL[0]!];
		await activate(node);
		expect(
			subscribed()
				.map(([, event]) => event)
				.sort(),
		).toEqual([ALL[0], ALL[2]]);
	});

	it.each([
		['disabled', () => changeSecond({ isEnabled: false })],
		['deleted', () => service.control.deleteSubscriptions(isSecond)],
	])('are restored when one was %s at the service', async (_how, change) => {
		const node = trigger();
		await activate(node);
		change();
		await activate(node);
		expect(subscribed().sort()).toEqual(ALL.map((event) => [URL, event, 1]));
	});

	it('are replaced when their secret is not known', async () => {
		await activate(trigger());
		const before = service.control.subscriptions().map(({ id }) => id);
		const forgetful = trigger();
		await activate(forgetful);
		expect(subscribed().sort()).toEqual(ALL.map((event) => [URL, event, 1]));
		for (const { id } of service.control.subscriptions()) expect(before).not.toContain(id);
	});

	it('are none when creating them fails half-way', async () => {
		// The service knows the first two and refuses the third.
		const node = trigger({ events: [ALL[0]!, ALL[1]!, 'proposal.no_such_event'] });
		await expect(activate(node)).rejects.toMatchObject({ httpCode: '400' });
		const statuses = service.control.requests.map(({ method, status }) => `${method} ${status}`);
		expect(statuses.filter((one) => one === 'POST 200')).toHaveLength(2);
		expect(subscribed()).toEqual([]);
		expect(node.staticData()).toEqual({});
	});

	it('are the same when the service writes their address in another way', async () => {
		const node = trigger();
		await activate(node);
		service.control.updateSubscriptions({ url: `${URL.replace('http://', 'HTTP://')} ` });
		service.control.clearRequests();
		await activate(node);
		expect(service.control.requests.map(({ method }) => method)).toEqual(['GET']);
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([]);
	});

	it('move when n8n is reached at another address, and those of others there stay', async () => {
		const node = trigger();
		await activate(node);
		// Somebody who was given the old address meanwhile.
		service.control.addSubscription({ url: URL, events: ALL[0]! });
		node.moveTo('http://localhost:5678/webhook');
		await activate(node);
		expect(subscribed()).toEqual([
			[URL, ALL[0], 1],
			...ALL.map((event) => [URL.replace('127.0.0.1', 'localhost'), event, 1]),
		]);
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([[URL, ALL[0], 1]]);
	});

	it('are not known by their ID alone, which another account may have given', async () => {
		const node = trigger();
		await activate(node);
		service.control.updateSubscriptions({ url: 'https://n8n.example.com/webhook/other' });
		await activate(node);
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual(
			ALL.map((event) => ['https://n8n.example.com/webhook/other', event, 1]),
		);
	});

	it.each([
		['for several events', `${ALL[1]},${ALL[0]}`],
		['for another event', ALL[0]!],
	])('are replaced when one was changed to be %s', async (_how, events) => {
		const node = trigger();
		await activate(node);
		changeSecond({ events });
		await activate(node);
		expect(subscribed().sort()).toEqual(ALL.map((event) => [URL, event, 1]));
	});

	it('that cannot be removed after a failure are named, and the others go all the same', async () => {
		const node = trigger({ events: [ALL[0]!, ALL[1]!, 'proposal.no_such_event'] });
		service.control.failNext({ operationId: 'webhookSubscription.delete', status: 403, times: 1 });
		await expect(activate(node)).rejects.toMatchObject({ httpCode: '400' });
		expect(subscribed()).toHaveLength(1);
		await activate(trigger());
		expect(subscribed().sort()).toEqual(ALL.map((event) => [URL, event, 1]));
	});

	it('that worked before stay when creating others fails', async () => {
		const node = trigger({ events: [ALL[0]!] });
		await activate(node);
		const before = service.control.subscriptions();
		node.node.parameters.events = [ALL[0]!, ALL[1]!, 'proposal.no_such_event'];
		await expect(activate(node)).rejects.toMatchObject({ httpCode: '400' });
		expect(service.control.subscriptions()).toEqual(before);
	});

	it('stay remembered when one cannot be removed, and go the next time', async () => {
		const node = trigger();
		await activate(node);
		service.control.failNext({ operationId: 'webhookSubscription.delete', status: 403, times: 1 });
		await expect(node.delete()).rejects.toMatchObject({ httpCode: '403' });
		expect(node.staticData()).toHaveProperty('subscriptions');
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([]);
		expect(node.staticData()).toEqual({});
	});

	it.each([
		['disabled', { isEnabled: false }],
		['changed', { events: ALL[0]! }],
	])('go although somebody has %s one meanwhile', async (_how, changes) => {
		const node = trigger();
		await activate(node);
		changeSecond(changes);
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([]);
	});

	it('are called as the user says, and by the name of the workflow otherwise', async () => {
		const descriptions = () =>
			service.control.subscriptions().map(({ description }) => description);
		const node = trigger({ events: [ALL[0]!] });
		await activate(node);
		expect(descriptions()).toEqual([expect.stringMatching(/^n8n: ./)]);
		await node.delete();
		await activate(trigger({ events: [ALL[0]!], options: { description: 'To the office' } }));
		expect(descriptions()).toEqual(['To the office']);
	});

	it('that are already gone are removed without complaint', async () => {
		const node = trigger();
		await activate(node);
		service.control.failNext({ operationId: 'webhookSubscription.delete', status: 400, times: 1 });
		expect(await node.delete()).toBe(true);
	});

	it('stay remembered when the service cannot be asked, and go the next time', async () => {
		const node = trigger();
		await activate(node);
		service.control.failNext({ operationId: 'webhookSubscription.getMany', status: 500, times: 1 });
		// n8n tries again after an error, and says in the editor what could not be removed.
		await expect(node.delete()).rejects.toMatchObject({ httpCode: '500' });
		expect(node.staticData()).toHaveProperty('subscriptions');
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([]);
	});

	it('are none when an answer was lost: what was created without our hearing of it goes too', async () => {
		const node = trigger();
		service.control.failNext({
			operationId: 'webhookSubscription.create',
			when: 'after',
			status: 502,
			times: 1,
		});
		await expect(activate(node)).rejects.toMatchObject({ httpCode: '502' });
		expect(subscribed()).toEqual([]);
		await activate(node);
		expect(subscribed()).toEqual(ALL.map((event) => [URL, event, 1]));
	});

	it('are none when the service does not tell a secret', async () => {
		service.control.failNext({
			operationId: 'webhookSubscription.create',
			when: 'after',
			status: 200,
			body: { subscriptionId: 1, url: URL, enabled: true, events: [ALL[0]] },
			times: 1,
		});
		const node = trigger();
		await expect(activate(node)).rejects.toThrow('did not return its secret');
		expect(subscribed()).toEqual([]);
		expect(node.staticData()).toEqual({});
	});

	it.each([
		['http://n8n.example.com/webhook', 'not https'],
		['http://localhost:5678/webhook', 'not a public address'],
		['https://192.168.1.20/webhook', 'not a public address'],
		['https://169.254.10.1/webhook', 'not a public address'],
		['https://[fd00::1]/webhook', 'not a public address'],
		['https://n8n.local/webhook', 'not a public address'],
	])('are not even tried with the address %s', async (address, reason) => {
		// With the service itself; the simulator on this machine may deliver to this machine.
		const production = service.credential('dealer', { environment: 'production' });
		const node = triggerNode({
			credential: production,
			parameters: { events: ALL },
			webhookBaseUrl: address,
		});
		service.control.clearRequests();
		await expect(node.create()).rejects.toMatchObject({
			// The message alone: it is all that n8n shows at an activation.
			message: expect.stringMatching(
				new RegExp(`which is ${reason}: .*WEBHOOK_URL.*'Portal\\.io Polling Trigger'`),
			),
			description: expect.stringContaining(address),
		});
		expect(service.control.requests).toEqual([]);
	});

	it('are refused at a private address by the simulator too', async () => {
		const node = trigger({}, 'http://10.0.0.8:5678/webhook');
		await expect(activate(node)).rejects.toThrow('not a public address');
	});

	it('are asked for, and not guessed, when the service does not answer', async () => {
		service.control.failNext({ operationId: 'webhookSubscription.getMany', status: 500, times: 1 });
		await expect(trigger().checkExists()).rejects.toMatchObject({ httpCode: '500' });
		expect(subscribed()).toEqual([]);
	});
});

describe('a delivery', () => {
	const secretOf = (event: string) =>
		String(service.control.subscriptions().find(({ events }) => events === event)!.secret_key);
	const body = JSON.stringify({
		id: 'evt_1',
		type: 'proposal.status_changed',
		created: '2026-04-06T00:22:19Z',
		data: { id: seed.proposals.accepted, status: 'Accepted', name: 'Küche' },
	});
	const now = () => Math.floor(Date.now() / 1000);
	const deliver = async (
		node: ReturnType<typeof trigger>,
		{ text = body, time = now(), event = ALL[2]!, canStore = true } = {},
	) => {
		const headers = signedHeaders(secretOf(event), text, time);
		return await node.receive(headers, Buffer.from(text), { canStore });
	};
	const active = async (parameters: object = {}) => {
		const node = trigger(parameters);
		await activate(node);
		return node;
	};

	it('starts the workflow with the event, untouched', async () => {
		expect(await deliver(await active())).toEqual({
			workflowData: [[{ json: JSON.parse(body) }]],
			answer: { status: 200, ended: true },
		});
	});

	it('is accepted under the secret of any of its subscriptions', async () => {
		expect(await deliver(await active(), { event: ALL[0]! })).toHaveProperty('workflowData');
	});

	it.each<[string, (node: ReturnType<typeof trigger>) => Promise<object>]>([
		['without a signature', (node) => node.receive({}, Buffer.from(body))],
		[
			'with a wrong signature',
			(node) =>
				node.receive(
					{
						'x-webhook-signature': `t=${now()},v1=${digest('another secret', `${now()}.${body}`)}`,
					},
					Buffer.from(body),
				),
		],
		[
			'with a changed body',
			(node) =>
				node.receive(
					{
						'x-webhook-signature': `t=${now()},v1=${digest(secretOf(ALL[2]!), `${now()}.${body}`)}`,
					},
					Buffer.from(body.replace('Accepted', 'Declined')),
				),
		],
		['that is six minutes old', (node) => deliver(node, { time: now() - 360 })],
		['that is from the future', (node) => deliver(node, { time: now() + 360 })],
	])('is refused with 401 and nothing else %s', async (_case, attempt) => {
		const outcome = await attempt(await active());
		expect(outcome).toEqual({ noWebhookResponse: true, answer: { status: 401, ended: true } });
	});

	it('is refused by a node that has no subscription', async () => {
		await active();
		const stranger = trigger({}, 'http://127.0.0.1:5678/elsewhere');
		expect(await deliver(stranger)).toMatchObject({ answer: { status: 401 } });
	});

	it.each(['not json', '', '[]', '[{}]', 'null', '"text"', '5', 'true', '{"id":"evt_1"'])(
		'is refused with 400 when it is signed and no JSON object: %s',
		async (text) => {
			expect(await deliver(await active(), { text })).toEqual({
				noWebhookResponse: true,
				answer: { status: 400, ended: true },
			});
		},
	);

	it('is refused when n8n has kept no bytes of it, as of a form with files', async () => {
		const node = await active();
		const header = `t=${now()},v1=${digest(secretOf(ALL[2]!), `${now()}.`)}`;
		const nothing = undefined as unknown as Buffer;
		const outcome = await node.receive({ 'x-webhook-signature': header }, nothing);
		expect(outcome).toEqual({ noWebhookResponse: true, answer: { status: 401, ended: true } });
	});

	it('is acknowledged and starts nothing for a status or an event not asked for', async () => {
		const choosy = await active({ statuses: ['Declined'] });
		expect(await deliver(choosy)).toEqual(ACKNOWLEDGED);
		const other = await active({ events: [ALL[0]!] });
		expect(await deliver(other, { event: ALL[0]! })).toEqual(ACKNOWLEDGED);
	});

	it('passes the statuses asked for, labels that mean one, and what has none', async () => {
		const choosy = await active({ statuses: ['Accepted'] });
		const wanted = [{ status: 'Accepted' }, { status: 'Approved' }, { anything: 1 }];
		for (const [index, data] of wanted.entries()) {
			const text = JSON.stringify({ id: `evt_${index}`, type: ALL[2], created: '', data });
			expect(await deliver(choosy, { text })).toHaveProperty('workflowData');
		}
	});

	it('comes with the full proposal, or with the reason why not', async () => {
		const node = await active({ options: { fetchProposal: true } });
		const { workflowData } = await deliver(node);
		expect(workflowData![0]![0]!.json.proposal).toEqual(
			service.control.proposal(seed.proposals.accepted),
		);
		const text = body
			.replace(String(seed.proposals.accepted), '99999999')
			.replace('evt_1', 'evt_2');
		const missing = await deliver(node, { text });
		expect(missing.workflowData![0]![0]!.json).toMatchObject({
			type: ALL[2],
			proposal: null,
			proposalError: 'No record found with this ID',
		});
	});

	describe('comes within ten seconds with the reason why the proposal', () => {
		const LIMIT = { timeout: 10_000 };
		const isLate = 'Portal.io did not return the proposal within 5 seconds';
		const reads = () =>
			service.control.requests.filter(({ operationId }) => operationId === 'proposal.get');
		/** Each with an account of its own, which the others do not slow down. */
		const fetching = async (account: AccountName, host = '127.0.0.1') => {
			const baseUrl = service.simulator.url.replace('127.0.0.1', host);
			const node = triggerNode({
				credential: service.credential(account, { baseUrl }),
				parameters: { events: ALL, simplify: false, options: { fetchProposal: true } },
			});
			await activate(node);
			service.control.clearRequests();
			return node;
		};
		const errorOf = async (node: ReturnType<typeof trigger>, text = body) => {
			const { workflowData, answer } = await deliver(node, { text });
			expect(answer).toEqual({ status: 200, ended: true });
			const { proposal, proposalError, ...event } = workflowData![0]![0]!.json;
			expect(event).toEqual(JSON.parse(text));
			expect(proposal).toBeNull();
			return proposalError;
		};

		it('is not read again after a failure', LIMIT, async () => {
			const node = await fetching('dealer');
			service.control.failNext({ operationId: 'proposal.get', status: 503, times: 4 });
			expect(await errorOf(node)).toMatch(/Portal\.io/);
			expect(reads()).toHaveLength(1);
		});

		it('has to wait for a rate limit', LIMIT, async () => {
			const node = await fetching('otherDealer');
			const headers = { 'Retry-After': '60' };
			service.control.failNext({ operationId: 'proposal.get', status: 429, headers });
			expect(await errorOf(node)).not.toBe(isLate);
			expect(reads()).toHaveLength(1);
			expect(await errorOf(node, body.replace('evt_1', 'evt_2'))).toBe(isLate);
			expect(reads()).toHaveLength(1);
		});

		it('does not arrive', LIMIT, async () => {
			const node = await fetching('dealer', 'localhost');
			service.control.failNext({ operationId: 'proposal.get', delayMs: 60_000 });
			expect(await errorOf(node)).toBeTypeOf('string');
			expect(reads()).toHaveLength(1);
		});

		it('arrives by half', LIMIT, async () => {
			const node = await fetching('dealer', 'localhost');
			service.control.failNext({ operationId: 'proposal.get', spoil: 'stuck' });
			expect(await errorOf(node)).toBe(isLate);
			expect(reads()).toHaveLength(1);
		});

		it('needs a new key that does not arrive', LIMIT, async () => {
			const node = await fetching('otherDealer', 'localhost');
			service.control.failNext({ operationId: 'proposal.get', expireKeys: true });
			service.control.failNext({
				operationId: 'authentication.exchangeKey',
				spoil: 'stuck',
			});
			expect(await errorOf(node)).toBe(isLate);
			expect(service.control.requests.map(({ operationId }) => operationId)).toEqual([
				'proposal.get',
				'authentication.exchangeKey',
			]);
		});
	});

	it('may be older with a greater tolerance', async () => {
		const patient = await active({ options: { toleranceSeconds: 600 } });
		expect(await deliver(patient, { time: now() - 360 })).toHaveProperty('workflowData');
	});

	it('may be as old as the last retry, and not so old that it is no longer remembered', async () => {
		// docs/portal-api.md#webhook-deliveries: 1 min, 5 min, 30 min, 2 h, 12 h after one another.
		const lastRetry = (1 + 5 + 30 + 2 * 60 + 12 * 60) * 60;
		const node = await active({ options: { toleranceSeconds: 1_000_000 } });
		expect(await deliver(node, { time: now() - lastRetry })).toHaveProperty('workflowData');
		const remembered = 15 * 3600;
		// It may have come with a time a minute ahead.
		for (const age of [remembered - 60, remembered, 900_000]) {
			expect(await deliver(node, { time: now() - age })).toMatchObject({ answer: { status: 401 } });
		}
	});

	it.each([0, -1, 'soon', null])(
		'is refused when old also with the tolerance %o',
		async (given) => {
			const node = await active({ options: { toleranceSeconds: given } });
			expect(await deliver(node, { time: now() - 360 })).toMatchObject({ answer: { status: 401 } });
			expect(await deliver(node)).toHaveProperty('workflowData');
		},
	);

	it('is acknowledged and starts nothing when it comes again', async () => {
		const node = await active();
		expect(await deliver(node)).toHaveProperty('workflowData');
		expect(await deliver(node)).toEqual(ACKNOWLEDGED);
		// As after a restart, or in another process: only the static data is left.
		const restarted = trigger();
		Object.assign(restarted.staticData(), JSON.parse(JSON.stringify(node.staticData())));
		expect(await deliver(restarted)).toEqual(ACKNOWLEDGED);
	});

	it('is not acknowledged when n8n cannot store the execution, and starts it when it comes again', async () => {
		const node = await active();
		for (let attempt = 1; attempt <= 2; attempt++) {
			const outcome = await deliver(node, { canStore: false });
			expect(outcome).toEqual({ answer: { status: 500, ended: true } });
		}
		expect(node.staticData()).not.toHaveProperty('seen');
		expect(await deliver(node)).toHaveProperty('workflowData');
		expect(await deliver(node)).toEqual(ACKNOWLEDGED);
	});

	it('is remembered for fifteen to sixteen hours, also after a restart', async () => {
		const node = await active();
		const taken = Date.now();
		await deliver(node);
		// n8n saves it with the next delivery.
		expect(await deliver(node)).toEqual(ACKNOWLEDGED);
		const kept = JSON.stringify(node.staticData());
		const restarted = () => {
			const other = trigger();
			Object.assign(other.staticData(), JSON.parse(kept));
			return other;
		};
		onTestFinished(() => void vi.useRealTimers());
		vi.useFakeTimers({ toFake: ['Date'] });
		vi.setSystemTime(taken + (15 * 3600 - 60) * 1000);
		expect(await deliver(restarted())).toEqual(ACKNOWLEDGED);
		vi.setSystemTime(taken + (16 * 3600 + 2) * 1000);
		expect(await deliver(restarted())).toHaveProperty('workflowData');
	});

	it('starts once of two at the same instant', async () => {
		const node = await active({ options: { fetchProposal: true } });
		const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => deliver(node)));
		expect(outcomes.filter((outcome) => 'workflowData' in outcome)).toHaveLength(1);
		const others = outcomes.filter((outcome) => !('workflowData' in outcome));
		expect(others).toEqual(Array(4).fill(ACKNOWLEDGED));
	});

	it('is told from others by its ID, and without one by all of it', async () => {
		const node = await active();
		for (const text of ['{"type":"x","a":1}', '{"type":"x","a":2}']) {
			expect(await deliver(node, { text: text.replace('"x"', `"${ALL[2]}"`) })).toHaveProperty(
				'workflowData',
			);
		}
		const again = await deliver(node, { text: `{"type":"${ALL[2]}","a":2}` });
		expect(again).toEqual(ACKNOWLEDGED);
		for (const id of ['constructor', '__proto__', 'toString']) {
			const text = JSON.stringify({ id, type: ALL[2], data: {} });
			expect(await deliver(node, { text })).toHaveProperty('workflowData');
			expect(await deliver(node, { text })).toEqual(ACKNOWLEDGED);
		}
	});

	it('proves the secrets of this process right where the static data holds old ones', async () => {
		const node = await active();
		const current = JSON.parse(JSON.stringify(node.staticData()));
		// Another trigger of the workflow wrote back what it had read before the activation.
		const old = Object.fromEntries(
			ALL.map((event) => [event, { subscriptionId: 1, secretKey: 'x' }]),
		);
		Object.assign(node.staticData(), { subscriptions: old });
		expect(await deliver(node)).toHaveProperty('workflowData');
		expect(node.staticData()).toMatchObject(current);
	});
});
