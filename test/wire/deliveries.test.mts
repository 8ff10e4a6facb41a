/** Tests deliveries to the built trigger in n8n's own webhook context. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { triggerNode } from '../../dev/testbed/nodeRunner.mts';
import { fileService, seed } from './account.mts';
import { signedHeaders } from './deliver.mts';

const EVENT = 'proposal.status_changed';
const ACKNOWLEDGED = { answer: { status: 200, ended: true } };
type Trigger = ReturnType<typeof triggerNode>;

const service = fileService();
const otherPortal = fileService();
beforeEach(() => {
	service.control.deleteSubscriptions();
	service.control.clearRequests();
});

const trigger = async (parameters: object = {}) => {
	const credential = service.account;
	const events = { events: [EVENT], output: 'raw' };
	const node = triggerNode({ credential, parameters: { ...events, ...parameters } });
	expect(await node.checkExists()).toBe(false);
	expect(await node.create()).toBe(true);
	return node;
};
const secret = () => String(service.control.subscriptions()[0]!.secret_key);
const event = (more: object = {}) => {
	const data = { id: seed.proposals.accepted, status: 'Accepted', name: 'Küche' };
	return JSON.stringify({ id: 'evt_1', type: EVENT, created: '', data, ...more });
};
const deliver = async (node: Trigger, text = event()) =>
	await node.receive(signedHeaders(secret(), text), Buffer.from(text));

it('starts the workflow only once with the unchanged event', async () => {
	const node = await trigger();
	const workflowData = [[{ json: JSON.parse(event()) }]];
	expect(await deliver(node)).toEqual({ ...ACKNOWLEDGED, workflowData });
	expect(await deliver(node, event({ attempt: 2 }))).toEqual(ACKNOWLEDGED);
	// Copy only the static data, because nothing else is left after a restart or in another process.
	const restarted = triggerNode({ credential: service.account, parameters: { events: [EVENT] } });
	Object.assign(restarted.staticData(), JSON.parse(JSON.stringify(node.staticData())));
	expect(await deliver(restarted)).toEqual(ACKNOWLEDGED);
	// Unpublish, which also makes this process forget the deliveries.
	await node.delete();
	await node.create();
	expect(await deliver(node)).toHaveProperty('workflowData');
});

const fetching = async () => {
	const node = await trigger({ options: { fetchProposal: true } });
	service.control.clearRequests();
	return node;
};
const fetchedWith = async (node: Trigger, text = event()) => {
	const { workflowData } = await deliver(node, text);
	const { proposal, proposalError } = workflowData![0]![0]!.json;
	return { proposal, proposalError };
};

it('adds the proposal, or the reason why it could not be read, to the event', async () => {
	const node = await fetching();
	expect(await fetchedWith(node)).toEqual({
		proposal: service.control.proposal(seed.proposals.accepted),
		proposalError: undefined,
	});
	service.control.clearRequests();
	service.fail('proposal.get', { status: 503 });
	expect(await fetchedWith(node, event({ id: 'evt_2' }))).toMatchObject({
		proposal: null,
		proposalError: { details: { httpCode: '503' } },
	});
	expect(service.control.requests).toHaveLength(1);
	service.respond('proposal.get', { maintenance: true });
	const error = 'Unexpected response: Portal.io did not return a proposal';
	const unreadable = await fetchedWith(node, event({ id: 'evt_3' }));
	expect(unreadable).toMatchObject({ proposal: null, proposalError: { error } });
});

it('never reads a proposal with the same ID from another service', async () => {
	const credential = service.credential();
	const options = { fetchProposal: true };
	const node = triggerNode({ credential, parameters: { events: [EVENT], options } });
	await node.create();
	credential.data = otherPortal.credential().data;
	const { workflowData } = await deliver(node);
	expect(workflowData![0]![0]!.json).toMatchObject({
		proposalId: seed.proposals.accepted,
		name: 'Küche',
		clientName: null,
		proposalError: { error: expect.stringContaining(`comes from ${service.simulator.url}`) },
	});
	expect(otherPortal.control.requests).toEqual([]);
});

it("outputs the simplified fields of the proposal with the event's status", async () => {
	const options = { fetchProposal: true };
	const node = await trigger({ options, output: 'simplified' });
	const json = async (data: object, id: string) =>
		(await deliver(node, event({ id, data }))).workflowData![0]![0]!.json;
	const id = seed.proposals.accepted;
	const fetched = { name: 'Holt family room', salesPersonName: 'Avery Lindqvist' };
	const declined = { id, status: 'Declined' };
	expect(await json(declined, 'evt_1')).toMatchObject({ ...fetched, status: 'Declined' });
	expect(await json({ id }, 'evt_2')).toMatchObject({ status: 'Accepted' });
	expect(await json({ id: String(id) }, 'evt_2b')).toMatchObject({ status: 'Accepted' });
	for (const unknown of [undefined, { value: id }]) {
		expect(await json({ id: unknown, status: 'Sent' }, `evt_3 ${unknown}`)).toMatchObject({
			proposalError: { error: 'The event does not say which proposal changed' },
		});
	}
	// Expect an invalid value from an expression to be treated as off.
	node.node.parameters.options = { fetchProposal: 'perhaps' };
	expect(await json(declined, 'evt_4')).toMatchObject({ name: null });
});

describe('an event without a status', () => {
	const data = { id: seed.proposals.accepted };
	const filtering = async (statuses: string[], parameters: object = {}) => {
		const node = await trigger({ statuses, options: { fetchProposal: false }, ...parameters });
		service.control.clearRequests();
		return node;
	};

	it("starts the workflow only if the proposal's status is chosen", async () => {
		const node = await filtering(['Declined']);
		expect(await deliver(node, event({ data }))).toEqual(ACKNOWLEDGED);
		node.node.parameters.statuses = ['Accepted', 'Declined'];
		const { workflowData } = await deliver(node, event({ id: 'evt_2', data }));
		expect(workflowData).toEqual([[{ json: JSON.parse(event({ id: 'evt_2', data })) }]]);
		node.node.parameters.output = 'simplified';
		const simplified = await deliver(node, event({ id: 'evt_3', data }));
		expect(simplified.workflowData![0]![0]!.json).toMatchObject({ status: 'Accepted' });
	});

	it('starts the workflow and outputs the reason if the status cannot be read', async () => {
		const node = await filtering(['Declined']);
		service.fail('proposal.get', { status: 500 });
		const { workflowData } = await deliver(node, event({ data }));
		expect(workflowData![0]![0]!.json).toMatchObject({
			data,
			proposalError: { details: { httpCode: '500' } },
		});
	});

	it('starts the workflow without a read if no status is chosen', async () => {
		expect(await deliver(await filtering([]), event({ data }))).toHaveProperty('workflowData');
		expect(service.control.requests).toEqual([]);
	});
});

it('ignores an event whose own status is not chosen, without a read', async () => {
	const node = await trigger({ statuses: ['Declined'], options: { fetchProposal: true } });
	service.control.clearRequests();
	expect(await deliver(node)).toEqual(ACKNOWLEDGED);
	expect(service.control.requests).toEqual([]);
});

it.each(['proposal.get', 'authentication.exchangeKey'])(
	'starts the workflow after five seconds if %s does not respond',
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
		const error = 'Portal.io did not return the proposal within 5 seconds';
		expect(await fetched).toEqual({ proposal: null, proposalError: { error } });
		timeout.mockRestore();
		gate.release();
	},
);
