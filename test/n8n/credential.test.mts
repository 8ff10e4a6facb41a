/** Tests the credential in n8n: its test, storage, and editing. For its messages, see test/faults/login. */
import { expect, it } from 'vitest';
import { seed, type RecordedRequest } from '../../dev/simulator/index.mts';
import { itemsOf } from '../../dev/testbed/n8n/database.mts';
import { findSecrets, collectSecrets } from '../../dev/testbed/secrets.mts';
import { credentialData } from '../../dev/testbed/environment.mts';
import type { StoredCredential } from '../../dev/testbed/n8n/n8n.mts';
import { byId, portal } from '../../dev/testbed/workflowBuilder.mts';
import { newRequests, runOnce } from './executions.mts';
import { sharedEnvironment } from './environments.mts';

const environment = sharedEnvironment();
const read = portal({
	resource: 'proposal',
	operation: 'get',
	proposalId: byId(seed.proposals.accepted),
	output: 'raw',
});

const countLogins = (requests: readonly RecordedRequest[]) =>
	requests.filter(({ operationId }) => operationId === 'authentication.exchangeKey').length;

const createCredential = async () =>
	await environment().n8n.createCredential(
		'Own',
		'portalIoApi',
		credentialData(environment().simulator),
	);

/** Saves changes as the editor does, which receives placeholders for secrets and sends them back. */
async function edit({ id }: { id: string }, changes: Record<string, string>) {
	const { n8n } = environment();
	const path = `/credentials/${id}`;
	type Shown = StoredCredential & { data: object };
	const credential = await n8n.rest<Shown>('GET', `${path}?includeData=true`);
	expect(findSecrets(JSON.stringify(credential), collectSecrets(environment().simulator))).toEqual(
		[],
	);
	const { name, type, data } = credential;
	await n8n.rest('PATCH', path, { name, type, data: { ...data, ...changes } });
}

it('reports a wrong password in the credential test after one login', async () => {
	const { n8n } = environment();
	const credential = await createCredential();
	expect(await n8n.testCredential(credential)).toMatchObject({ status: 'OK' });

	await edit(credential, { password: 'not the password' });
	const requests = newRequests(environment());
	const result = await n8n.testCredential(credential);
	expect(result).toMatchObject({
		status: 'Error',
		message: expect.stringContaining('Portal.io rejected the email or password'),
	});
	expect(countLogins(requests())).toBe(1);
	expect(JSON.stringify(result)).not.toContain('not the password');
});

it('logs in only once after the user API key has expired', async () => {
	// Use another host name, because this test could otherwise share the login of another test whose key also expires.
	const credential = await createCredential();
	const baseUrl = environment().simulator.url.replace('127.0.0.1', 'localhost');
	await edit(credential, { baseUrl });
	await runOnce(environment(), [read], { credential });
	environment().simulator.control.expireUserKeys();
	const requests = newRequests(environment());
	for (let run = 1; run <= 2; run++) {
		const execution = await runOnce(environment(), [read], { credential });
		expect(itemsOf(execution, 'Portal.io')).toMatchObject([{ id: seed.proposals.accepted }]);
	}
	expect(countLogins(requests())).toBe(1);
});

it("reports that 'Allowed Domains' prevents the login", async () => {
	const credential = await createCredential();
	const restriction = { allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' };
	// Use a name that no other test logs in with, so n8n has no key for it.
	await edit(credential, { username: 'nobody@clients.example', ...restriction });
	const requests = newRequests(environment());
	const { error } = await runOnce(environment(), [read], { credential });
	expect(error?.message).toContain("'Allowed Domains' in the credential does not include");
	expect(requests()).toEqual([]);
});

it("uses the account that the credential's expressions select for each input item", async () => {
	const { n8n, simulator } = environment();
	// Keep the passwords in the credential, because input items must not contain passwords.
	const passwords = Object.fromEntries(
		[seed.otherDealer, seed.dealer].map(({ username, password }) => [username, password]),
	);
	const credential = await n8n.createCredential('By row', 'portalIoApi', {
		...credentialData(simulator),
		username: '={{ $json.user }}',
		password: `={{ (${JSON.stringify(passwords)})[$json.user] }}`,
	});
	const rows = [seed.otherDealer, seed.dealer, seed.otherDealer].map(({ username }) => username);
	const users = portal({ resource: 'user', operation: 'getMany' });
	const input = rows.map((user) => ({ user }));
	const execution = await runOnce(environment(), [users], { credential, input });
	const emails = itemsOf(execution, 'Portal.io').map(({ email }) => email);
	const usernames = [seed.otherDealer.username, seed.dealer.username];
	expect(emails.filter((email) => usernames.includes(String(email)))).toEqual(rows);
});
