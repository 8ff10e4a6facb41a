/** What the memory of a polling trigger belongs to, and what becomes of one that cannot be read. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CredentialError } from '../../client/account.ts';
import { DurableScheduler } from './durableScheduler.mts';
import { remembered } from './pollingModel.mts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('the memory', () => {
	const start = async (event = 'proposalStatusChanged') => {
		const n8n = new DurableScheduler(event, {}, true);
		const record = n8n.later.service.create('Draft');
		await n8n.later.poll();
		return { n8n, record };
	};

	it.each<[string, (state: Record<string, unknown>) => Record<string, unknown>]>([
		['of another format', (data) => ({ ...data, format: 2 })],
		['without a format', ({ state }) => JSON.parse(String(state)) as Record<string, unknown>],
		['that is no JSON', (data) => ({ ...data, state: 'known' })],
		['that is null', (data) => ({ ...data, state: 'null' })],
		...['from', 'known', 'pending', 'failures', 'source', 'isComplete'].flatMap((name) =>
			[null, 'x', { 5: null }, { 5: { 0: 1, 1: '' } }, { 5: [1, 2] }].map(
				(value): [string, (state: Record<string, unknown>) => Record<string, unknown>] => [
					`with ${JSON.stringify(value)} for ${name}`,
					(data) => {
						const memory = JSON.parse(String(data.state)) as object;
						return { ...data, state: JSON.stringify({ ...memory, [name]: value }) };
					},
				],
			),
		),
	])('replaces a memory of %s by a new baseline, with a line in the log', async (name, change) => {
		const { n8n, record } = await start();
		n8n.database = change(n8n.database);
		n8n.later.service.setStatus(record, 'Submitted');
		expect(await n8n.poll()).toEqual([]);
		n8n.later.service.setStatus(record, 'Accepted');
		expect(await n8n.poll()).toMatchObject([{ previousStatus: 'Submitted' }]);
		if (name !== 'with "x" for source') {
			expect(n8n.log).toEqual([expect.stringContaining('cannot be read')]);
		}
	});

	it('replaces a memory of another format although it reads the same', async () => {
		const { n8n, record } = await start();
		n8n.database = { ...n8n.database, format: 2 };
		expect(await n8n.poll()).toEqual([]);
		n8n.later.service.setStatus(record, 'Submitted');
		expect(await n8n.poll()).toHaveLength(1);
	});

	it('starts a new baseline when the same credential is for another account', async () => {
		const { n8n } = await start('proposalCreated');
		n8n.account = { baseUrl: 'https://other.example.com' };
		n8n.service.create('Accepted');
		expect(await n8n.poll()).toEqual([]);
		const added = n8n.later.service.create('Accepted');
		expect(await n8n.poll()).toMatchObject([{ id: added.id }]);
	});

	it('keeps the memory when keys and password of the account change', async () => {
		const { n8n, record } = await start();
		n8n.account = { password: 'new', appKey: 'new', secretKey: 'new' };
		n8n.later.service.setStatus(record, 'Accepted');
		expect(await n8n.poll()).toMatchObject([{ id: record.id, previousStatus: 'Draft' }]);
	});
});

it('repeats a refused login when the credential has changed, or after an hour', async () => {
	const n8n = new DurableScheduler('proposalUpdated');
	const username = `${randomUUID()}@example.com`;
	n8n.account = { username };
	let logins = 0;
	n8n.intercept = () => {
		logins++;
		throw new CredentialError('Portal.io refused the email or password');
	};
	const refuse = async () => {
		await expect(n8n.poll()).rejects.toMatchObject({
			message: 'Portal.io refused the email or password',
			failure: { cause: 'credential-invalid' },
		});
		return logins;
	};
	expect([await refuse(), await refuse(), await refuse()]).toEqual([1, 1, 1]);
	n8n.account = { username, password: 'another' };
	expect([await refuse(), await refuse()]).toEqual([2, 2]);
	vi.setSystemTime(Date.now() + 3600_000 - 1);
	expect(await refuse()).toBe(2);
	vi.setSystemTime(Date.now() + 1);
	expect([await refuse(), await refuse()]).toEqual([3, 3]);
});

it('drops what n8n has not saved after somebody has changed the static data', async () => {
	const n8n = new DurableScheduler('proposalStatusChanged');
	const record = n8n.later.service.create('Draft');
	await n8n.later.poll();
	expect(n8n.database).toEqual({});
	n8n.later.service.setStatus(record, 'Submitted');
	expect(await n8n.poll()).toHaveLength(1);
	expect(remembered(n8n.database).known[record.id]![1]).toBe('Submitted');
	await n8n.later.poll();
	n8n.database = {};
	n8n.later.service.setStatus(record, 'Accepted');
	expect(await n8n.poll()).toEqual([]);
});
