/** Tests services that differ from the simulator's assumptions. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { triggerNode } from '../../dev/testbed/nodeRunner.mts';
import { restoredService, seed } from './account.mts';
import { watchLog } from './subscribing.mts';

describe('a service that rejects a user API key in its own words', () => {
	const service = restoredService({ unknownUserKey: 'inOwnWords' });

	it('renews the key', async () => {
		service.control.expireUserKeys();
		expect(await service.run('user.getMany')).not.toEqual([]);
		expect(service.sent()).toEqual(['user.getMany', 'authentication.exchangeKey', 'user.getMany']);
	});
});

describe('a service that also lists records modified exactly at the requested time, and lists records with equal dates in any order', () => {
	const service = restoredService({ modifiedAfter: 'inclusive', ties: 'changing' });
	const { staleTheater, accepted, staleOffice } = seed.proposals;

	it('reports simultaneous changes exactly once each', async () => {
		const node = service.polling('proposalUpdated');
		await node.poll();
		await service.control.advance(60);
		const lastModifiedDate = new Date(service.control.now()).toISOString();
		for (const id of [staleTheater, accepted, staleOffice]) {
			service.control.update('proposals', { id }, { lastModifiedDate });
		}
		await service.control.advance(60);
		const reported = [await node.poll(), await node.poll(), await node.poll()];
		const ids = reported.map((outputs) => (outputs ?? []).map(({ proposalId }) => proposalId));
		expect(ids.map((all) => all.toSorted())).toEqual([
			[staleTheater, accepted, staleOffice].toSorted(),
			[],
			[],
		]);
	});

	it('lists every proposal exactly once', async () => {
		const listed = await service.run('proposal.getMany', { returnAll: true });
		const ids = listed.map(({ proposalId }) => proposalId);
		expect(ids).toHaveLength(new Set(ids).size);
		const rows = service.control.rows('proposals', { parent_id: null, is_archived: 0 });
		expect(ids.length).toBeGreaterThan(0);
		expect(rows.filter(({ id }) => ids.includes(id))).toHaveLength(ids.length);
	});
});

describe('a service that signs an event only once', () => {
	const service = restoredService({ deliverySignature: 'once' });
	afterEach(() => void vi.useRealTimers());

	it("needs a longer 'Max Event Age' for retries, as the log explains", async () => {
		const log = watchLog();
		const signatures: string[] = [];
		const bodies: Buffer[] = [];
		const receiver = createServer((request, response) => {
			void buffer(request).then((body) => {
				signatures.push(String(request.headers['x-webhook-signature']));
				bodies.push(body);
				response.writeHead(503).end();
			});
		});
		await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
		const node = triggerNode({
			credential: service.account,
			parameters: { events: ['proposal.status_changed'] },
		});
		await node.create();
		const { port } = receiver.address() as AddressInfo;
		service.control.update('subscriptions', {}, { url: `http://127.0.0.1:${port}/` });
		service.control.accept(seed.proposals.staleTheater);
		await service.control.idle();
		// Add a second to each retry delay, because the delay begins only after the previous attempt ends.
		for (const minutes of [1, 5, 30]) await service.control.advance(minutes * 60 + 1);
		receiver.close();
		expect(signatures).toEqual(Array.from({ length: 4 }, () => signatures[0]));
		const headers = { 'x-webhook-signature': signatures[3]! };
		const body = bodies[3]!;
		vi.useFakeTimers({ toFake: ['Date'], now: service.control.now() });
		expect(await node.receive(headers, body)).toMatchObject({ answer: { status: 401 } });
		expect(log.join('')).toMatch(/too old: .* set 'Max Event Age \(Seconds\)' to 52800/);
		node.node.parameters.options = { toleranceSeconds: 52_800 };
		expect(await node.receive(headers, body)).toHaveProperty('workflowData');
	});
});
