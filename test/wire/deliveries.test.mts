/** Which deliveries the built trigger knows, in n8n's own webhook context. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { seed, startService } from './account.mts';
import { signedHeaders } from './deliver.mts';
import { triggerNode } from '../../testbed/nodeRunner.mts';

const EVENT = 'proposal.status_changed';
const REFUSED = { noWebhookResponse: true, answer: { status: 401, ended: true } };
const ACKNOWLEDGED = { answer: { status: 200, ended: true } };
type Trigger = ReturnType<typeof triggerNode>;

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => await service.simulator.stop());
beforeEach(() => service.control.deleteSubscriptions());

const trigger = async (isTest = false) => {
	const credential = service.credential();
	const node = triggerNode({ credential, parameters: { events: [EVENT] } }, isTest);
	expect(await node.checkExists()).toBe(false);
	await node.create();
	return node;
};
const secretAt = (path: string) =>
	String(service.control.subscriptions().find(({ url }) => String(url).includes(path))!.secret_key);
const event = (more: object = {}) => {
	const data = { id: seed.proposals.accepted, status: 'Accepted', name: 'Küche' };
	return JSON.stringify({ id: 'evt_1', type: EVENT, created: '', data, ...more });
};
interface Sending {
	text?: string;
	secret?: string;
	/** What the signature is of, where it is not of the text. */
	signed?: string;
	isUnread?: boolean;
}
const deliver = async (node: Trigger, sending: Sending = {}) => {
	const { text = event(), secret = secretAt('/webhook/'), signed = text, isUnread } = sending;
	return await node.receive(signedHeaders(secret, signed), Buffer.from(text), { isUnread });
};

it('a retry is known by its ID, also when its bytes differ', async () => {
	const node = await trigger();
	expect(await deliver(node)).toHaveProperty('workflowData');
	expect(await deliver(node, { text: event({ attempt: 2 }) })).toEqual(ACKNOWLEDGED);
	expect(await deliver(node, { text: event({ id: 'evt_2' }) })).toHaveProperty('workflowData');
});

it('a delivery to another activation of the workflow is a new one', async () => {
	const node = await trigger();
	expect(await deliver(node)).toHaveProperty('workflowData');
	expect(await deliver(node)).toEqual(ACKNOWLEDGED);
	await node.delete();
	await node.create();
	expect(await deliver(node)).toHaveProperty('workflowData');
	expect(await deliver(node)).toEqual(ACKNOWLEDGED);
});

it('a test run shows the same delivery again and remembers none', async () => {
	const node = await trigger(true);
	const secret = secretAt('/webhook-test/');
	for (let attempt = 1; attempt <= 3; attempt++) {
		expect(await deliver(node, { secret })).toHaveProperty('workflowData');
	}
	expect(node.staticData()).not.toHaveProperty('taken');
});

it('a test run refuses what the subscription of the active workflow has signed', async () => {
	const active = await trigger();
	const testing = await trigger(true);
	const before = JSON.stringify(testing.staticData());
	const ofActive = secretAt('/webhook/');
	expect(await deliver(testing, { secret: ofActive })).toEqual(REFUSED);
	expect(JSON.stringify(testing.staticData())).toBe(before);
	expect(await deliver(active, { secret: secretAt('/webhook-test/') })).toEqual(REFUSED);
	expect(await deliver(active, { secret: ofActive })).toHaveProperty('workflowData');
});

it('a body that n8n leaves to the node is read and verified', async () => {
	const node = await trigger();
	const changed = event({ id: 'evt_2' });
	expect(await deliver(node, { text: changed, signed: event(), isUnread: true })).toEqual(REFUSED);
	expect(await deliver(node, { isUnread: true })).toHaveProperty('workflowData');
});
