/** Lists that are not as the polling trigger asks for them, and what of their records is a change. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/events.ts';
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
] as const)('fails the poll, and loses nothing: %s sorted by %s', async (event, sortedBy) => {
	const { n8n, service, one, change } = await start(event, 23);
	service.reading.maxPageSize = 5;
	Object.assign(service.reading, { sortedBy, ignoresAfter: true });
	change((n8n.later, one));
	await expect(n8n.poll()).rejects.toThrow('Portal.io did not sort a list as requested');
	service.reading.sortedBy = undefined;
	expect(await n8n.poll()).toHaveLength(1);
});

it.each(['proposalUpdated', CONTACTS])('fails the poll without a count: %s', async (event) => {
	const { n8n, service } = await start(event);
	service.hidesCount = true;
	const message = 'Portal.io did not report how many records a list has';
	await expect(n8n.poll()).rejects.toThrow(message);
});

it.each(['both', 'modified', 'later'] as const)(
	'reports each new and each changed contact once: dates %s',
	async (contactDates) => {
		const n8n = new PolledNode(CONTACTS);
		n8n.service.reading.contactDates = contactDates;
		const [one] = [1, 2, 3].map(() => n8n.later.service.create(''));
		expect(await n8n.poll()).toEqual([]);
		const added = n8n.later.service.create('');
		expect(await n8n.poll()).toMatchObject([{ id: added.id }]);
		for (const record of [one!, added]) {
			n8n.later.service.modify(record, () => {});
			expect(await n8n.poll()).toMatchObject([{ id: record.id }]);
		}
		expect(await n8n.later.poll()).toEqual([]);
	},
);

it('reports no contact of which another field than the simplified ones changes by itself', async () => {
	const { n8n, service, one } = await start(CONTACTS);
	let responses = 0;
	n8n.intercept = (url) => {
		const response = service.respond(url) as { body: { people: object[] } };
		for (const person of response.body.people) Object.assign(person, { signature: responses++ });
		return response;
	};
	service.modify((n8n.later, one), () => {});
	expect(await n8n.poll()).toHaveLength(1);
	expect(await n8n.poll()).toEqual([]);
});

it('reports a proposal once of which another field than the simplified ones changes by itself', async () => {
	const { n8n, service, one } = await start('proposalUpdated');
	let responses = 0;
	n8n.intercept = (url) => {
		const response = service.respond(url) as { body: { proposals: object[] } };
		for (const proposal of response.body.proposals) {
			Object.assign(proposal, { signature: responses++ });
		}
		return response;
	};
	service.modify((n8n.later, one), () => {});
	expect(await n8n.poll()).toHaveLength(1);
	expect(await n8n.poll()).toEqual([]);
});

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

it('knows older records although the newest ones are deleted', async () => {
	const { n8n, service, records } = await polledNode('proposalStatusChanged', 3);
	for (const { id } of records.slice(1)) service.records.delete(id);
	expect(await n8n.poll()).toEqual([]);
	service.setStatus((n8n.later, records[0]!), 'Accepted');
	expect(await n8n.poll()).toMatchObject([{ previousStatus: 'Submitted' }]);
});

it('reports a change after the clock of the service was set back', async () => {
	const { n8n, service, one } = await polledNode('proposalUpdated');
	service.modify(one, () => {});
	expect(await n8n.poll()).toHaveLength(1);
	service.pass(-1000);
	service.modify(one, () => {});
	service.pass(1000);
	// The next poll shows that it is no earlier version from a machine that lags behind.
	expect(await n8n.poll()).toEqual([]);
	expect(await n8n.poll()).toHaveLength(1);
	expect(await n8n.poll()).toEqual([]);
});

it.each([
	['paymentStatusChanged', 'paymentRequests'],
	['changeOrderStatusChanged', 'changeOrders'],
] as const)('reports no first status: %s', async (event, kind) => {
	const { n8n, service, one } = await polledNode(event, 1);
	service.setChild((n8n.later, one), kind, 0, 'Draft');
	expect(await n8n.poll()).toEqual([]);
	service.setChild((n8n.later, one), kind, 1, 'Submitted');
	expect(await n8n.poll()).toMatchObject([{ status: 'Submitted', previousStatus: null }]);
});

it.each(['proposalUpdated', 'proposalStatusChanged', 'paymentStatusChanged', CONTACTS])(
	'reports no change when a machine of the service lags behind: %s',
	async (event) => {
		const { n8n, service, one, change } = await start(event);
		const before = structuredClone(one);
		change((n8n.later, one));
		expect(await n8n.poll()).toHaveLength(1);
		service.records.set(one.id, before);
		expect(await n8n.poll()).toEqual([]);
		service.records.set(one.id, one);
		expect(await n8n.poll()).toEqual([]);
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
	// There is none: any other shows the fields too.
	[['Expired'], 0],
])('shows a proposal with a chosen status, where there is one: %j', async (statuses, index) => {
	const { model, records } = service();
	const chosen = { event: 'proposalStatusChanged', statuses };
	expect(await sample(model, chosen)).toMatchObject({ id: records[index]!.id });
});

it('shows a proposal that this user may read, or says that there is none', async () => {
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
])('names the people of a change order, or nobody if it has none: %s', (name, people) => {
	const proposal = { id: 5, number: 1012, name: 'Den', status: 'Accepted' };
	const changed = { record: { id: 7, status: 'Draft', ...people }, proposal };
	const { shape, shapeSource } = pollEvents.changeOrderStatusChanged!;
	const output = simplifyTo(shape, shapeSource(changed));
	expect(output).toMatchObject({ proposalId: 5, clientName: name, salesPersonName: name });
});
