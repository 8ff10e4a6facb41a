/**
 * Tests that the webhook trigger changes and deletes only its own subscriptions. Its static data contains them, but can
 * come from the original of a copied workflow or from another account, be edited, or be older than the subscriptions.
 */
import { beforeEach, expect, it } from 'vitest';
import { restartWorker } from '../../dev/testbed/nodeRunner.mts';
import { fileService, seed } from './account.mts';
import { signedHeaders } from './deliver.mts';
import { activate, ALL, subscribing, URL, watchLog, type Trigger } from './subscribing.mts';

const service = fileService();
const { trigger, subscribed } = subscribing(service);
const ORIGIN = 'http://127.0.0.1:5678';
beforeEach(() => service.control.deleteSubscriptions());

/** Sends the trigger one event for each subscription, and expects it to accept the signatures. */
const expectAccepted = async (node: Trigger, subscriptions = service.control.subscriptions()) => {
	for (const { id, events, secret_key: secret } of subscriptions) {
		const body = JSON.stringify({ id: `evt_${id}`, type: events, data: {} });
		const { answer } = await node.receive(signedHeaders(String(secret), body), Buffer.from(body));
		expect(answer.status).toBe(200);
	}
};
const idsOf = (subscriptions: { id?: unknown }[]) => subscriptions.map(({ id }) => id);

it.each([
	{ where: 'another n8n at another URL', origin: 'https://n8n.example.com', changes: {} },
	{
		where: 'another n8n at the same URL',
		origin: ORIGIN,
		changes: { owner: `another-n8n workflow ${URL}` },
	},
])("never removes the original's subscriptions through a copy in $where", async (row) => {
	const { origin, changes } = row;
	const [original, copy] = [trigger(), trigger()];
	await activate(original);
	const ofOriginal = service.control.subscriptions();
	// Copy the static data, because an exported workflow contains it.
	Object.assign(copy.staticData(), JSON.parse(JSON.stringify(original.staticData())), changes);
	if (origin !== ORIGIN) copy.moveTo(`${origin}/webhook`);
	const log = watchLog();
	expect(await copy.delete()).toBe(true);
	// Make publishing fail, because n8n then also calls `delete`.
	copy.node.parameters.events = ['proposal.no_such_event'];
	await expect(activate(copy)).rejects.toMatchObject({ httpCode: '400' });
	expect(await copy.delete()).toBe(true);
	expect(service.control.subscriptions()).toEqual(ofOriginal);
	copy.node.parameters.events = ALL;
	await activate(copy);
	const copyUrl = URL.replace(ORIGIN, origin);
	expect(subscribed()).toEqual(
		[URL, copyUrl].flatMap((url) => ALL.map((event) => [url, event, 1])),
	);
	expect(log.at(-1)).toContain(
		`keeping subscriptions ${idsOf(ofOriginal).join(', ')} because they`,
	);
	await expectAccepted(original, ofOriginal);
	await expectAccepted(copy, service.control.subscriptions().slice(ofOriginal.length));
	expect(await copy.delete()).toBe(true);
	expect(service.control.subscriptions()).toEqual(ofOriginal);
});

it('never removes the subscriptions of the previous account', async () => {
	const credential = service.credential();
	const node = trigger({}, credential);
	await activate(node);
	const ofPreviousAccount = service.control.subscriptions();
	credential.data = service.credential('otherDealer').data;
	const log = watchLog();
	expect(await node.delete()).toBe(true);
	await activate(node);
	const accounts = service.control.subscriptions().map(({ account_id: account }) => account);
	const { dealer, otherDealer } = seed.accounts;
	expect(accounts).toEqual([dealer, otherDealer].flatMap((id) => ALL.map(() => id)));
	expect(log).toHaveLength(2);
	for (const line of log) {
		expect(line).toContain(
			`keeping subscriptions ${idsOf(ofPreviousAccount).join(', ')} because the`,
		);
		expect(line).toContain('another Portal.io account');
	}
	expect(await node.delete()).toBe(true);
	expect(service.control.subscriptions()).toEqual(ofPreviousAccount);
});

it('reuses its subscriptions when the credential is changed back', async () => {
	const credential = service.credential();
	const node = trigger({}, credential);
	await activate(node);
	const { data } = credential;
	credential.data = service.credential('otherDealer').data;
	expect(await node.delete()).toBe(true);
	credential.data = data;
	expect(await node.checkExists()).toBe(true);
});

it.each([
	['has no secret', { subscriptions: { [ALL[0]!]: { subscriptionId: 1 } } }],
	['has no subscription', { subscriptions: { [ALL[0]!]: null } }],
])('replaces subscriptions if an edited memory %s', async (_, changes) => {
	const node = trigger();
	await activate(node);
	Object.assign(node.staticData(), changes);
	const log = watchLog();
	await activate(node);
	expect(log).toHaveLength(1);
	expect(log[0]).toContain('the stored subscriptions cannot be read, so new ones are created');
	expect(subscribed().sort()).toEqual(ALL.map((event) => [URL, event, 1]));
	await expectAccepted(node);
});

it('removes its subscriptions even after an execution has restored older static data', async () => {
	const node = trigger();
	await activate(node);
	// Keep the static data, which contains three subscriptions. When an execution ends, n8n can write back the static
	// data from the execution's start.
	const olderData = JSON.parse(JSON.stringify(node.staticData()));
	node.node.parameters.events = [ALL[0]!];
	expect(await node.delete()).toBe(true);
	await activate(node);
	Object.assign(node.staticData(), structuredClone(olderData));
	await expectAccepted(node);

	// Restart n8n and call `checkExists`, which also makes the new process remember the subscriptions.
	restartWorker();
	const restarted = trigger({ events: [ALL[0]!] });
	Object.assign(restarted.staticData(), node.staticData());
	expect(await restarted.checkExists()).toBe(true);
	Object.assign(restarted.staticData(), structuredClone(olderData));
	await expectAccepted(restarted);
	Object.assign(restarted.staticData(), structuredClone(olderData));
	expect(await restarted.delete()).toBe(true);
	expect(subscribed()).toEqual([]);
});
