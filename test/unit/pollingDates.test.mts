/** Tests polls with dates that are in the future, equal, or missing. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pollEvents } from '../../nodes/PortalIoPollingTrigger/pollEvents.ts';
import { polledNode } from './polledNode.mts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const start = async (event: string) => {
	const { n8n, service, one, two } = await polledNode(event, 2);
	/** Makes a change that the tested event reports, dated `msAhead` milliseconds in the future. */
	const change = (status: string, msAhead = 0) => {
		if (event === 'proposalCreated') return void service.create(status, -msAhead);
		for (const kind of ['paymentRequests', 'changeOrders'] as const)
			service.setChild(one, kind, 0, status);
		service.setStatus(one, status, -msAhead);
	};
	const list = (dates: object) => {
		const proposals = [{ id: 7, number: 7, name: 'Den', status: 'Draft', ...dates }];
		const body = event.startsWith('contact')
			? { people: proposals, peopleCount: 1 }
			: { proposals, proposalCount: 1 };
		n8n.intercept = () => ({ statusCode: 200, body });
	};
	const counts = async () => [(await n8n.poll()).length, (await n8n.poll()).length];
	return { n8n, service, two, change, list, counts };
};

it.each(Object.keys(pollEvents))(
	'reports each change exactly once while a record has a future date: %s',
	async (event) => {
		const { n8n, service, two, change, counts } = await start(event);
		service.modify(two, () => {}, -23 * 3600_000);
		await n8n.poll();
		n8n.after(60_000);
		change('Accepted');
		expect(await counts()).toEqual([1, 0]);
		// Expect the change once, although its date is twelve minutes in the future.
		change('Declined', 12 * 60_000);
		expect(await counts()).toEqual([1, 0]);
		change('Completed');
		expect(await counts()).toEqual([1, 0]);
	},
);

const DATE = '2026-11-26T10:00:00';

it.each([
	['proposalCreated', { lastModifiedDate: DATE }],
	['proposalStatusChanged', { createdDate: DATE }],
	['contactCreatedOrUpdated', {}],
])('fails a poll of %s if the date of the event is missing', async (event, dates) => {
	const { n8n, list } = await start(event);
	list(dates);
	const message = 'Portal.io did not return a date for the record with the ID 7';
	await expect(n8n.poll()).rejects.toThrow(message);
});

it('ignores a new proposal in Proposal Updated if its dates differ only by ticks', async () => {
	const { n8n, service, list } = await start('proposalUpdated');
	const second = service.stamp(-60_000).slice(0, 19);
	for (const [ticks, name, count] of [
		['1240003', 'Den', 0],
		// The name has changed since the previous poll, but the modification date is still that of the creation.
		['1240003', 'Study', 1],
		['1260000', 'Study', 1],
	] as const) {
		list({ createdDate: `${second}.1239999`, lastModifiedDate: `${second}.${ticks}`, name });
		expect(await n8n.poll()).toHaveLength(count);
	}
});
