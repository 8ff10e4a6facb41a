/** The subscriptions of the webhook trigger. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fileService, seed } from './account.mts';
import { signedHeaders } from './deliver.mts';
import { triggerNode } from '../../dev/testbed/nodeRunner.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

const ALL = [
	'proposal.build.status_update',
	'proposal.outline.status_update',
	'proposal.status_changed',
];
const URL = 'http://127.0.0.1:5678/webhook/a-webhook-id/webhook';

const service = fileService({ additionalEvents: ['payment.status_changed', 'contact.updated'] });
beforeEach(() => {
	service.control.deleteSubscriptions();
	service.control.clearFaults();
	service.control.clearRequests();
});

const trigger = (parameters: object = {}, credential = service.account) =>
	triggerNode({ credential, parameters: { events: ALL, ...parameters } });
type Trigger = ReturnType<typeof trigger>;
const subscribed = () =>
	service.control.subscriptions().map(({ url, events, is_enabled }) => [url, events, is_enabled]);
const isSecond = ({ events }: { events?: unknown }) => events === ALL[1];
/** Changes the subscription for the second event at the service. */
const changeSecond = (changes: { isEnabled?: boolean; events?: string }) =>
	service.control.updateSubscriptions(changes, isSecond);
/** As n8n activates a workflow. */
const activate = async (node: Trigger) => {
	if (!(await node.checkExists())) await node.create();
};
/** The lines that n8n's log gets from now on. */
const watchLog = () => {
	const lines: string[] = [];
	const { _stdout: stdout } = console as unknown as { _stdout: NodeJS.WriteStream };
	const log = vi.spyOn(stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
	onTestFinished(() => log.mockRestore());
	return lines;
};
/** A delivery of each subscription is let in by a trigger. */
const expectHeard = async (node: Trigger, subscriptions = service.control.subscriptions()) => {
	for (const { id, events, secret_key: secret } of subscriptions) {
		const body = JSON.stringify({ id: `evt_${id}`, type: events, data: {} });
		const { answer } = await node.receive(signedHeaders(String(secret), body), Buffer.from(body));
		expect(answer.status).toBe(200);
	}
};
/** What an export of the workflow has. */
const exported = (node: Trigger) => JSON.parse(JSON.stringify(node.staticData()));

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
		expect(subscribed().sort()).toEqual([ALL[0], ALL[2]].map((event) => [URL, event, 1]));
	});

	it.each([
		['disabled', () => changeSecond({ isEnabled: false })],
		['deleted', () => service.control.deleteSubscriptions(isSecond)],
		['changed to several events', () => changeSecond({ events: `${ALL[1]},${ALL[0]}` })],
		['changed to another event', () => changeSecond({ events: ALL[0]! })],
	])(
		'are restored, and go with the others, when one was %s at the service',
		async (_how, change) => {
			const node = trigger();
			await activate(node);
			change();
			await activate(node);
			expect(subscribed().sort()).toEqual(ALL.map((event) => [URL, event, 1]));
			change();
			expect(await node.delete()).toBe(true);
			expect(subscribed()).toEqual([]);
		},
	);

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

	it.each([
		['another n8n with another address', true, {}],
		['another n8n at the same address', false, { owner: `another-n8n workflow ${URL}` }],
	])('of the original stay and are not used by a copy in %s', async (_where, moves, changes) => {
		const [original, copy] = [trigger(), trigger()];
		await activate(original);
		const before = service.control.subscriptions();
		Object.assign(copy.staticData(), exported(original), changes);
		if (moves) copy.moveTo('http://localhost:5678/webhook');
		const log = watchLog();
		// A copy whose publication fails deletes nothing either.
		expect(await copy.delete()).toBe(true);
		expect(service.control.subscriptions()).toEqual(before);
		await activate(copy);
		const url = moves ? URL.replace('127.0.0.1', 'localhost') : URL;
		expect(subscribed()).toEqual([URL, url].flatMap((at) => ALL.map((event) => [at, event, 1])));
		expect(log.at(-1)).toContain(`subscriptions ${before.map(({ id }) => id).join(', ')} stay`);
		await expectHeard(original, before);
		await expectHeard(copy, service.control.subscriptions().slice(3));
		expect(await copy.delete()).toBe(true);
		expect(service.control.subscriptions()).toEqual(before);
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

	it('stay in the former account, remembered, when the credential leads to another one', async () => {
		const credential = service.credential();
		const node = trigger({}, credential);
		await activate(node);
		const [former, data] = [service.control.subscriptions(), credential.data];
		credential.data = service.credential('otherDealer').data;
		const log = watchLog();
		expect(await node.delete()).toBe(true);
		await activate(node);
		const accounts = service.control.subscriptions().map((one) => one.account_id);
		expect(accounts).toEqual([
			...ALL.map(() => seed.accounts.dealer),
			...ALL.map(() => seed.accounts.otherDealer),
		]);
		expect(log).toHaveLength(2);
		for (const line of log) {
			expect(line).toContain(`subscriptions ${former.map(({ id }) => id).join(', ')} stay, as the`);
			expect(line).toContain('another Portal.io account');
		}
		expect(await node.delete()).toBe(true);
		expect(service.control.subscriptions()).toEqual(former);

		// Back before anything was published there, it uses them again.
		const undecided = trigger({}, credential);
		credential.data = data;
		await activate(undecided);
		credential.data = service.credential('otherDealer').data;
		expect(await undecided.delete()).toBe(true);
		credential.data = data;
		expect(await undecided.checkExists()).toBe(true);
	});

	it.each([
		['of another version', { format: 2 }],
		['of no version', { format: undefined }],
		['without a secret', { subscriptions: { [ALL[0]!]: { subscriptionId: 1 } } }],
	])('are replaced, with a line in the log, when the memory is %s', async (_what, changes) => {
		const node = trigger();
		await activate(node);
		Object.assign(node.staticData(), changes);
		const log = watchLog();
		await activate(node);
		expect(log).toHaveLength(1);
		expect(log[0]).toContain('the stored subscriptions cannot be read, so new ones are created');
		expect(subscribed().sort()).toEqual(ALL.map((event) => [URL, event, 1]));
		await expectHeard(node);
	});

	it('are found in a list that is the only one of an object', async () => {
		const node = trigger();
		await activate(node);
		const subscriptions = service.control.subscriptions().map(({ id, url, events }) => {
			return { subscriptionId: id, url, enabled: true, events: [events] };
		});
		const answer = { operationId: 'webhookSubscription.getMany', status: 200, times: 1 };
		service.control.failNext({ ...answer, body: { subscriptions } });
		expect(await node.checkExists()).toBe(true);
		service.control.failNext({ ...answer, body: { maintenance: true } });
		await expect(node.checkExists()).rejects.toThrow('did not return the list');
	});

	it('that worked before stay when creating others fails', async () => {
		const node = trigger({ events: [ALL[0]!] });
		await activate(node);
		const before = service.control.subscriptions();
		node.node.parameters.events = [ALL[1]!, 'proposal.no_such_event'];
		await expect(activate(node)).rejects.toMatchObject({ httpCode: '400' });
		expect(service.control.subscriptions()).toEqual(before);
	});

	it('come back with another secret when those of a changed trigger cannot be created', async () => {
		const node = trigger({ events: [ALL[0]!, ALL[1]!] });
		await activate(node);
		const before = service.control.subscriptions().map((one) => one.secret_key);
		// As n8n replaces a trigger. It lets none through unless the last step fails too.
		expect(await node.delete()).toBe(true);
		node.node.parameters.events = [ALL[1]!, ALL[2]!, 'proposal.no_such_event'];
		for (const _attempt of ['first', 'second']) {
			await expect(activate(node)).rejects.toMatchObject({ httpCode: '400' });
			await expect(node.delete()).rejects.toThrow(
				'still starts on the events of the version before',
			);
		}
		expect(subscribed()).toEqual([ALL[0], ALL[1]].map((event) => [URL, event, 1]));
		for (const one of service.control.subscriptions()) expect(before).not.toContain(one.secret_key);
		await expectHeard(node);

		node.node.parameters.events = [ALL[1]!, ALL[2]!];
		await activate(node);
		expect(subscribed()).toEqual([ALL[1], ALL[2]].map((event) => [URL, event, 1]));
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([]);
	});

	it('that cannot come back either are named, and removed by the next step', async () => {
		const node = trigger({ events: [ALL[0]!] });
		await activate(node);
		expect(await node.delete()).toBe(true);
		service.control.failNext({ operationId: 'webhookSubscription.create', status: 503, times: 2 });
		const log = watchLog();
		await expect(activate(node)).rejects.toMatchObject({ httpCode: '503' });
		expect(log.join()).toContain(`the subscription to '${ALL[0]}' could not be restored`);
		expect(await node.delete()).toBe(true);
		await activate(node);
		expect(subscribed()).toEqual([[URL, ALL[0], 1]]);
	});

	it('work although an obsolete one cannot be removed, which the log names', async () => {
		const node = trigger({ events: [ALL[0]!] });
		await activate(node);
		const [{ id }] = service.control.subscriptions() as [{ id: number }];
		node.node.parameters.events = [ALL[1]!];
		service.control.failNext({ operationId: 'webhookSubscription.delete', status: 403, times: 1 });
		const log = watchLog();
		await activate(node);
		expect(log.join()).toContain(`subscription ${id} could not be removed`);
		await activate(node);
		expect(subscribed()).toEqual([[URL, ALL[1], 1]]);
	});

	it.each([
		['one cannot be removed', { operationId: 'webhookSubscription.delete', status: 403 }],
		['the service cannot be asked', { operationId: 'webhookSubscription.getMany', status: 500 }],
	])('stay remembered when %s, and go the next time', async (_why, fault) => {
		const node = trigger();
		await activate(node);
		service.control.failNext(fault);
		// n8n tries again after an error, and says in the editor what could not be removed.
		await expect(node.delete()).rejects.toMatchObject({ httpCode: String(fault.status) });
		expect(node.staticData()).toHaveProperty('subscriptions');
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([]);
		expect(node.staticData()).toEqual({});
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

	it('are not even tried with an address that Portal.io cannot reach', async () => {
		// With the service itself; the simulator on this machine may deliver to this machine.
		const production = service.credential('dealer', { environment: 'production' });
		const node = triggerNode({ credential: production, parameters: { events: ALL } });
		node.moveTo('http://n8n.example.com/webhook');
		await expect(node.create()).rejects.toMatchObject({
			// The message alone: it is all that n8n shows at an activation.
			message: expect.stringMatching(
				/which is not https: .*WEBHOOK_URL.*'Portal\.io Polling Trigger'/,
			),
			description: expect.stringContaining('http://n8n.example.com/webhook'),
		});
		// The simulator may deliver to this machine, and to no other of a private network.
		const local = trigger();
		for (const host of ['192.168.178.2', '172.20.0.1', 'n8n.local']) {
			local.moveTo(`https://${host}/webhook`);
			await expect(local.create()).rejects.toThrow('which is not a public address');
		}
		expect(service.control.requests).toEqual([]);
	});

	it('are asked for, and not guessed, when the service does not answer', async () => {
		service.control.failNext({ operationId: 'webhookSubscription.getMany', status: 500, times: 1 });
		await expect(trigger().checkExists()).rejects.toMatchObject({ httpCode: '500' });
		expect(subscribed()).toEqual([]);
	});
});

describe('additional events', () => {
	const PAYMENT = 'payment.status_changed';
	const CONTACT = 'contact.updated';
	const events = () => service.control.subscriptions().map((one) => one.events);
	const withEvents = async (additionalEvents: unknown) => {
		const node = trigger({ events: [ALL[2]!], options: { additionalEvents } });
		await activate(node);
		return node;
	};

	it.each<[string, unknown]>([
		['text', ` ${PAYMENT},${CONTACT},${ALL[2]}, `],
		['an expression of a list', `={{ ['${PAYMENT}', '${CONTACT}'] }}`],
	])('get a subscription each, given as %s, until they are taken out', async (_how, given) => {
		const node = await withEvents(given);
		expect(events()).toEqual([ALL[2], PAYMENT, CONTACT]);
		expect(await node.checkExists()).toBe(true);
		node.node.parameters.options = {};
		await activate(node);
		expect(events()).toEqual([ALL[2]]);
	});

	it.each(['order.status_changed', '__proto__'])(
		'that Portal.io does not know are named: %s',
		async (name) => {
			await expect(withEvents(`${PAYMENT},${name}`)).rejects.toMatchObject({
				// The message alone: it is all that n8n shows at an activation.
				message: expect.stringMatching(
					`^Portal.io rejected the subscription to '${name}': .*${name}`,
				),
				httpCode: '400',
			});
			expect(events()).toEqual([]);
		},
	);
});
