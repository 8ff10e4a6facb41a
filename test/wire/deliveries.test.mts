/** Deliveries to the built trigger, in n8n's own webhook context. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fileService, seed } from './account.mts';
import { signedHeaders } from './deliver.mts';
import { triggerNode } from '../../dev/testbed/nodeRunner.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIoTrigger/PortalIoTrigger.node.ts';

const EVENT = 'proposal.status_changed';
const REFUSED = { noWebhookResponse: true, answer: { status: 401, ended: true } };
const ACKNOWLEDGED = { answer: { status: 200, ended: true } };
type Trigger = ReturnType<typeof triggerNode>;

const service = fileService();
beforeEach(() => {
	service.control.deleteSubscriptions();
	service.control.clearRequests();
});

const trigger = async (parameters: object = {}, isTest = false) => {
	const credential = service.account;
	const events = { events: [EVENT], simplify: false };
	const node = triggerNode({ credential, parameters: { ...events, ...parameters } }, isTest);
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
	canStore?: boolean;
}
const deliver = async (node: Trigger, { text = event(), ...sending }: Sending = {}) => {
	const { secret = secretAt('/webhook/'), signed = text, ...how } = sending;
	return await node.receive(signedHeaders(secret, signed), Buffer.from(text), how);
};

it('starts the workflow with the event, untouched, once', async () => {
	const node = await trigger();
	expect(await deliver(node)).toEqual({
		workflowData: [[{ json: JSON.parse(event()) }]],
		answer: { status: 200, ended: true },
	});
	expect(await deliver(node, { text: event({ attempt: 2 }) })).toEqual(ACKNOWLEDGED);
	// As after a restart, or in another process: only the static data is left.
	const restarted = triggerNode({ credential: service.account, parameters: { events: [EVENT] } });
	Object.assign(restarted.staticData(), JSON.parse(JSON.stringify(node.staticData())));
	expect(await deliver(restarted)).toEqual(ACKNOWLEDGED);
});

it('of five at the same instant starts the workflow once', async () => {
	const node = await trigger({ options: { fetchProposal: true } });
	const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => deliver(node)));
	expect(outcomes.filter((outcome) => 'workflowData' in outcome)).toHaveLength(1);
	const others = outcomes.filter((outcome) => !('workflowData' in outcome));
	expect(others).toEqual(Array(4).fill(ACKNOWLEDGED));
});

it('is not acknowledged when n8n cannot store the execution, and starts it when it comes again', async () => {
	const node = await trigger();
	expect(await deliver(node, { canStore: false })).toEqual({
		answer: { status: 500, ended: true },
	});
	expect(node.staticData()).not.toHaveProperty('taken');
	expect(await deliver(node)).toHaveProperty('workflowData');
});

it('to another activation of the workflow is a new one', async () => {
	const node = await trigger();
	expect(await deliver(node)).toHaveProperty('workflowData');
	await node.delete();
	await node.create();
	expect(await deliver(node)).toHaveProperty('workflowData');
	expect(await deliver(node)).toEqual(ACKNOWLEDGED);
});

it('to a test run starts it each time, and only under the secret of the test', async () => {
	const active = await trigger();
	const testing = await trigger({}, true);
	const [ofActive, ofTest] = [secretAt('/webhook/'), secretAt('/webhook-test/')];
	const before = JSON.stringify(testing.staticData());
	for (let attempt = 1; attempt <= 2; attempt++) {
		expect(await deliver(testing, { secret: ofTest })).toHaveProperty('workflowData');
	}
	expect(await deliver(testing, { secret: ofActive })).toEqual(REFUSED);
	expect(JSON.stringify(testing.staticData())).toBe(before);
	expect(await deliver(active, { secret: ofTest })).toEqual(REFUSED);
	expect(await deliver(active, { secret: ofActive })).toHaveProperty('workflowData');
});

it('is verified also where n8n leaves reading its body to the node', async () => {
	const node = await trigger();
	const changed = event({ id: 'evt_2' });
	expect(await deliver(node, { text: changed, signed: event(), isUnread: true })).toEqual(REFUSED);
	expect(await deliver(node, { isUnread: true })).toHaveProperty('workflowData');
});

it('is proved by the secrets of the process where the static data holds old ones', async () => {
	const node = await trigger();
	const current = JSON.parse(JSON.stringify(node.staticData()));
	// Another trigger of the workflow wrote back what it had read before the activation.
	const old = { [EVENT]: { subscriptionId: 1, secretKey: 'x' } };
	Object.assign(node.staticData(), { subscriptions: old });
	expect(await deliver(node)).toHaveProperty('workflowData');
	expect(node.staticData()).toMatchObject(current);
});

describe('the fetched proposal', () => {
	const fetching = async () => {
		const node = await trigger({ options: { fetchProposal: true } });
		service.control.clearRequests();
		return node;
	};
	const fetchedWith = async (node: Trigger, text = event()) => {
		const { workflowData } = await deliver(node, { text });
		const { proposal, proposalError } = workflowData![0]![0]!.json;
		return { proposal, proposalError };
	};
	const reads = () =>
		service.control.requests.filter(({ operationId }) => operationId === 'proposal.get');

	it('stands beside the event, or the reason why it does not', async () => {
		const node = await fetching();
		expect(await fetchedWith(node)).toEqual({
			proposal: service.control.proposal(seed.proposals.accepted),
			proposalError: undefined,
		});
		const unknown = event({ id: 'evt_2', data: { id: 99_999_999, status: 'Accepted' } });
		expect(await fetchedWith(node, unknown)).toEqual({
			proposal: null,
			proposalError: 'No record found with this ID',
		});
	});

	it('is not read again after a failure', async () => {
		service.control.failNext({ operationId: 'proposal.get', status: 503 });
		expect(await fetchedWith(await fetching())).toEqual({
			proposal: null,
			proposalError: expect.stringMatching(/Portal\.io/),
		});
		expect(reads()).toHaveLength(1);
	});

	it.each(['proposal.get', 'authentication.exchangeKey'])(
		'is given up after five seconds, while %s does not answer',
		async (operationId) => {
			const node = await fetching();
			const late = new AbortController();
			const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
			const gate = service.control.hold(operationId);
			if (operationId !== 'proposal.get') service.control.expireUserKeys();
			const fetched = fetchedWith(node);
			await gate.arrived(1);
			expect(timeout).toHaveBeenCalledWith(5000);
			late.abort();
			expect(await fetched).toEqual({
				proposal: null,
				proposalError: 'Portal.io did not return the proposal within 5 seconds',
			});
			timeout.mockRestore();
			gate.release();
		},
	);
});
