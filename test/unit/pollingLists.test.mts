/** Lists that are not as the polling trigger asks for them, and changes that are not to be reported. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { poll } from '../../nodes/PortalIoPollingTrigger/poll.ts';
import { DurableScheduler } from './durableScheduler.mts';
import { ModelService, pollContext, remembered } from './pollingModel.mts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('a service that does not sort as it is asked to', () => {
	it.each([
		['contactCreatedOrUpdated', 'id Asc', false],
		['contactCreatedOrUpdated', 'createdDate Desc', false],
		['contactCreatedOrUpdated', 'lastModifiedDate Asc', false],
		['proposalUpdated', 'id Asc', false],
		['proposalUpdated', 'lastModifiedDate Asc', true],
		['proposalUpdated', 'createdDate Desc', true],
		['paymentStatusChanged', 'id Asc', true],
	] as const)(
		'hides no change for long where the service does not sort: %s, %s, filter ignored: %s',
		async (event, by, filter) => {
			const n8n = new DurableScheduler(event, {}, true);
			Object.assign(n8n.service.reading, { maxPageSize: 5, sortedBy: by, ignoresAfter: filter });
			for (let index = 0; index < 23; index++) n8n.later.service.create('Accepted');
			await n8n.later.poll();
			for (const record of n8n.service.records.values()) {
				n8n.later.service.setChild(record, 'paymentRequests', 0, 'Paid');
				const reported = [];
				// Where the pages look sorted, one of the others is looked at each minute.
				for (let minutes = 0; minutes < 5; minutes++) {
					vi.setSystemTime(Date.now() + 60_000);
					reported.push(...(await n8n.poll()));
				}
				expect(reported).toHaveLength(1);
			}
		},
	);
});

describe('contacts without times', () => {
	it('compares contacts without times as they are listed, and reports each change once', async () => {
		const n8n = new DurableScheduler('contactCreatedOrUpdated', {}, true);
		n8n.service.reading.hidesTimes = true;
		const [one] = [1, 2, 3].map(() => n8n.later.service.create(''));
		expect(await n8n.poll()).toEqual([]);
		n8n.service.modify(one!, () => {});
		const added = n8n.service.create('');
		expect((await n8n.poll()).map(({ id }) => id)).toEqual([one!.id, added.id]);
		n8n.service.records.delete(added.id);
		expect(await n8n.poll()).toEqual([]);
		expect(Object.keys(remembered(n8n.database).known)).toHaveLength(3);
	});

	it('reports the first contact of an account, and none when the list is empty for a moment', async () => {
		const n8n = new DurableScheduler('contactCreatedOrUpdated', {}, true);
		const { reading, records } = n8n.service;
		reading.hidesTimes = true;
		expect(await n8n.later.poll()).toEqual([]);
		const first = n8n.service.create('');
		expect(await n8n.later.poll()).toMatchObject([{ id: first.id }]);
		records.clear();
		expect(await n8n.later.poll()).toEqual([]);
		records.set(first.id, first);
		expect(await n8n.later.poll()).toEqual([]);
	});

	it('starts a new baseline of contacts when the service begins or ceases to show times', async () => {
		const n8n = new DurableScheduler('contactCreatedOrUpdated', {}, true);
		const record = n8n.later.service.create('');
		for (const hidesTimes of [true, false, true]) {
			n8n.service.reading.hidesTimes = hidesTimes;
			expect(await n8n.later.poll()).toEqual([]);
			n8n.later.service.modify(record, () => {});
			expect(await n8n.poll()).toMatchObject([{ id: record.id }]);
		}
	});

	it('compares up to 5,000 contacts without times, and refuses more', async () => {
		const n8n = new DurableScheduler('contactCreatedOrUpdated', {}, true);
		n8n.service.reading.hidesTimes = true;
		n8n.service.reading.maxPageSize = 500;
		for (let count = 0; count < 5000; count++) n8n.service.create('');
		expect(await n8n.poll()).toEqual([]);
		expect(JSON.stringify(n8n.database).length).toBeLessThan(225_000);
		n8n.service.create('');
		await expect(n8n.poll()).rejects.toThrow('there are more than 5000');
	});
});

it.each([
	['changeOrderStatusChanged', 'changeOrders', 'Draft'],
	['paymentStatusChanged', 'paymentRequests', 'Undefined'],
] as const)(
	'ignores with %s one of the new %s in status %s, and reports the next status',
	async (event, kind, status) => {
		const n8n = new DurableScheduler(event, {}, true);
		const record = n8n.later.service.create('Accepted');
		await n8n.poll();
		n8n.later.service.setChild(record, kind, 0, status);
		expect(await n8n.poll()).toEqual([]);
		n8n.later.service.setChild(record, kind, 0, 'Submitted');
		expect(await n8n.poll()).toMatchObject([{ previousStatus: status }]);
	},
);

describe('Proposal Updated', () => {
	const users = [
		{ id: 1, firstName: 'Nia', lastName: 'Bot', email: 'Dealer@example.com' },
		{ id: 2, firstName: 'Ada', lastName: 'Holt', email: 'ada@example.com' },
	];
	const start = async (ignoreOwnChanges: boolean, team = users) => {
		const n8n = new DurableScheduler('proposalUpdated', { options: { ignoreOwnChanges } }, true);
		n8n.intercept = (url) =>
			url.startsWith('/public/users')
				? { statusCode: 200, body: { users: team, anotherList: [] } }
				: undefined;
		const record = n8n.later.service.create('Draft');
		await n8n.later.poll();
		return {
			n8n,
			modifyAs: (lastModifiedUser: object | null) =>
				n8n.later.service.modify(record, (one) => Object.assign(one, { lastModifiedUser })),
		};
	};
	const [own, other] = users;

	it('ignores a new proposal with Proposal Updated, and does not read it', async () => {
		const { n8n } = await start(true);
		n8n.later.service.create('Draft');
		n8n.intercept = (url) => void expect(url).toMatch(/^.public.proposals\?/);
		expect(await n8n.poll()).toEqual([]);
	});

	it('ignores own changes with no other event', async () => {
		const n8n = new DurableScheduler('proposalCreated', { options: { ignoreOwnChanges: true } });
		await n8n.poll();
		n8n.service.create('Draft');
		n8n.intercept = (url) => void expect(url).toMatch(/^.public.proposals\?/);
		expect(await n8n.poll()).toHaveLength(1);
	});

	it.each([
		[true, own, 0],
		[true, { firstName: `${own!.firstName} `, lastName: ` ${own!.lastName}` }, 0],
		[true, other, 1],
		[true, null, 1],
		[false, own, 1],
	])(
		'handles Ignore Own Changes %s: a change by %o is reported %i times',
		async (on, by, times) => {
			const { n8n, modifyAs } = await start(on);
			modifyAs(by as object | null);
			expect(await n8n.poll()).toHaveLength(times);
			expect(await n8n.poll()).toEqual([]);
		},
	);

	it('reports a change of a proposal that is deleted before its last user is read', async () => {
		const { n8n, modifyAs } = await start(true);
		modifyAs(own!);
		n8n.intercept = (url) => {
			if (/proposals\/\d/.test(url)) n8n.service.records.clear();
		};
		expect(await n8n.poll()).toHaveLength(1);
	});

	it.each([
		['is not among the active users', users.slice(1)],
		['has the name of another user', [own!, { ...other!, firstName: 'Nia', lastName: 'Bot' }]],
	])('says that it cannot tell own changes, and loses none: the user %s', async (reason, team) => {
		const { n8n, modifyAs } = await start(true, team);
		modifyAs(own!);
		// Has nothing to report, and keeps nothing from being said.
		n8n.service.create('Draft');
		await expect(n8n.poll()).rejects.toThrow(reason);
		n8n.intercept = (url) =>
			url.startsWith('/public/users') ? { statusCode: 200, body: { users } } : undefined;
		modifyAs(other!);
		expect(await n8n.poll()).toHaveLength(1);
	});
});

describe('a test run', () => {
	let service: ModelService;
	/** The IDs of proposals that this user may not read. */
	let hidden: number[];
	beforeEach(() => {
		service = new ModelService();
		hidden = [];
	});
	/** Makes proposals, of which some have a payment. */
	const plant = (count: number, payments: number[] = []) =>
		Array.from({ length: count }, (_, index) => {
			service.pass(60_000);
			const record = service.create(index === 1 ? 'Declined' : 'Accepted');
			if (payments.includes(index)) service.setChild(record, 'paymentRequests', 0, 'Paid');
			return record;
		});
	const sample = async (more: object = {}) => {
		const respond = (url: string) =>
			hidden.some((id) => url.endsWith(`/${id}`))
				? { statusCode: 403, body: {} }
				: service.respond(url);
		const parameters = { event: 'paymentStatusChanged', simplify: false, ...more };
		const output = await poll(pollContext(respond, {}, parameters, { mode: 'manual' }));
		return output?.[0]?.[0]?.json;
	};

	it('searches the hundred newest proposals in a test run, and reads each once', async () => {
		plant(120, [5, 20]);
		expect(await sample()).toMatchObject({ status: 'Paid', proposal: { number: 22 } });
		expect(service.requests).toBe(5 + 100);
	});

	it('says how far a test run has searched', async () => {
		plant(120, [19]);
		await expect(sample()).rejects.toMatchObject({
			description: expect.stringContaining('100 records that were modified last'),
		});
	});

	it('ends a test run at an empty page, where the service gives no count', async () => {
		service.repeatsLastPage = true;
		await expect(sample()).rejects.toThrow('There is nothing yet to show as a sample');
	});

	it.each([
		[['Declined'], 1],
		// There is none: any other shows the fields too.
		[['Expired'], 4],
	])(
		'shows in a test run a proposal with a chosen status, where there is one: %o',
		async (statuses, index) => {
			const { id } = plant(5)[index]!;
			expect(await sample({ event: 'proposalStatusChanged', statuses })).toMatchObject({ id });
		},
	);

	it('shows in a test run a proposal that this user may read, or says that there is none', async () => {
		const records = plant(2, [0, 1]);
		hidden.push(records[1]!.id);
		expect(await sample()).toMatchObject({ proposal: { id: records[0]!.id } });
		hidden.push(records[0]!.id);
		await expect(sample()).rejects.toMatchObject({ httpCode: '403' });
	});

	it.each([{}, { simplify: null }])('simplifies unless that is switched off: %o', async (given) => {
		plant(1);
		const parameters = { event: 'proposalCreated', simplify: undefined, ...given };
		expect(await sample(parameters)).toHaveProperty('proposalId');
	});
});
