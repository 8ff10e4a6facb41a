/** Dates of the service that a poll has to be right about: ahead, equal, or missing. */
import { describe, expect, it } from 'vitest';
import { pollingTriggerNode, restoredService, seed } from './account.mts';

const service = restoredService({ listedContacts: 'full' });

const { accepted, submitted, viewed } = seed.proposals;
const [contact, other] = [seed.contacts.withPrimary, seed.contacts.company];
const active = async (event: string) => {
	const parameters = { event };
	const node = pollingTriggerNode({ credential: service.account, parameters });
	expect(await node.poll()).toBeNull();
	return node;
};
const now = (ms = 0) => new Date(service.control.now() + ms).toISOString();
const touch = (id: number, lastModifiedDate: string) =>
	service.control.update('proposals', { id }, { lastModifiedDate });

const changes: Record<string, (date: string, turn: number) => void> = {
	changeOrderStatusChanged: (date, turn) => {
		service.control.setStatus(
			seed.changeOrders.draft,
			['Submitted', 'Accepted', 'Declined'][turn]!,
		);
		touch(accepted, date);
	},
	contactCreatedOrUpdated: (lastModifiedDate, turn) => {
		const changed = { firstName: `Changed ${turn}`, lastModifiedDate };
		service.control.update('people', { id: contact }, changed);
	},
	paymentStatusChanged: (date, turn) => {
		const [payment] = service.control.proposal(accepted).paymentRequests;
		const status = ['Verifying', 'Paid', 'Refunded'][turn];
		service.control.update('payment_requests', { id: payment.id }, { status });
		touch(accepted, date);
	},
	proposalCreated: (createdDate) =>
		void service.control.addProposals(1, { like: submitted, createdDate }),
	proposalStatusChanged: (date, turn) => {
		service.control.setStatus(submitted, ['Expired', 'Delayed', 'Declined'][turn]!);
		touch(submitted, date);
	},
	proposalUpdated: (date, turn) => {
		service.control.update('proposals', { id: submitted }, { name: `Changed ${turn}` });
		touch(submitted, date);
	},
};

describe.each(Object.entries(changes))('%s', (event, change) => {
	it('reports changes while another record is dated ahead, and then those of that record', async () => {
		const node = await active(event);
		const ahead = now(23 * 3600_000);
		service.control.update('people', { id: other }, { lastModifiedDate: ahead });
		touch(viewed, ahead);
		await node.poll();
		await service.control.advance(60);
		change(now(), 0);
		expect(await node.poll()).toHaveLength(1);
		expect(await node.poll()).toBeNull();
		// Twelve minutes ahead itself, and then as it should be.
		change(now(12 * 60_000), 1);
		expect(await node.poll()).toHaveLength(1);
		expect(await node.poll()).toBeNull();
		change(now(), 2);
		expect(await node.poll()).toHaveLength(1);
		expect(await node.poll()).toBeNull();
	});

	it('reports two changes in one second, with a poll between', async () => {
		const node = await active(event);
		const second = now(60_000).replace(/\.\d+Z$/, 'Z');
		for (const turn of [0, 1]) {
			change(second, turn);
			expect(await node.poll()).toHaveLength(1);
		}
		expect(await node.poll()).toBeNull();
	});
});

it.each([
	['proposalCreated', 'created', { lastModifiedDate: '2026-11-26T10:00:00' }],
	['proposalStatusChanged', 'modified', { createdDate: '2026-11-26T10:00:00' }],
])('fails a poll of %s without the date that says what was %s', async (event, what, dates) => {
	const node = await active(event);
	const proposals = [{ id: 7, number: 7, name: 'Den', status: 'Draft', ...dates }];
	const body = { proposals, proposalCount: 1 };
	service.control.failNext({ operationId: 'proposal.getMany', status: 200, body });
	const message = `Portal.io does not say when the record with the ID 7 was ${what}`;
	await expect(node.poll()).rejects.toThrow(message);
});

it('starts Proposal Updated on no new proposal whose dates differ by ticks', async () => {
	const node = await active('proposalUpdated');
	const dates = (ticks: string) => {
		const second = now(60_000).slice(0, 19);
		return { createdDate: `${second}.1239999`, lastModifiedDate: `${second}.${ticks}` };
	};
	for (const [ticks, count] of [
		['1240003', undefined],
		['1260000', 1],
	] as const) {
		const proposals = [{ id: 7, number: 7, name: 'Den', status: 'Draft', ...dates(ticks) }];
		const body = { proposals, proposalCount: 1 };
		service.control.failNext({ operationId: 'proposal.getMany', status: 200, body });
		expect((await node.poll())?.length).toBe(count);
	}
});
