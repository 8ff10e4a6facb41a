import { describe, expect, it } from 'vitest';
import { restoredService, runner } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/webhookSubscription/index.ts';

const service = restoredService();
const { run } = service;
const url = 'https://receiver.example.com/portal?x=1&y=2';

describe('webhookSubscription', () => {
	it('create, getMany, update, delete', async () => {
		const events = ['proposal.status_changed', 'proposal.build.status_update'];
		const [created] = await run('webhookSubscription.create', { url, events, description: 'Mine' });
		expect(created).toMatchObject({ url, description: 'Mine', enabled: true });
		expect([...(created!.events as string[])].sort()).toEqual([...events].sort());
		expect(created!.secretKey).toBe(service.control.subscriptions()[0]!.secret_key);

		const { subscriptionId } = created!;
		const updateFields = { enabled: false, events: [events[0]!], description: '' };
		const [updated] = await run('webhookSubscription.update', { subscriptionId, updateFields });
		expect(updated).toMatchObject({ url, enabled: false, events: [events[0]] });

		const listed = await run('webhookSubscription.getMany', { returnAll: true });
		expect(listed).toEqual([
			expect.objectContaining({ subscriptionId, enabled: false, events: [events[0]] }),
		]);
		expect(listed[0]).not.toHaveProperty('secretKey');

		expect(await run('webhookSubscription.delete', { subscriptionId })).toEqual([
			{ deleted: true, subscriptionId },
		]);
		expect(await run('webhookSubscription.getMany', { returnAll: true })).toEqual([]);
	});

	it('400: an address that the service cannot reach, and one that is not there', async () => {
		await expect(
			run('webhookSubscription.create', {
				url: 'https://192.168.1.1/x',
				events: ['proposal.status_changed'],
			}),
		).rejects.toMatchObject({ httpCode: '400', description: expect.stringContaining('Url') });
		await expect(
			run('webhookSubscription.delete', { subscriptionId: 99999 }),
		).rejects.toMatchObject({
			httpCode: '400',
		});
	});

	it.each([
		['402', 'lapsed'],
		['403', 'restricted'],
	] as const)('%s', async (httpCode, account) => {
		const theirs = runner(() => service.credential(account));
		await expect(
			theirs('webhookSubscription.create', { url, events: ['proposal.status_changed'] }),
		).rejects.toMatchObject({ httpCode });
	});
});
