/** Whose subscriptions the webhook trigger takes for its own, and what stays when it is replaced. */
import { beforeEach, describe, expect, it } from 'vitest';
import { fileService, seed } from './account.mts';
import { signedHeaders } from './deliver.mts';
import { activate, ALL, subscribing, URL, watchLog, type Trigger } from './subscribing.mts';

const service = fileService();
const { trigger, subscribed } = subscribing(service);
beforeEach(() => {
	service.control.deleteSubscriptions();
	service.control.clearFaults();
});

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
	it.each([
		['another n8n with another address', true, {}],
		['another n8n at the same address', false, { owner: `another-n8n workflow ${URL}` }],
	])(
		'leaves those of the original alone, and does not use them, in a copy in %s',
		async (_where, moves, changes) => {
			const [original, copy] = [trigger(), trigger()];
			await activate(original);
			const before = service.control.subscriptions();
			Object.assign(copy.staticData(), exported(original), changes);
			if (moves) copy.moveTo('https://n8n.example.com/webhook');
			const log = watchLog();
			// A copy whose publication fails deletes nothing either, and restores nothing.
			expect(await copy.delete()).toBe(true);
			copy.node.parameters.events = ['proposal.no_such_event'];
			await expect(activate(copy)).rejects.toMatchObject({ httpCode: '400' });
			expect(await copy.delete()).toBe(true);
			expect(service.control.subscriptions()).toEqual(before);
			copy.node.parameters.events = ALL;
			await activate(copy);
			const url = moves ? URL.replace('http://127.0.0.1:5678', 'https://n8n.example.com') : URL;
			expect(subscribed()).toEqual([URL, url].flatMap((at) => ALL.map((event) => [at, event, 1])));
			expect(log.at(-1)).toContain(`subscriptions ${before.map(({ id }) => id).join(', ')} stay`);
			await expectHeard(original, before);
			await expectHeard(copy, service.control.subscriptions().slice(3));
			expect(await copy.delete()).toBe(true);
			expect(service.control.subscriptions()).toEqual(before);
		},
	);

	it('leaves those of the former account, remembered, when the credential leads to another one', async () => {
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

	it('takes another user of the same account for no other account', async () => {
		const credential = service.credential();
		const node = trigger({}, credential);
		const log = watchLog();
		await activate(node);
		const [{ id }, ...others] = service.control.subscriptions() as [{ id: number }];
		service.control.deleteSubscriptions((one) => one.id === id);
		const user = { username: 'jordan@cedarandcoil.example', password: 'no-one-signs-in-here-1' };
		credential.data = service.credential('dealer', user).data;
		await activate(node);
		expect(service.control.subscriptions()).toEqual([...others, expect.anything()]);
		credential.data = service.credential().data;
		await activate(node);
		service.control.deleteSubscriptions();
		expect(await node.delete()).toBe(true);
		expect([node.staticData(), log]).toEqual([{}, []]);
	});

	it.each([
		['of another version', { format: 2 }],
		['of no version', { format: undefined }],
		['without a secret', { subscriptions: { [ALL[0]!]: { subscriptionId: 1 } } }],
	])(
		'replaces subscriptions, with a line in the log, when the memory is %s',
		async (_what, changes) => {
			const node = trigger();
			await activate(node);
			Object.assign(node.staticData(), changes);
			const log = watchLog();
			await activate(node);
			expect(log).toHaveLength(1);
			expect(log[0]).toContain('the stored subscriptions cannot be read, so new ones are created');
			expect(subscribed().sort()).toEqual(ALL.map((event) => [URL, event, 1]));
			await expectHeard(node);
		},
	);

	it('restores subscriptions under another secret when those of a changed trigger cannot be created', async () => {
		const node = trigger({ events: [ALL[0]!, ALL[1]!] });
		await activate(node);
		const before = service.control.subscriptions().map((one) => one.secret_key);
		// As n8n replaces a trigger. It lets none through unless the last step fails too.
		expect(await node.delete()).toBe(true);
		node.node.parameters.events = [ALL[1]!, ALL[2]!, 'proposal.no_such_event'];
		for (let attempt = 0; attempt < 2; attempt++) {
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

		// Nothing works any more, so nothing is restored or kept.
		service.control.deleteSubscriptions();
		node.node.parameters.events = [ALL[0]!, 'proposal.no_such_event'];
		await expect(activate(node)).rejects.toMatchObject({ httpCode: '400' });
		expect(subscribed()).toEqual([]);
		expect(await node.delete()).toBe(true);
	});

	it('names subscriptions that cannot be restored either, and removes them in the next step', async () => {
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
});
