/** The examples that look after the subscriptions of triggers, in the real n8n. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { itemsOf } from '../../../testbed/n8n/database.mts';
import type { StoredWorkflow } from '../../../testbed/n8n/n8n.mts';
import { findSecrets } from '../../../testbed/secrets.mts';
import { until } from '../../../testbed/until.mts';
import { createChain, noOp, portalTrigger } from '../../../testbed/workflowBuilder.mts';
import { seed } from '../../../simulator/index.mts';
import { ownStage } from '../stages.mts';

const WATCHDOG = 'Subscription watchdog';
const RESUBSCRIBE = 'Resubscribe lost triggers';
const EVENT = 'proposal.status_changed';
const stage = ownStage({ examples: [WATCHDOG, RESUBSCRIBE] });
const control = () => stage().simulator.control;

/** All keys that deliveries were ever signed with, and the key of n8n's API. */
const secrets: Record<string, string> = {};

let orders: StoredWorkflow;
let project: string;

const activeIds = async () => (await stage().n8n.activeWorkflows()).map(({ id }) => id);
const rowsOf = async (table: string) => await stage().n8n.dataTableRows(table);
const rows = async () => await rowsOf('portal_subscriptions');
const ofOrders = () => {
	const webhookId = orders.nodes[0]!.webhookId!;
	return control()
		.subscriptions()
		.filter(({ url }) => String(url).includes(webhookId));
};

/** Runs the watchdog and returns what it would send a message about. */
async function watch() {
	for (const { id, secret_key: secret } of control().subscriptions()) {
		secrets[`secret of ${id}`] = String(secret);
	}
	const execution = await stage().n8n.runManually(stage().workflows[WATCHDOG]!, 'Every Hour');
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	expect(findSecrets(execution.stored, secrets)).toEqual([]);
	return {
		execution,
		messages: itemsOf<{ text: string }>(execution, 'Worth a Message').map(({ text }) => text),
	};
}

/** The changes of subscriptions that the service was asked for since this was called. */
function newChanges() {
	const before = control().requests.length;
	return () =>
		control()
			.requests.slice(before)
			.map(({ method, path }) => `${method} ${path}`)
			.filter((one) => /webhook/.test(one) && !one.startsWith('GET'));
}

/** Sets a status and waits until the workflow has started on it. */
async function expectStart(status: string) {
	const { n8n } = stage();
	const count = () => n8n.executions({ workflowId: orders.id }).length;
	const before = count();
	control().setStatus(seed.proposals.submitted, status);
	await until('the workflow to start', () => (count() > before ? true : undefined));
}

async function emptyTables() {
	const filter = {
		type: 'and',
		filters: [{ columnName: 'id', condition: 'gt', value: 0 }],
	};
	const query = encodeURIComponent(JSON.stringify(filter));
	for (const name of ['portal_subscriptions', 'portal_resubscriptions']) {
		const id = stage().tables[name];
		await stage().n8n.rest('DELETE', `/projects/${project}/data-tables/${id}/rows?filter=${query}`);
	}
}

beforeAll(async () => {
	const { n8n } = stage();
	project = (await n8n.rest<{ id: string }>('GET', '/projects/personal')).id;
	orders = await createChain(stage(), 'Orders', [portalTrigger([EVENT]), noOp]);
});
beforeEach(async () => {
	await emptyTables();
	await stage().n8n.deactivate(orders);
	await stage().n8n.activate(orders);
});
afterAll(async () => {
	await stage().n8n.deactivate(orders);
});

describe('the example "Subscription watchdog"', () => {
	test('enables a disabled subscription again, so that its workflow starts', async () => {
		const [{ id, url }] = ofOrders() as [{ id: number; url: string }];
		control().disableSubscription(id);
		const changes = newChanges();
		expect((await watch()).messages).toEqual([
			`The subscription of the workflow "Orders" to ${EVENT} was disabled in Portal.io. It is enabled again.`,
		]);
		expect(await rows()).toMatchObject([
			{ url, event: EVENT, subscriptionId: id, description: 'Orders', state: 'enabled again' },
		]);
		await expectStart('ViewedByClient');
		// It finds nothing to do afterwards.
		expect((await watch()).messages).toEqual([]);
		expect(await rows()).toMatchObject([{ state: 'active' }]);
		expect(changes()).toEqual([`POST /public/webhook/subscription/${id}`]);
	});

	test('reports a deleted one by the name of its workflow, once', async () => {
		await watch();
		control().deleteSubscriptions();
		const changes = newChanges();
		expect((await watch()).messages).toEqual([
			`Portal.io no longer has the subscription of the workflow "Orders" to ${EVENT}. If the workflow is published, unpublish it and publish it again.`,
		]);
		expect((await watch()).messages).toEqual([]);
		expect(changes()).toEqual([]);
		expect(await rows()).toMatchObject([{ state: 'lost' }]);
		// Who follows the advice is looked after again.
		await stage().n8n.deactivate(orders);
		await stage().n8n.activate(orders);
		expect((await watch()).messages).toEqual([]);
		expect(await rows()).toMatchObject([{ state: 'active', subscriptionId: ofOrders()[0]!.id }]);
		control().deleteSubscriptions();
		expect((await watch()).messages).toHaveLength(1);
	});

	test('touches no subscription of another n8n or another program', async () => {
		const { url } = stage().n8n;
		for (const address of [
			'https://n8n.other.example/webhook/6f1f63a5-0000-4000-8000-000000000001/webhook',
			`${url}/webhook-test/6f1f63a5-0000-4000-8000-000000000002/webhook`,
			`${url}/webhook/somebody-elses-webhook`,
			`${url}0/webhook/6f1f63a5-0000-4000-8000-000000000003/webhook`,
		]) {
			control().disableSubscription(control().addSubscription({ url: address, events: EVENT }));
		}
		const before = control().subscriptions();
		const changes = newChanges();
		expect((await watch()).messages).toEqual([]);
		expect(control().subscriptions()).toEqual(before);
		control().deleteSubscriptions(({ is_enabled: isEnabled }) => isEnabled === 0);
		expect((await watch()).messages).toEqual([]);
		expect(changes()).toEqual([]);
		expect(await rows()).toMatchObject([{ description: 'Orders', state: 'active' }]);
	});
});

describe('with the example "Resubscribe lost triggers"', () => {
	beforeAll(async () => {
		const { n8n, workflows } = stage();
		const { rawApiKey } = await n8n.rest<{ rawApiKey: string }>('POST', '/api-keys', {
			label: 'Watchdog',
			scopes: ['workflow:list', 'workflow:read', 'workflow:activate', 'workflow:deactivate'],
			expiresAt: null,
		});
		secrets['API key'] = rawApiKey;
		await chooseApiKey(rawApiKey);
		const { id } = workflows[RESUBSCRIBE]!;
		const { nodes } = structuredClone(workflows[WATCHDOG]!);
		const step = nodes.find(({ type }) => type === 'n8n-nodes-base.executeWorkflow')!;
		step.disabled = false;
		(step.parameters.workflowId as { value: string }).value = id;
		await n8n.updateWorkflow(workflows[WATCHDOG]!, { nodes });
	});
	afterAll(async () => {
		const { n8n, workflows } = stage();
		for (const name of [WATCHDOG, RESUBSCRIBE]) await n8n.deactivate(workflows[name]!);
	});

	/** Chooses an n8n API credential in the three steps that need one, and publishes. */
	async function chooseApiKey(apiKey: string) {
		const { n8n, workflows } = stage();
		const baseUrl = `${n8n.url}/api/v1`;
		const { id, name } = await n8n.createCredential('n8n', 'n8nApi', { apiKey, baseUrl });
		const { nodes } = structuredClone(workflows[RESUBSCRIBE]!);
		for (const node of nodes.filter(({ type }) => type === 'n8n-nodes-base.n8n')) {
			node.credentials = { n8nApi: { id, name } };
		}
		await n8n.updateWorkflow(workflows[RESUBSCRIBE]!, { nodes });
		await n8n.activate(workflows[RESUBSCRIBE]!);
	}

	test('both can be published', async () => {
		await stage().n8n.activate(stage().workflows[WATCHDOG]!);
		const { [WATCHDOG]: watchdog, [RESUBSCRIBE]: resubscribe } = stage().workflows;
		expect(await activeIds()).toEqual(
			expect.arrayContaining([watchdog!.id, resubscribe!.id, orders.id]),
		);
	});

	test('subscribes a lost one again, in the published version, and reports it once', async () => {
		const { n8n, workflows } = stage();
		await watch();
		// Somebody works on the next version meanwhile.
		const nodes = orders.nodes.map((node) =>
			node.name === noOp.name ? { ...node, notes: 'not ready' } : node,
		);
		await n8n.updateWorkflow(orders, { nodes });
		const published = async () =>
			(await n8n.rest<{ activeVersionId: string }>('GET', `/workflows/${orders.id}`))
				.activeVersionId;
		const version = await published();
		control().deleteSubscriptions();
		expect((await watch()).messages).toEqual([
			`Portal.io no longer has the subscription of the workflow "Orders" to ${EVENT}. The workflow is unpublished and published again.`,
		]);
		await until('the subscription', () => (ofOrders().length === 1 ? true : undefined));
		expect(await published()).toBe(version);
		await expectStart('Delayed');
		const changes = newChanges();
		expect((await watch()).messages).toEqual([]);
		expect(changes()).toEqual([]);
		expect(ofOrders()).toHaveLength(1);
		expect(await rows()).toMatchObject([{ state: 'active', subscriptionId: ofOrders()[0]!.id }]);
		// What n8n's API returns holds secrets, so nothing of it is kept.
		const { id } = workflows[RESUBSCRIBE]!;
		expect(n8n.executions({ workflowId: id }).flatMap(({ runs }) => Object.keys(runs))).toEqual([]);
	});

	test('finds one that was lost before the first run', async () => {
		control().deleteSubscriptions();
		await watch();
		await until('the subscription', () => (ofOrders().length === 1 ? true : undefined));
		expect(await rowsOf('portal_resubscriptions')).toMatchObject([
			{ workflow: 'Orders', state: 'done' },
		]);
	});

	test('leaves alone what somebody has unpublished, and does not report it', async () => {
		await watch();
		await stage().n8n.deactivate(orders);
		const changes = newChanges();
		expect((await watch()).messages).toEqual([]);
		expect(await rows()).toMatchObject([{ state: 'unpublished' }]);
		expect(changes()).toEqual([]);
		expect(await activeIds()).not.toContain(orders.id);
	});

	/** Adds a row of a workflow that was being published when n8n ended. */
	async function noteStart(workflowId: string, versionId: string) {
		const { n8n, tables } = stage();
		const path = `/projects/${project}/data-tables/${tables.portal_resubscriptions}/insert`;
		const changedAt = new Date().toISOString();
		const row = { workflowId, workflow: workflowId, versionId, state: 'started', changedAt };
		await n8n.rest('POST', path, { data: [row], returnType: 'count' });
	}

	test('publishes what it had unpublished when n8n ended', async () => {
		const { n8n } = stage();
		const { activeVersionId } = await n8n.rest<{ activeVersionId: string }>(
			'GET',
			`/workflows/${orders.id}`,
		);
		await n8n.deactivate(orders);
		await noteStart('deletedWorkflow', activeVersionId);
		await noteStart(orders.id, activeVersionId);
		await watch();
		await until('the subscription', () => (ofOrders().length === 1 ? true : undefined));
		expect(await rowsOf('portal_resubscriptions')).toMatchObject([
			// The others do not wait for one that somebody has deleted meanwhile.
			{ workflowId: 'deletedWorkflow', state: 'started' },
			{ workflowId: orders.id, state: 'done' },
		]);
	});

	test('tries again in the next hour when a workflow cannot be published', async () => {
		const { n8n } = stage();
		await watch();
		control().deleteSubscriptions();
		await noteStart(orders.id, 'noSuchVersion');
		await n8n.deactivate(orders);
		await watch();
		expect(await rowsOf('portal_resubscriptions')).toMatchObject([{ state: 'started' }]);
	});

	test("reports losses without n8n's API where its key is wrong", async () => {
		await chooseApiKey('wrong');
		await watch();
		control().deleteSubscriptions();
		const { messages } = await watch();
		expect(messages).toEqual([
			expect.stringMatching(/"Orders" to .* publish it again\. \(n8n API: .+\)$/),
		]);
		expect((await watch()).messages).toEqual([]);
	});
});
