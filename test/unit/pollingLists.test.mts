/** Lists that are not as the polling trigger asks for them, and what of their records is a change. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/events.ts';
import { readSample } from '../../nodes/PortalIoPollingTrigger/sample.ts';
import { simplifyTo } from '../../nodes/shared/simplify.ts';
import { FORBIDDEN, PolledNode, polledNode } from './polledNode.mts';
import { ModelService, pollContext, rememberedIds } from './pollingModel.mts';

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
	await expect(n8n.poll()).rejects.toThrow('Portal.io does not sort a list as requested');
	service.reading.sortedBy = undefined;
	expect(await n8n.poll()).toHaveLength(1);
});

it.each(['proposalUpdated', CONTACTS])('fails the poll without a count: %s', async (event) => {
	const { n8n, service } = await start(event);
	service.hidesCount = true;
	const message = 'Portal.io does not say how many records a list has';
	await expect(n8n.poll()).rejects.toThrow(message);
});

it('compares contacts without dates as they are listed, and reports each change once', async () => {
	const n8n = new PolledNode(CONTACTS);
	n8n.service.reading.hidesTimes = true;
	const [one] = [1, 2, 3].map(() => n8n.later.service.create(''));
	expect(await n8n.poll()).toEqual([]);
	n8n.service.modify(one!, () => {});
	const added = n8n.service.create('');
	expect((await n8n.poll()).map(({ id }) => id)).toEqual([one!.id, added.id]);
	n8n.service.records.delete(added.id);
	expect(await n8n.poll()).toEqual([]);
	expect(rememberedIds(n8n.database)).toHaveLength(3);
	n8n.intercept = () => ({ statusCode: 200, body: { people: [], peopleCount: 0 } });
	expect(await n8n.poll()).toEqual([]);
	n8n.intercept = () => undefined;
	expect(await n8n.poll()).toEqual([]);
});

it('reports no contact because the service begins or ceases to show dates', async () => {
	const n8n = new PolledNode(CONTACTS);
	const record = n8n.later.service.create('');
	for (const hidesTimes of [true, false, true]) {
		n8n.service.reading.hidesTimes = hidesTimes;
		expect(await n8n.later.poll()).toEqual([]);
		n8n.later.service.modify(record, () => {});
		expect(await n8n.poll()).toMatchObject([{ id: record.id }]);
	}
});

it('compares contacts without dates by the simplified fields', async () => {
	const { n8n, service } = await start(CONTACTS, 3);
	service.reading.hidesTimes = true;
	let city = 'Boulder';
	let responses = 0;
	n8n.intercept = (url) => {
		const response = service.respond(url) as { body: { people: object[] } };
		for (const person of response.body.people) {
			Object.assign(person, { primaryLocation: { city }, signature: responses++ });
		}
		return response;
	};
	await n8n.later.poll();
	expect(await n8n.later.poll()).toEqual([]);
	city = 'Denver';
	expect(await n8n.later.poll()).toHaveLength(3);
	expect(await n8n.later.poll()).toEqual([]);
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
	// The option of another event.
	const more = { options: { ignoreOwnChanges: true } };
	const { n8n, service, one } = await polledNode(event, 1, more);
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

const users = [
	{ id: 1, firstName: 'Nia', lastName: 'Bot', email: 'Dealer@example.com' },
	{ id: 2, firstName: 'Ada', lastName: 'Holt', email: 'ada@example.com' },
];
const startAs = async (ignoreOwnChanges: boolean, team = users) => {
	const options = { ignoreOwnChanges, fetchProposal: true };
	const started = await start('proposalUpdated', 1, { options });
	const { n8n, service, one } = started;
	n8n.intercept = (url) =>
		url.startsWith('/public/users')
			? { statusCode: 200, body: { anotherList: [], users: team } }
			: undefined;
	const modifyAs = (lastModifiedUser: object | null) =>
		service.modify((n8n.later, one), (record) => Object.assign(record, { lastModifiedUser }));
	return { ...started, modifyAs };
};
const [own, other] = users;

it.each([
	["the credential's user", true, 0, own],
	['the same user, with spaces', true, 0, { firstName: 'Nia ', lastName: ' Bot' }],
	['another user', true, 1, other],
	['another user with the same first name', true, 1, { firstName: 'Nia', lastName: 'Holt' }],
	['another user with the same last name', true, 1, { firstName: 'Ada', lastName: 'Bot' }],
	['nobody', true, 1, null],
	["the credential's user", false, 1, own],
])('reports a change by %s with Ignore Own Changes %s %i times', async (_, isOn, times, by) => {
	const { n8n, modifyAs } = await startAs(isOn);
	modifyAs(by as object | null);
	expect(await n8n.poll()).toHaveLength(times);
	expect(n8n.reads).toHaveLength(1);
	expect(await n8n.poll()).toEqual([]);
});

it('reports with Ignore Own Changes a proposal that cannot be read', async () => {
	const { n8n, one, modifyAs } = await startAs(true);
	modifyAs(own!);
	const { intercept } = n8n;
	n8n.intercept = (url) => (url.endsWith(`/${one.id}`) ? FORBIDDEN : intercept(url));
	expect(await n8n.poll()).toMatchObject([{ id: one.id }]);
});

it.each([
	['is not among the active users', users.slice(1)],
	['has the same name as another user', [own!, { ...other!, firstName: 'Nia', lastName: 'Bot' }]],
])('says why it recognizes no own changes, and loses none: the user %s', async (reason, team) => {
	const { n8n, modifyAs } = await startAs(true, team);
	modifyAs(other!);
	// In more polls than a proposal that cannot be read is tried.
	for (let count = 0; count < 4; count++) await expect(n8n.poll()).rejects.toThrow(reason);
	n8n.intercept = (url) =>
		url.startsWith('/public/users') ? { statusCode: 200, body: { users } } : undefined;
	expect(await n8n.poll()).toHaveLength(1);
});

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
