/** Lists that are not as the polling trigger asks for them, and changes that are not to be reported. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { poll } from '../../nodes/PortalIoPollingTrigger/poll.ts';
import { DurableScheduler } from './durableScheduler.mts';
import { ModelService, pollContext } from './pollingModel.mts';

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

	it('refuses more contacts without times than can be remembered', async () => {
		const n8n = new DurableScheduler('contactCreatedOrUpdated');
		n8n.service.reading.hidesTimes = true;
		n8n.service.reading.maxPageSize = 500;
		for (let index = 0; index <= 5000; index++) n8n.service.create('');
		await expect(n8n.poll()).rejects.toThrow('there are more than 5000');
	});
});

describe('Proposal Updated', () => {
	const users = [
		{ id: 1, firstName: 'Nia', lastName: 'Bot', email: 'Dealer@example.com' },
		{ id: 2, firstName: 'Ada', lastName: 'Holt', email: 'ada@example.com' },
	];
	const start = async (ignoreOwnChanges: boolean, team = users) => {
		const n8n = new DurableScheduler('proposalUpdated', { options: { ignoreOwnChanges } }, true);
		n8n.intercept = (url) =>
			url.startsWith('/public/users') ? { statusCode: 200, body: { users: team } } : undefined;
		const record = n8n.later.service.create('Draft');
		await n8n.later.poll();
		return {
			n8n,
			modifyAs: (lastModifiedUser: object | null) =>
				n8n.later.service.modify(record, (one) => Object.assign(one, { lastModifiedUser })),
		};
	};
	const [own, other] = users;

	it('ignores a new proposal with Proposal Updated', async () => {
		const { n8n } = await start(false);
		n8n.later.service.create('Draft');
		expect(await n8n.poll()).toEqual([]);
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

	it.each([
		['is not among the active users', users.slice(1)],
		['has the name of another user', [own!, { ...other!, firstName: 'Nia', lastName: 'Bot' }]],
	])('says that it cannot tell own changes, and loses none: the user %s', async (reason, team) => {
		const { n8n, modifyAs } = await start(true, team);
		modifyAs(own!);
		await expect(n8n.poll()).rejects.toThrow(reason);
		n8n.intercept = (url) =>
			url.startsWith('/public/users') ? { statusCode: 200, body: { users } } : undefined;
		modifyAs(other!);
		expect(await n8n.poll()).toHaveLength(1);
	});
});

describe('a test run', () => {
	const sample = async (payments: number[]) => {
		const service = new ModelService();
		for (let index = 0; index < 120; index++) {
			service.pass(60_000);
			const record = service.create('Accepted');
			if (payments.includes(index)) service.setChild(record, 'paymentRequests', 0, 'Paid');
		}
		const parameters = { event: 'paymentStatusChanged', simplify: false };
		const more = { mode: 'manual' };
		const context = pollContext((url) => service.respond(url), {}, parameters, more);
		return (await poll(context))?.[0]?.[0]?.json;
	};

	it('searches the hundred newest proposals in a test run', async () => {
		expect(await sample([5, 20])).toMatchObject({ status: 'Paid', proposal: { number: 22 } });
	});

	it('says how far a test run has searched', async () => {
		await expect(sample([19])).rejects.toMatchObject({
			description: expect.stringContaining('100 records that were modified last'),
		});
	});
});
