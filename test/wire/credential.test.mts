import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { seed, startService } from './account.mts';
import {
	anotherWorker,
	execute,
	sign,
	type StoredCredential,
} from '../../dev/testbed/nodeRunner.mts';

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

/** A service that no key was exchanged with: for some seconds a new one serves every credential. */
async function anotherService() {
	const another = await startService();
	onTestFinished(async () => await another.simulator.stop());
	return another;
}

it('a credential that cannot be used fails each input with its index', async () => {
	const output = await execute({
		credential: service.credential('dealer', { password: '' }),
		parameters: list,
		items: [{}, {}],
		continueOnFail: true,
	});
	expect(output.map(({ error }) => error?.context.itemIndex)).toEqual([0, 1]);
	expect(output.map(({ json }) => json.error)).toEqual(
		Array(2).fill("Fill in the 'Password' of the credential"),
	);
});

describe('a credential that was changed after it worked', () => {
	const numbersOf = async (credential: StoredCredential) =>
		(await execute({ credential, parameters: { ...list, returnAll: true } })).map(
			({ json }) => json.number,
		);

	it('to another user works with the account of that user from the next request on', async () => {
		const credential = service.credential();
		const mine = await numbersOf(credential);
		const theirs = await numbersOf(service.credential('otherDealer'));
		Object.assign(credential.data, seed.otherDealer);
		service.control.clearRequests();
		expect(await numbersOf(credential)).toEqual(theirs);
		expect(theirs).not.toEqual(mine);
		expect(service.control.requests.map(({ status }) => status)).not.toContain(401);
	});

	it.each([
		['password', 'nonsense', 'Portal.io refused the email or password'],
		['username', 'nobody@example.com', 'Portal.io refused the email or password'],
		['secretKey', 'nonsense', 'Portal.io refused the signature of the login'],
	])('to a wrong %s sends nothing in the name of the former user', async (field, value, error) => {
		// A login that was refused is not tried again for a moment.
		const { control, credential: credentialOf } = await anotherService();
		const credential = credentialOf();
		await run(credential);
		credential.data[field] = value;
		control.clearRequests();
		expect(await failure(credential)).toMatchObject({ message: expect.stringContaining(error) });
		expect(control.requests.map(({ path }) => path)).toEqual(['/authenticate/apikeyexchange']);
	});

	it('does not hand the former key to a request of the HTTP Request node either', async () => {
		const credential = service.credential();
		await run(credential);
		credential.data.password = 'nonsense';
		const { headers } = await sign(credential, { method: 'GET', url: '/public/proposals' });
		expect(headers['X-MSS-API-USERKEY']).toBe('');
	});

	it('keeps no field that it does not declare', async () => {
		const credential = service.credential();
		const fields = Object.keys(credential.data);
		await run(credential);
		service.control.expireUserKeys();
		await run(credential);
		expect(Object.keys(credential.data)).toEqual(fields);
	});
});

describe('a credential that does not work', () => {
	it.each<[string, () => StoredCredential, string, string, number]>([
		[
			'a wrong password',
			() => service.credential('dealer', { password: 'not the password' }),
			'Portal.io refused the email or password',
			"Check the 'Email' and 'Password'",
			1,
		],
		[
			'a wrong secret',
			() => service.credential('dealer', { secretKey: 'bm90LXRoZS1zZWNyZXQ=' }),
			"Portal.io refused the signature of the login: check 'Application Key' and 'Secret Key'",
			'the clock of the n8n server',
			1,
		],
		[
			'an email address that is not verified',
			() => service.credential('unverified'),
			'The email address of this Portal.io account is not verified yet',
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
			'Enter a URL such as',
			0,
		],
		[
			'a subscription that lapsed',
			() => service.credential('lapsed'),
			'Your Portal.io subscription is inactive or expired',
			'Renew the subscription',
			1,
		],
		[
			'a user without the permission',
			() => service.credential('restricted'),
			'This Portal.io user does not have permission to do this',
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

it('a key settles between workers of whose exchanges each ends the key of the other', async () => {
	const { control, credential } = await anotherService();
	const shared = credential();
	shared.onExchange = (key) => void control.expireUserKeys(key);
	await run(shared);
	control.expireUserKeys();
	control.clearRequests();
	const workers = [undefined, anotherWorker(), anotherWorker()];
	const outputs = await Promise.all(
		workers.map((worker) =>
			execute({ credential: shared, worker, parameters: list, items: Array(30).fill({}) }),
		),
	);
	expect(outputs.map(({ length }) => length)).toEqual([30, 30, 30]);
	expect(control.exchangeCount()).toBeLessThanOrEqual(workers.length * 2);
});
