/** A credential that somebody edits after it worked, as the editor saves it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { itemsOf } from '../../testbed/n8n/database.mts';
import type { StoredCredential } from '../../testbed/n8n/n8n.mts';
import { credentialData } from '../../testbed/stage.mts';
import { createChain, portal, portalTrigger, type Part } from '../../testbed/workflowBuilder.mts';
import { seed } from '../../simulator/index.mts';
import { newRequests, runOnce } from './runs.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();
const list = portal({ resource: 'proposal', operation: 'getMany', limit: 100 });
const httpRequest = (): Part => ({
	name: 'Portal.io',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		url: `${stage().simulator.url}/public/proposals?PageSize=100`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'portalIoApi',
		options: { splitIntoItems: false },
	},
});

let credential: StoredCredential;
/** Saves changes as the editor does, which shows and sends back placeholders for secrets. */
async function edit(changes: Record<string, string>) {
	const { n8n } = stage();
	const path = `/credentials/${credential.id}`;
	const { name, type, data } = await n8n.rest<{ name: string; type: string; data: object }>(
		'GET',
		`${path}?includeData=true`,
	);
	await n8n.rest('PATCH', path, { name, type, data: { ...data, ...changes } });
}
/** The IDs of the proposals that a node finds with the credential. */
async function proposalsFound(part: Part): Promise<unknown[]> {
	const execution = await runOnce(stage(), 'Edited credential', [part], credential);
	expect(execution.error).toBeUndefined();
	return itemsOf(execution, 'Portal.io').flatMap((item) =>
		Array.isArray(item.proposals) ? item.proposals.map(({ id }: { id: number }) => id) : [item.id],
	);
}

beforeEach(async () => {
	const { n8n, simulator } = stage();
	credential = await n8n.createCredential('Edited', 'portalIoApi', credentialData(simulator));
	expect(await proposalsFound(list)).toContain(seed.proposals.staleTheatre);
});

describe('a credential changed to another user', () => {
	const { username, password, appKey, secretKey } = seed.otherDealer;
	beforeEach(async () => await edit({ username, password, appKey, secretKey }));

	test.for([
		['the Portal.io node', () => list],
		['the HTTP Request node', httpRequest],
	] as const)('is used by %s at once', async ([, part]) => {
		const found = await proposalsFound(part());
		expect(found).toContain(seed.proposals.otherDraft);
		expect(found).not.toContain(seed.proposals.staleTheatre);
	});

	test('subscribes the trigger in the account of that user', async () => {
		const { n8n, simulator } = stage();
		const trigger = portalTrigger(['proposal.status_changed']);
		const workflow = await createChain({ n8n, credential }, 'Edited', [trigger]);
		await n8n.activate(workflow);
		const accounts = simulator.control.subscriptions().map((row) => row.account_id);
		await n8n.deactivate(workflow);
		expect(accounts).toEqual([seed.accounts.otherDealer]);
	});
});

describe('a credential changed to a wrong password', () => {
	let requests: ReturnType<typeof newRequests>;
	beforeEach(async () => {
		await edit({ password: 'nonsense' });
		requests = newRequests(stage());
	});
	afterEach(() => {
		// Nothing was done in the name of the former user.
		const answered = requests().filter(({ status }) => status < 400);
		expect(answered).toEqual([]);
	});

	test('fails its test', async () => {
		expect(await stage().n8n.testCredential(credential)).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('Portal.io refused the email or password'),
		});
	});

	test.for([
		['the Portal.io node', () => list],
		['the HTTP Request node', httpRequest],
	] as const)('fails in %s', async ([, part]) => {
		const execution = await runOnce(stage(), 'Wrong password', [part()], credential);
		expect(execution.status).toBe('error');
		expect(JSON.stringify(execution.error)).toContain('refused the email or password');
	});

	test('lets no trigger subscribe', async () => {
		const { n8n } = stage();
		const trigger = portalTrigger(['proposal.status_changed']);
		const workflow = await createChain({ n8n, credential }, 'Wrong password', [trigger]);
		await expect(n8n.activate(workflow)).rejects.toThrow('refused the email or password');
		await n8n.deactivate(workflow);
	});
});
