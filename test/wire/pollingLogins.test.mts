/** Tests how often a polling trigger repeats a rejected login. One attempt every minute could lock the account. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { loadWorker, type StoredCredential } from '../../dev/testbed/nodeRunner.mts';
import { fileService, seed } from './account.mts';

const service = fileService();

// Fake the clocks once for all tests. Otherwise, each test would restart the monotonic clock, which never goes back.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterAll(() => void vi.useRealTimers());

const EXCHANGE = 'authentication.exchangeKey';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const pass = (ms: number) => void vi.advanceTimersByTime(ms);

const polling = (credential: StoredCredential) =>
	service.polling('proposalUpdated', {}, credential);
/**
 * Returns a published trigger without a stored key. By default, its password is wrong, as after a change in Portal.io.
 */
const start = async (password = 'changed in Portal.io') => {
	const credential = service.credential();
	const node = polling(credential);
	await node.poll();
	credential.data = { ...credential.data, password, userApiKey: '' };
	service.control.expireUserKeys();
	service.control.clearRequests();
	pass(MINUTE);
	const logins = async (another = node) => {
		await another.poll().catch(() => null);
		return service.count(EXCHANGE);
	};
	return { credential, node, logins };
};

it('retries a rejected login after an hour, or as soon as the password changes', async () => {
	const { credential, node, logins } = await start('wrong for an hour');
	expect(await logins()).toBe(1);
	pass(HOUR - 1);
	vi.setSystemTime(Date.now() - 5 * HOUR);
	expect(await logins()).toBe(1);
	await expect(node.poll()).rejects.toMatchObject({
		message: expect.stringContaining('email or password'),
		description: expect.stringContaining('The trigger will retry the login in an hour'),
		failure: { cause: 'credential-invalid' },
	});
	pass(1);
	expect(await logins()).toBe(2);
	credential.data = { ...credential.data, password: 'wrong, too' };
	expect(await logins()).toBe(3);
});

it('retries a failed login in the next poll unless the email or password was rejected', async () => {
	const { logins } = await start('fails at a firewall');
	service.control.failNext({ operationId: EXCHANGE, status: 403, body: '<html></html>' });
	expect(await logins()).toBe(1);
	pass(MINUTE);
	expect(await logins()).toBe(2);
});

/**
 * Returns a published trigger whose login was rejected because the user's email address was not verified. Now the
 * address is verified, but the login has not been repeated.
 */
const startUnverified = async () => {
	const started = await start(seed.dealer.password);
	const setVerified = (isEmailVerified: boolean) =>
		void service.control.update('users', { email: seed.dealer.username }, { isEmailVerified });
	setVerified(false);
	expect([await started.logins(), (pass(MINUTE), await started.logins())]).toEqual([1, 1]);
	await expect(started.node.poll()).rejects.toThrow('has not been verified');
	setVerified(true);
	pass(MINUTE);
	expect(await started.logins()).toBe(1);
	return started;
};

it.each([
	['in this process', () => undefined],
	['in another process', () => loadWorker()],
])('polls again after a request of the account succeeds %s', async (_, worker) => {
	const { credential, node } = await startUnverified();
	await service.run('user.getMany', {}, { credential, worker: worker() });
	expect(await node.poll()).toBeNull();
});

/**
 * Publishes the workflow as n8n does if publishing fails: five times, with pauses of 1, 2, 4, and 8 seconds. Returns
 * the number of logins.
 */
const publish = async ({ credential, logins }: Awaited<ReturnType<typeof start>>) => {
	let count = 0;
	for (const seconds of [0, 1, 2, 4, 8]) {
		pass(seconds * 1000);
		count = await logins(polling(credential));
	}
	return count;
};

it.each([2000, MINUTE])(
	'retries a rejected login only once each time the workflow is published, %i ms after a failure',
	async (ms) => {
		const started = await start(`wrong while publishing after ${ms}`);
		expect(await publish(started)).toBe(1);
		pass(ms);
		expect(await publish(started)).toBe(2);
		pass(ms);
		expect(await publish(started)).toBe(3);
	},
);

it('retries a rejected login if the workflow is published half a minute after a poll', async () => {
	const { credential, logins } = await start('wrong just before publishing');
	expect(await logins()).toBe(1);
	pass(MINUTE / 2);
	expect(await logins(polling(credential))).toBe(2);
});
