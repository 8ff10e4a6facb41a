/** The subscriptions of the webhook trigger. */
import { beforeEach, describe, expect, it } from 'vitest';
import { fileService } from './account.mts';
import { activate, ALL, subscribing, URL, watchLog } from './subscribing.mts';
import { triggerNode } from '../../dev/testbed/nodeRunner.mts';

const service = fileService({ additionalEvents: ['payment.status_changed', 'contact.updated'] });
beforeEach(() => {
	service.control.deleteSubscriptions();
	service.control.clearFaults();
	service.control.clearRequests();
});

const { trigger, subscribed } = subscribing(service);
const isSecond = ({ events }: { events?: unknown }) => events === ALL[1];
/** Changes the subscription for the second event at the service. */
const changeSecond = (changes: { isEnabled?: boolean; events?: string }) =>
	service.control.updateSubscriptions(changes, isSecond);

describe('the subscriptions of a trigger', () => {
	it('subscribes once to each event, also at a second activation', async () => {
		const node = trigger();
		const log = watchLog();
		await activate(node);
		const wanted = ALL.map((event) => [URL, event, 1]);
		expect(subscribed()).toEqual(wanted);
		service.control.clearRequests();
		await activate(node);
		expect(subscribed()).toEqual(wanted);
		expect(service.control.requests.map(({ method }) => method)).toEqual(['GET']);
		expect(log).toEqual([]);
	});

	it('unsubscribes when the workflow is deactivated, and leaves those of others', async () => {
		const other = triggerNode({ credential: service.account, parameters: { events: [ALL[2]!] } });
		await activate(other);
		service.control.updateSubscriptions({ url: 'https://n8n.example.com/webhook/other' });
		const node = trigger();
		await activate(node);
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([['https://n8n.example.com/webhook/other', ALL[2], 1]]);
		expect(node.staticData()).toEqual({});
	});

	it('refuses to subscribe to no event at all', async () => {
		await expect(activate(trigger({ events: [] }))).rejects.toThrow("'Trigger On' is empty");
	});

	it('names a chosen status that Portal.io does not have, if the workflow starts on statuses', async () => {
		const node = trigger({ statuses: ['Viewed By Client'] });
		await activate(node);
		node.node.parameters.statuses = "={{ 'Accepted, Viewd' }}";
		await expect(activate(node)).rejects.toThrow(
			"contains 'Viewd', which is not a Portal.io status",
		);
		node.node.parameters.events = [ALL[1]!];
		await activate(node);
		expect(subscribed()).toEqual([[URL, ALL[1], 1]]);
	});

	it('follows the events that are chosen', async () => {
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
		'restores a subscription that was %s at the service, and removes it with the others',
		async (_how, change) => {
			const node = trigger();
			await activate(node);
			change();
			await activate(node);
			expect(subscribed().sort()).toEqual(ALL.map((event) => [URL, event, 1]));
			change();
			const log = watchLog();
			expect(await node.delete()).toBe(true);
			expect(subscribed()).toEqual([]);
			expect([node.staticData(), log]).toEqual([{}, []]);
		},
	);

	it('removes subscriptions at its address where it remembers none, and otherwise its own alone', async () => {
		const node = trigger({ events: [ALL[0]!, ALL[1]!] });
		await activate(node);
		const later = trigger({ events: [ALL[2]!] });
		later.moveTo('https://n8n.example.com/webhook');
		await activate(later);
		// As of an n8n that takes the place of this one.
		service.control.updateSubscriptions({ url: URL }, ({ events }) => events === ALL[2]);
		service.control.deleteSubscriptions(isSecond);
		await node.delete();
		expect(subscribed()).toEqual([[URL, ALL[2], 1]]);
		await node.delete();
		expect(subscribed()).toEqual([]);
	});

	it('replaces subscriptions whose secret is not known', async () => {
		await activate(trigger());
		const before = service.control.subscriptions().map(({ id }) => id);
		const forgetful = trigger();
		await activate(forgetful);
		expect(subscribed().sort()).toEqual(ALL.map((event) => [URL, event, 1]));
		for (const { id } of service.control.subscriptions()) expect(before).not.toContain(id);
	});

	it('leaves no subscription when creating them fails half-way', async () => {
		// The service knows the first two and refuses the third.
		const node = trigger({ events: [ALL[0]!, ALL[1]!, 'proposal.no_such_event'] });
		await expect(activate(node)).rejects.toMatchObject({ httpCode: '400' });
		const statuses = service.control.requests.map(({ method, status }) => `${method} ${status}`);
		expect(statuses.filter((one) => one === 'POST 200')).toHaveLength(2);
		expect(subscribed()).toEqual([]);
		expect(node.staticData()).toEqual({});
		expect(await node.delete()).toBe(true);
	});

	it('knows no subscription by its ID alone, which another account may have given', async () => {
		const node = trigger();
		await activate(node);
		service.control.updateSubscriptions({ url: 'https://n8n.example.com/webhook/other' });
		await activate(node);
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual(
			ALL.map((event) => ['https://n8n.example.com/webhook/other', event, 1]),
		);
	});

	it('finds subscriptions in a list that is the only one of an object', async () => {
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

	it('keeps subscriptions that worked before when creating others fails', async () => {
		const node = trigger({ events: [ALL[0]!] });
		await activate(node);
		const before = service.control.subscriptions();
		node.node.parameters.events = [ALL[1]!, 'proposal.no_such_event'];
		await expect(activate(node)).rejects.toMatchObject({ httpCode: '400' });
		expect(service.control.subscriptions()).toEqual(before);
	});

	it('works although an obsolete subscription cannot be removed, which the log names', async () => {
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
	])('remembers subscriptions when %s, and removes them the next time', async (_why, fault) => {
		const node = trigger();
		await activate(node);
		service.control.failNext(fault);
		const ids = service.control.subscriptions().map(({ id }) => id);
		const log = watchLog();
		// n8n tries again after an error, and says in the editor what could not be removed.
		await expect(node.delete()).rejects.toMatchObject({ httpCode: String(fault.status) });
		expect(log.join()).toContain(`subscriptions ${ids.join(', ')} could not be removed: `);
		expect(node.staticData()).toHaveProperty('subscriptions');
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([]);
		expect(node.staticData()).toEqual({});
	});

	it('describes subscriptions as the user says, and by the name of the workflow otherwise', async () => {
		const descriptions = () =>
			service.control.subscriptions().map(({ description }) => description);
		const node = trigger({ events: [ALL[0]!] });
		await activate(node);
		expect(descriptions()).toEqual(['n8n: A workflow']);
		await node.delete();
		await activate(trigger({ events: [ALL[0]!], options: { description: 'To the office' } }));
		expect(descriptions()).toEqual(['To the office']);
	});

	it('accepts that a subscription is already gone', async () => {
		const node = trigger();
		await activate(node);
		service.control.failNext({ operationId: 'webhookSubscription.delete', status: 400, times: 1 });
		expect(await node.delete()).toBe(true);
	});

	it('removes a subscription whose response was lost', async () => {
		const node = trigger();
		service.control.failNext({
			operationId: 'webhookSubscription.create',
			when: 'after',
			status: 502,
			times: 1,
		});
		await expect(activate(node)).rejects.toMatchObject({
			message: expect.not.stringContaining('rejected the subscription'),
			httpCode: '502',
		});
		expect(subscribed()).toEqual([]);
		await activate(node);
		expect(subscribed()).toEqual(ALL.map((event) => [URL, event, 1]));
	});

	it.each([{ subscriptionId: 1 }, { subscriptionId: 1, secretKey: '' }, { secretKey: 'a secret' }])(
		'leaves no subscription when the service returns only %o of it',
		async (body) => {
			service.control.failNext({
				operationId: 'webhookSubscription.create',
				when: 'after',
				status: 200,
				body: { ...body, url: URL, enabled: true, events: [ALL[0]] },
				times: 1,
			});
			const node = trigger();
			await expect(activate(node)).rejects.toThrow('did not return its secret');
			expect(subscribed()).toEqual([]);
			expect(node.staticData()).toEqual({});
		},
	);

	it('asks nothing with an address that Portal.io cannot reach', async () => {
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

	it('guesses nothing of its subscriptions when the service does not answer', async () => {
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
	])(
		'subscribes to each additional event, given as %s, until it is taken out',
		async (_how, given) => {
			const node = await withEvents(given);
			expect(events()).toEqual([ALL[2], PAYMENT, CONTACT]);
			expect(await node.checkExists()).toBe(true);
			node.node.parameters.options = {};
			await activate(node);
			expect(events()).toEqual([ALL[2]]);
		},
	);

	it.each(['order.status_changed', '__proto__'])(
		'names an additional event that Portal.io does not know: %s',
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
