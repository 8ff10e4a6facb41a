/** Which subscriptions the webhook trigger treats as its own. */
import { beforeEach, expect, it } from 'vitest';
import { restartWorker } from '../../dev/testbed/nodeRunner.mts';
import { fileService, seed } from './account.mts';
import { signedHeaders } from './deliver.mts';
import { activate, ALL, subscribing, URL, watchLog, type Trigger } from './subscribing.mts';

const service = fileService();
const { trigger, subscribed } = subscribing(service);
beforeEach(() => service.control.deleteSubscriptions());

const expectHeard = async (node: Trigger, subscriptions = service.control.subscriptions()) => {
	for (const { id, events, secret_key: secret } of subscriptions) {
		const body = JSON.stringify({ id: `evt_${id}`, type: events, data: {} });
		const { answer } = await node.receive(signedHeaders(String(secret), body), Buffer.from(body));
		expect(answer.status).toBe(200);
	}
};
const idsIn = (subscriptions: object[]) => subscriptions.map((one) => (one as { id: number }).id);

it.each([
	['another n8n with another address', true, {}],
	['another n8n at the same address', false, { owner: `another-n8n workflow ${URL}` }],
])('leaves subscriptions of the original alone in a copy in %s', async (_, moves, changes) => {
	const [original, copy] = [trigger(), trigger()];
	await activate(original);
	const before = service.control.subscriptions();
	// As an export of the workflow has them.
	Object.assign(copy.staticData(), JSON.parse(JSON.stringify(original.staticData())), changes);
	if (moves) copy.moveTo('https://n8n.example.com/webhook');
	const log = watchLog();
	// A copy whose publication fails deletes nothing either.
	expect(await copy.delete()).toBe(true);
	copy.node.parameters.events = ['proposal.no_such_event'];
	await expect(activate(copy)).rejects.toMatchObject({ httpCode: '400' });
	expect(await copy.delete()).toBe(true);
	expect(service.control.subscriptions()).toEqual(before);
	copy.node.parameters.events = ALL;
	await activate(copy);
	const url = moves ? URL.replace('http://127.0.0.1:5678', 'https://n8n.example.com') : URL;
	expect(subscribed()).toEqual([URL, url].flatMap((at) => ALL.map((event) => [at, event, 1])));
	expect(log.at(-1)).toContain(`keeping subscriptions ${idsIn(before).join(', ')} because they`);
	await expectHeard(original, before);
	await expectHeard(copy, service.control.subscriptions().slice(3));
	expect(await copy.delete()).toBe(true);
	expect(service.control.subscriptions()).toEqual(before);
});

it('leaves the subscriptions of the former account, remembered, when the credential leads to another one', async () => {
	const credential = service.credential();
	const node = trigger({}, credential);
	await activate(node);
	const [former, data] = [service.control.subscriptions(), credential.data];
	credential.data = service.credential('otherDealer').data;
	const log = watchLog();
	expect(await node.delete()).toBe(true);
	await activate(node);
	const accounts = service.control.subscriptions().map((one) => one.account_id);
	const { dealer, otherDealer } = seed.accounts;
	expect(accounts).toEqual([dealer, otherDealer].flatMap((id) => ALL.map(() => id)));
	expect(log).toHaveLength(2);
	for (const line of log) {
		expect(line).toContain(`keeping subscriptions ${idsIn(former).join(', ')} because the`);
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
	['without a secret', { subscriptions: { [ALL[0]!]: { subscriptionId: 1 } } }],
	['edited', { subscriptions: { [ALL[0]!]: null } }],
])('replaces subscriptions, with a line in the log, when the memory is %s', async (_, changes) => {
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

it('removes its subscriptions although an execution has restored older static data', async () => {
	const node = trigger();
	await activate(node);
	const older = structuredClone(JSON.parse(JSON.stringify(node.staticData())));
	node.node.parameters.events = [ALL[0]!];
	expect(await node.delete()).toBe(true);
	await activate(node);
	Object.assign(node.staticData(), older);
	await expectHeard(node);
	restartWorker();
	const restarted = trigger({ events: [ALL[0]!] });
	Object.assign(restarted.staticData(), node.staticData());
	expect(await restarted.checkExists()).toBe(true);
	Object.assign(restarted.staticData(), older);
	await expectHeard(restarted);
	Object.assign(restarted.staticData(), older);
	expect(await restarted.delete()).toBe(true);
	expect(subscribed()).toEqual([]);
});
