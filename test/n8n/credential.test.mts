/** What the editor says when a credential is tested. */
import { describe, expect, test } from 'vitest';
import { freePort } from '../../testbed/ports.mts';
import { findSecrets, secretsOf } from '../../testbed/secrets.mts';
import { credentialData } from '../../testbed/stage.mts';
import { seed } from '../../simulator/index.mts';
import { exchangesIn, newRequests } from './runs.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();

describe("the editor's test of the credential", () => {
	const cases: Record<string, { changes: () => Promise<object>; message: RegExp }> = {
		'a wrong secret': {
			changes: async () => ({ secretKey: 'bm90IHRoZSBzZWNyZXQga2V5' }),
			message: /secret key/i,
		},
		'a wrong password': {
			changes: async () => ({ password: 'not the password' }),
			message: /email or password/i,
		},
		'an email address that is not verified': {
			changes: async () => seed.unverified,
			message: /email address.*not verified/i,
		},
		'a host that cannot be reached': {
			changes: async () => ({ baseUrl: `http://127.0.0.1:${await freePort()}` }),
			message: /cannot be reached/i,
		},
		'an address that is not the service': {
			changes: async () => ({ baseUrl: stage().n8n.url }),
			message: /not the address of the Portal\.io API|not with a Portal\.io user key/i,
		},
		'an account whose subscription has lapsed': {
			changes: async () => seed.lapsed,
			message: /subscription.*(inactive|expired)/i,
		},
	};

	test('accepts the right one', async () => {
		const { n8n, credential } = stage();
		expect(await n8n.testCredential(credential)).toMatchObject({ status: 'OK' });
	});

	test.for(Object.keys(cases))('says what is wrong with %s', async (which) => {
		const { n8n, simulator } = stage();
		const { changes, message } = cases[which]!;
		const data = { ...credentialData(simulator), ...(await changes()) };
		const stored = await n8n.createCredential(which, 'portalIoApi', data);
		const requests = newRequests(stage());
		const answer = await n8n.testCredential(stored);
		expect(answer).toMatchObject({ status: 'Error', message: expect.stringMatching(message) });
		expect(exchangesIn(requests())).toBeLessThanOrEqual(1);
		const secrets = {
			...secretsOf(simulator),
			theirPassword: data.password!,
			theirSecret: data.secretKey!,
		};
		expect(findSecrets(JSON.stringify(answer), secrets)).toEqual([]);
	});

	test('gives none of the secrets back to the editor', async () => {
		const { n8n, credential, simulator } = stage();
		const shown = await n8n.rest('GET', `/credentials/${credential.id}?includeData=true`);
		expect(findSecrets(JSON.stringify(shown), secretsOf(simulator))).toEqual([]);
	});
});
