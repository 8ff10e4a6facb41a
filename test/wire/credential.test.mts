import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seed, startService } from './account.mts';
import { execute, type StoredCredential } from '../../testbed/nodeRunner.mts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => await service.simulator.stop());
beforeEach(() => service.control.clearRequests());

const list = { resource: 'proposal', operation: 'getMany', limit: 1 };
const run = (credential: StoredCredential, items = [{}]) =>
	execute({ credential, parameters: list, items });
const failure = async (credential: StoredCredential) =>
	await run(credential).then(
		() => expect.unreachable('the execution should have failed'),
		(error: unknown) => error as { message: string; description?: string | null },
	);

describe('the user key', () => {
	it('is exchanged once for many inputs, and kept', async () => {
		const credential = service.credential();
		expect(await run(credential, [{}, {}, {}, {}, {}])).toHaveLength(5);
		expect(service.control.exchangeCount()).toBe(1);
		await run(credential);
		expect(service.control.exchangeCount()).toBe(1);
		expect(credential.data.userApiKey).toMatch(/^[\w+/]{43}=$/);
	});

	it('is renewed when it has expired, at the cost of one exchange and no failure', async () => {
		const credential = service.credential();
		await run(credential);
		service.control.expireUserKeys();
		service.control.clearRequests();
		expect(await run(credential, [{}, {}])).toHaveLength(2);
		// Both inputs were under way with the old key; one exchange serves both.
		expect(service.control.requests.map(({ path, status }) => `${path} ${status}`)).toEqual([
			'/public/proposals 401',
			'/public/proposals 401',
			'/authenticate/apikeyexchange 200',
			'/public/proposals 200',
			'/public/proposals 200',
		]);
	});

	it('is exchanged once by executions that start at the same moment', async () => {
		const credential = service.credential();
		await Promise.all(Array.from({ length: 10 }, () => run(credential)));
		expect(service.control.exchangeCount()).toBe(1);
	});

	it('is exchanged with a password of any characters, and goes nowhere but into its header', async () => {
		await run(service.credential());
		const [exchange, read] = service.control.requests;
		expect(exchange?.status).toBe(200);
		expect(read?.status).toBe(200);
	});
});

describe('a credential that does not work', () => {
	it.each<[string, () => StoredCredential, string, string, number]>([
		[
			'a wrong password',
			() => service.credential('dealer', { password: 'not the password' }),
			'Portal.io refused the user name or password',
			"Check the 'User Name' and 'Password'",
			1,
		],
		[
			'a wrong secret',
			() => service.credential('dealer', { secretKey: 'bm90LXRoZS1zZWNyZXQ=' }),
			"Portal.io refused the signature of the login: check 'Application Key' and 'Secret Key'",
			'the clock of this machine',
			1,
		],
		[
			'an e-mail address that is not verified',
			() => service.credential('unverified'),
			'The e-mail address of this Portal.io account is not verified yet',
			'Follow the link',
			1,
		],
		[
			'a host that is not there',
			() => service.credential('dealer', { baseUrl: 'http://127.0.0.1:9' }),
			'127.0.0.1:9 cannot be reached',
			"Check the 'Environment' and 'Base URL'",
			0,
		],
		[
			'a host that is something else',
			() => service.credential('dealer', { baseUrl: `${service.simulator.url}/customer` }),
			'is not the address of the Portal.io API',
			"Check the 'Environment' and 'Base URL'",
			0,
		],
		[
			'a plain http address',
			() => service.credential('dealer', { baseUrl: 'http://api.portal.io' }),
			"The 'Base URL' of the credential must start with https://",
			'Give an address such as',
			0,
		],
		[
			'a subscription that lapsed',
			() => service.credential('lapsed'),
			'The Portal.io subscription of this dealer is inactive or expired',
			'Renew the subscription',
			1,
		],
		[
			'a user without the permission',
			() => service.credential('restricted'),
			'This Portal.io user may not do this',
			'Ask the administrator',
			1,
		],
	])('says so for %s', async (_case, credential, message, description, exchanges) => {
		const error = await failure(credential());
		expect(error.message).toContain(message);
		expect(error.description).toContain(description);
		expect(service.control.exchangeCount()).toBe(exchanges);
	});

	it('shows no secret in anything that n8n keeps of the error', async () => {
		const secrets = [
			seed.dealer.password,
			encodeURIComponent(seed.dealer.password),
			seed.dealer.secretKey,
		];
		const broken = [
			service.credential('dealer', { baseUrl: 'http://127.0.0.1:9' }),
			service.credential('dealer', { appKey: 'unknown' }),
			service.credential('dealer', { username: 'nobody@example.com' }),
		];
		for (const credential of broken) {
			const error = await failure(credential);
			const kept = JSON.stringify(error, Object.getOwnPropertyNames(error)) + JSON.stringify(error);
			for (const secret of secrets) expect(kept).not.toContain(secret);
			expect(kept).not.toMatch(/X-MSS-SIGNATURE|Password=/i);
		}
	});
});

describe('a redirect', () => {
	it('is not followed: the signed headers stay with the host they are for', async () => {
		const credential = service.credential();
		await run(credential);
		const elsewhere = await startService();
		service.control.failNext({
			operationId: 'proposal.getMany',
			status: 302,
			times: 1,
			headers: { Location: `${elsewhere.simulator.url}/public/proposals` },
		});
		const error = await failure(credential);
		await elsewhere.simulator.stop();
		expect(error.message).toBe('There is no such address at this service');
		expect(elsewhere.control.requests).toEqual([]);
	});
});
