/** What the user reads of a credential that cannot be used. */
import { beforeEach, expect, it } from 'vitest';
import { fileService } from './account.mts';
import { execute, type StoredCredential } from '../../dev/testbed/nodeRunner.mts';

const service = fileService();
beforeEach(() => service.control.clearRequests());

const list = { resource: 'proposal', operation: 'getMany', limit: 1 };
const run = (credential: StoredCredential, items = [{}]) =>
	execute({ credential, parameters: list, items });
const failure = async (credential: StoredCredential) =>
	await run(credential).then(
		() => expect.unreachable('the execution should have failed'),
		(error: unknown) => error as { message: string; description?: string | null },
	);

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
])(
	'names what is wrong with a credential: %s',
	async (_case, credential, message, description, exchanges) => {
		const error = await failure(credential());
		expect(error.message).toContain(message);
		expect(error.description).toContain(description);
		expect(service.control.exchangeCount()).toBe(exchanges);
	},
);
