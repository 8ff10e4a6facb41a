/** Tests the webhook trigger's subscriptions. test/unit/plan.test.mts tests which ones it keeps and removes. */
import { beforeEach, describe, expect, it } from 'vitest';
import { triggerNode } from '../../dev/testbed/nodeRunner.mts';
import { fileService } from './account.mts';
import { activate, ALL, subscribing, URL, watchLog } from './subscribing.mts';

const service = fileService({ additionalEvents: ['payment.status_changed', 'contact.updated'] });
beforeEach(() => {
	service.control.deleteSubscriptions();
	service.control.clearFaults();
	service.control.clearRequests();
});

const { trigger, subscribed } = subscribing(service);
const idsOf = () => service.control.subscriptions().map(({ id }) => id);

describe('publishing', () => {
	it('subscribes only once to each event across two activations', async () => {
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

	it('rejects an empty list of events', async () => {
		await expect(activate(trigger({ events: [] }))).rejects.toThrow("'Trigger On' is empty");
	});

	it('rejects an unknown status if the workflow starts on statuses', async () => {
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

	it.each([0, 52_801, 'soon', null])(
		'rejects %j as the maximum event age',
		async (toleranceSeconds) => {
			const message = `'Max Event Age (Seconds)' must be a number from 1 to 52800; it is '${toleranceSeconds}'`;
			await expect(activate(trigger({ options: { toleranceSeconds } }))).rejects.toThrow(message);
			expect(subscribed()).toEqual([]);
		},
	);

	it('describes subscriptions with the chosen description or the name of the workflow', async () => {
		const descriptions = () =>
			service.control.subscriptions().map(({ description }) => description);
		const node = trigger({ events: [ALL[0]!] });
		await activate(node);
		expect(descriptions()).toEqual(['n8n: A workflow']);
		await node.delete();
		// Use the maximum tolerance.
		const options = { description: 'To the office', toleranceSeconds: 52_800 };
		await activate(trigger({ events: [ALL[0]!], options }));
		expect(descriptions()).toEqual(['To the office']);
	});

	it('publishes even if an obsolete subscription cannot be removed', async () => {
		const node = trigger({ events: [ALL[0]!] });
		await activate(node);
		const [id] = idsOf();
		node.node.parameters.events = [ALL[1]!];
		service.fail('webhookSubscription.delete', { status: 403 });
		const log = watchLog();
		await activate(node);
		expect(log.join()).toContain(`subscription ${id} could not be removed`);
		await activate(node);
		expect(subscribed()).toEqual([[URL, ALL[1], 1]]);
	});

	it('before any request, rejects a URL that Portal.io cannot reach', async () => {
		// Use the production service, because a simulator on this machine can also deliver to local URLs.
		const production = service.credential('dealer', { environment: 'production' });
		const node = triggerNode({ credential: production, parameters: { events: ALL } });
		node.moveTo('http://n8n.example.com/webhook');
		await expect(activate(node)).rejects.toMatchObject({
			// Check only the message, because n8n shows nothing else when a workflow is published.
			message: expect.stringMatching(
				/which is not https\. .*WEBHOOK_URL.*Portal\.io Polling Trigger/,
			),
			description: expect.stringContaining('http://n8n.example.com/webhook'),
		});
		const local = trigger();
		for (const host of ['192.168.178.2', '172.20.0.1', 'n8n.local']) {
			local.moveTo(`https://${host}/webhook`);
			await expect(activate(local)).rejects.toThrow('which is not a public URL');
		}
		expect(service.control.requests).toEqual([]);
		// Expect success, because n8n must still be able to delete a workflow whose URL is no longer public.
		expect(await local.delete()).toBe(true);
	});

	it('reports the status of a subscription that was rejected without a reason', async () => {
		service.fail('webhookSubscription.create', { status: 400, body: '' });
		await expect(activate(trigger())).rejects.toThrow('Unexpected response with status 400');
	});

	it.each([
		['responds with an error', { status: 500 }, 'could not process the request'],
		['returns no list', { status: 200, body: { ok: true } }, 'did not return the list'],
	])('creates no subscription when the service %s', async (_, answer, message) => {
		service.fail('webhookSubscription.getMany', answer);
		await expect(activate(trigger())).rejects.toThrow(message);
		expect(subscribed()).toEqual([]);
	});

	it('removes its subscriptions when creating them fails halfway', async () => {
		// Make the list of subscriptions unreadable after the failure, because the removal must not depend on the list.
		service.respond('webhookSubscription.getMany', { subscriptions: [] }, { times: 2 });
		service.fail('webhookSubscription.getMany', { status: 500 });
		const node = trigger({ events: [ALL[0]!, ALL[1]!, 'proposal.no_such_event'] });
		await expect(activate(node)).rejects.toMatchObject({ httpCode: '400' });
		const statuses = service.control.requests.map(({ method, status }) => `${method} ${status}`);
		expect(statuses.filter((one) => one === 'POST 200')).toHaveLength(2);
		expect(subscribed()).toEqual([]);
		expect(node.staticData()).toEqual({});
		expect(await node.delete()).toBe(true);
	});

	it('removes all of its subscriptions when it is unpublished after a failure', async () => {
		const node = trigger({ events: [ALL[0]!, ALL[1]!] });
		await activate(node);
		const before = service.control.subscriptions();
		node.node.parameters.events = [ALL[1]!, 'proposal.no_such_event'];
		await expect(activate(node)).rejects.toMatchObject({ httpCode: '400' });
		expect(service.control.subscriptions()).toEqual(before);
		// Call `delete` as n8n does after each failure, and before it publishes a workflow whose trigger was changed.
		expect(await node.delete()).toBe(true);
		await expect(activate(node)).rejects.toMatchObject({ httpCode: '400' });
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([]);
		node.node.parameters.events = [ALL[1]!];
		await activate(node);
		expect(subscribed()).toEqual([[URL, ALL[1], 1]]);
	});

	it('removes a subscription if the response to its creation was lost', async () => {
		const node = trigger();
		service.fail('webhookSubscription.create', { when: 'after', status: 502 });
		await expect(activate(node)).rejects.toMatchObject({
			message: expect.not.stringContaining('rejected the subscription'),
			httpCode: '502',
		});
		expect(subscribed()).toEqual([]);
		await activate(node);
		expect(subscribed()).toEqual(ALL.map((event) => [URL, event, 1]));
	});

	it.each([{ subscriptionId: 1 }, { subscriptionId: 1, secretKey: '' }, { secretKey: 'a secret' }])(
		'removes a new subscription if the service returns only %o',
		async (body) => {
			const all = { ...body, url: URL, enabled: true, events: [ALL[0]] };
			service.respond('webhookSubscription.create', all, { when: 'after' });
			const node = trigger();
			await expect(activate(node)).rejects.toThrow('did not return its secret');
			expect(subscribed()).toEqual([]);
			expect(node.staticData()).toEqual({});
		},
	);
});

describe('unpublishing', () => {
	it('removes only its own subscriptions', async () => {
		const other = triggerNode({ credential: service.account, parameters: { events: [ALL[2]!] } });
		await activate(other);
		const url = 'https://n8n.example.com/webhook/other';
		service.control.update('subscriptions', {}, { url });
		const node = trigger();
		await activate(node);
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([[url, ALL[2], 1]]);
		expect(node.staticData()).toEqual({});
	});

	it.each([
		['webhookSubscription.delete', 403, 1, {}],
		['webhookSubscription.delete', 400, 1, { body: '' }],
		['webhookSubscription.delete', 404, 1, { body: '<html>A proxy</html>' }],
		['webhookSubscription.getMany', 500, 3, {}],
	])('removes subscriptions later if %s fails with %i', async (...row) => {
		const [operationId, status, count, response] = row;
		const node = trigger();
		await activate(node);
		service.fail(operationId, { status, ...response });
		const ids = idsOf();
		const log = watchLog();
		// Expect an error, so n8n tries again and shows in the editor what could not be removed.
		await expect(node.delete()).rejects.toMatchObject({ httpCode: String(status) });
		expect(log).toHaveLength(1);
		const named = ids.slice(0, count).join(', ');
		expect(log[0]).toMatch(new RegExp(`subscriptions? ${named} could not be removed: `));
		expect(node.staticData()).toHaveProperty('subscriptions');
		expect(await node.delete()).toBe(true);
		expect(subscribed()).toEqual([]);
		expect(node.staticData()).toEqual({});
	});

	it('logs nothing if it has no subscription to remove', async () => {
		const log = watchLog();
		service.fail('webhookSubscription.getMany', { status: 403 });
		await expect(trigger().delete()).rejects.toMatchObject({ httpCode: '403' });
		expect(log).toEqual([]);
	});

	it.each([400, 404])('forgets a subscription that no longer exists: %i', async (status) => {
		const node = trigger({ events: [ALL[0]!] });
		await activate(node);
		service.fail('webhookSubscription.delete', { status });
		expect(await node.delete()).toBe(true);
		expect(node.staticData()).toEqual({});
	});
});
const events = () => service.control.subscriptions().map((one) => one.events);

describe('additional events', () => {
	const PAYMENT = 'payment.status_changed';
	const CONTACT = 'contact.updated';
	const withEvents = async (additionalEvents: unknown) => {
		const node = trigger({ events: [ALL[2]!], options: { additionalEvents } });
		await activate(node);
		return node;
	};

	it.each<[string, unknown]>([
		['text', ` ${PAYMENT}, ${CONTACT},${ALL[2]}, `],
		['an expression with a list', `={{ ['${PAYMENT}', '${CONTACT}'] }}`],
	])('subscribes to additional events while the option lists them: %s', async (_, given) => {
		const node = await withEvents(given);
		expect(events()).toEqual([ALL[2], PAYMENT, CONTACT]);
		expect(await node.checkExists()).toBe(true);
		node.node.parameters.options = {};
		await activate(node);
		expect(events()).toEqual([ALL[2]]);
	});

	it.each(['order.status_changed', '__proto__'])('rejects the unknown event %s', async (name) => {
		await expect(withEvents(`${PAYMENT},${name}`)).rejects.toMatchObject({
			// Check only the message, because n8n shows nothing else when a workflow is published.
			message: expect.stringMatching(
				`^Portal.io rejected the subscription to '${name}': .*${name}`,
			),
			httpCode: '400',
		});
		expect(events()).toEqual([]);
	});
});
