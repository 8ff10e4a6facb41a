/** Tests lists that differ from what the polling trigger requested, and which of their records count as changes. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/pollEvents.ts';
import { readSample } from '../../nodes/PortalIoPollingTrigger/sample.ts';
import { simplifyTo } from '../../nodes/shared/simplify.ts';
import { FORBIDDEN, PolledNode, polledNode } from './polledNode.mts';
import { ModelService, pollContext } from './pollingModel.mts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const CONTACTS = 'contactCreatedOrUpdated';

const start = async (event: string, count = 1, more: object = {}) => {
	const started = await polledNode(event, count, more);
	const { service, one } = started;
	const change = (record = one) => {
		service.setStatus(record, 'Accepted');
		service.setChild(record, 'paymentRequests', 0, 'Paid');
		service.setChild(record, 'changeOrders', 0, 'Submitted');
	};
	return { ...started, change };
};

it.each([
	[CONTACTS, 'id Asc'],
	[CONTACTS, 'lastModifiedDate Asc'],
	['proposalUpdated', 'lastModifiedDate Asc'],
	['paymentStatusChanged', 'id Asc'],
] as const)(
	'fails a poll whose list has another order, then reports every change: %s sorted by %s',
	async (event, sortedBy) => {
		const { n8n, service, one, change } = await start(event, 23);
		service.options.maxPageSize = 5;
		Object.assign(service.options, { sortedBy, ignoresAfter: true });
		change((n8n.later, one));
		await expect(n8n.poll()).rejects.toThrow('Portal.io did not sort a list as requested');
		service.options.sortedBy = undefined;
		expect(await n8n.poll()).toHaveLength(1);
	},
);

it.each(['proposalUpdated', CONTACTS])(
	'fails a poll whose list has no count: %s',
	async (event) => {
		const { n8n, service } = await start(event);
		service.hidesCount = true;
		const message = 'Portal.io did not report how many records a list has';
		await expect(n8n.poll()).rejects.toThrow(message);
	},
);

it.each([CONTACTS, 'proposalUpdated'])(
	'reports a record only once, even if another field differs in each response: %s',
	async (event) => {
		const { n8n, service, one } = await start(event);
		let responses = 0;
		n8n.intercept = (url) => {
			const response = service.respond(url) as { body: Record<string, object[]> };
			const { people = [], proposals = people } = response.body;
			for (const record of proposals) Object.assign(record, { signature: responses++ });
			return response;
		};
		service.modify((n8n.later, one), () => {});
		expect(await n8n.poll()).toHaveLength(1);
		expect(await n8n.poll()).toEqual([]);
	},
);

it.each(['proposalUpdated', CONTACTS])(
	'reports the first record of an account: %s',
	async (event) => {
		const n8n = new PolledNode(event);
		await n8n.poll();
		const one = n8n.later.service.create('Draft');
		n8n.after(1).service.modify(one, () => {});
		expect(await n8n.poll()).toMatchObject([{ id: one.id }]);
	},
);

it.each([
	['paymentStatusChanged', 'paymentRequests'],
	['changeOrderStatusChanged', 'changeOrders'],
] as const)(
	'ignores a first status of Draft, but reports any other one: %s',
	async (event, kind) => {
		const { n8n, service, one } = await polledNode(event, 1);
		service.setChild((n8n.later, one), kind, 0, 'Draft');
		expect(await n8n.poll()).toEqual([]);
		service.setChild((n8n.later, one), kind, 1, 'Submitted');
		expect(await n8n.poll()).toMatchObject([{ status: 'Submitted', previousStatus: null }]);
	},
);

const service = () => {
	const model = new ModelService();
	const statuses = ['Accepted', 'Declined', 'Accepted'];
	const records = statuses.map((status) => (model.pass(60_000), model.create(status)));
	for (const one of records.slice(0, 2)) model.setChild(one, 'paymentRequests', 0, 'Paid');
	return { model, records };
};
const sample = async (model: ModelService, more: object = {}, hidden: number[] = []) => {
	const respond = (url: string) =>
		hidden.some((id) => url.endsWith(`/${id}`)) ? FORBIDDEN : model.respond(url);
	const parameters = { event: 'paymentStatusChanged', output: 'raw', ...more };
	const output = await readSample(pollContext(respond, parameters));
	return output.json;
};

it.each([
	[['Declined'], 1],
	// No proposal has this status, so expect a proposal with another status, which has the same fields.
	[['Expired'], 0],
])(
	'in a test run, shows a proposal with a chosen status if one exists: %j',
	async (statuses, index) => {
		const { model, records } = service();
		const chosen = { event: 'proposalStatusChanged', statuses };
		expect(await sample(model, chosen)).toMatchObject({ id: records[index]!.id });
	},
);

it('in a test run, shows a proposal that this user is allowed to read', async () => {
	const { model, records } = service();
	const [first, second] = records.map(({ id }) => id);
	expect(await sample(model, {}, [second!])).toMatchObject({ proposal: { id: first } });
	await expect(sample(model, {}, [first!, second!])).rejects.toThrow('does not have permission');
});

it('ends a test run when no proposal can be read', async () => {
	const model = new ModelService();
	for (let count = 0; count < 12; count++) model.create('Accepted');
	const reads: string[] = [];
	const respond = (url: string) => {
		if (url.includes('?')) return model.respond(url);
		reads.push(url);
		return { statusCode: 500 };
	};
	const context = pollContext(respond, { event: 'paymentStatusChanged' });
	await expect(readSample(context)).rejects.toMatchObject({ facts: { status: '500' } });
	expect(reads).toHaveLength(4);
});

it.each([
	['own', { customer: { companyName: 'own' }, dealer: { salesperson: { firstName: 'own' } } }],
	[null, {}],
])('outputs the client and salesperson of a change order: %s', (name, people) => {
	const proposal = { id: 5, number: 1012, name: 'Den', status: 'Accepted' };
	const changed = { record: { id: 7, status: 'Draft', ...people }, proposal };
	const { shape, shapeSource } = pollEvents.changeOrderStatusChanged!;
	const output = simplifyTo(shape, shapeSource(changed));
	expect(output).toMatchObject({ proposalId: 5, clientName: name, salesPersonName: name });
});
