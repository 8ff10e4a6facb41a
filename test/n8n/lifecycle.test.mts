/**
 * What becomes of the subscriptions of a Portal.io Trigger at each step of a workflow's life, in a
 * real n8n. After each step the service must hold exactly one enabled subscription for each chosen
 * event and address, whose secret the node knows, none for what is gone, and those of others.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installN8n } from '../../testbed/n8n/install.mts';
import { until, type StoredWorkflow } from '../../testbed/n8n/n8n.mts';
import { itemsOf } from '../../testbed/n8n/database.mts';
import { root } from '../../testbed/paths.mts';
import { makeRunFolder, type RunFolder } from '../../testbed/runs.mts';
import { credentialData, setStage, type Stage } from '../../testbed/stage.mts';
import { seed } from '../../simulator/index.mts';
import { forgeries } from '../wire/forgeries.mts';
import { client, post, signatureHeader } from './delivery.mts';
import { EVENTS, OTHERS, plantOthers, subscriptionsOf } from './held.mts';
import { misfortuneTests } from './misfortunes.mts';
import { startTests } from './starts.mts';
import { storingTests } from './storing.mts';
import { strangerTests } from './strangers.mts';
import { createChain, newRequests, portalTrigger } from './workflows.mts';

let folder: RunFolder;
let stage: Stage;
let workflow: StoredWorkflow;

beforeAll(async () => {
	if (!existsSync(join(root, 'dist'))) throw new Error('Run `npm run build` first.');
	await installN8n();
	folder = await makeRunFolder();
	stage = await setStage({
		folder: folder.path,
		step: (_title, work) => work(() => {}),
		scheduleSeconds: 3600,
	});
	workflow = await createChain(stage, 'Lifecycle', [
		portalTrigger(EVENTS),
		{ name: 'End', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
	]);
	await stage.n8n.activate(workflow);
	plantOthers(stage);
});

afterAll(async () => {
	const violations = stage?.simulator.control.contractViolations ?? [];
	await stage?.n8n.stop();
	await stage?.simulator.stop();
	await folder?.discard();
	expect(violations).toEqual([]);
});

const { held, addressOf, expectHeld, listen } = subscriptionsOf(() => stage);

const publish = async (changes: object, one = workflow) => {
	await stage.n8n.updateWorkflow(one, changes);
	await stage.n8n.activate(one);
};
const nodesWith = (changes: object, parameters: object = {}) =>
	workflow.nodes.map((node, index) =>
		index > 0 ? node : { ...node, ...changes, parameters: { ...node.parameters, ...parameters } },
	);
const executions = () => stage.n8n.executions({ workflowId: workflow.id });

describe('the subscriptions of a workflow', () => {
	test('are there once it is active', async () => {
		await expectHeld({ [addressOf(workflow)]: EVENTS });
	});

	test('stay while the editor listens for a test event, and those of the test go', async () => {
		const { n8n, simulator } = stage;
		const before = held();
		await listen(workflow);
		await expectHeld({
			[addressOf(workflow)]: EVENTS,
			[addressOf(workflow, 'webhook-test')]: EVENTS,
		});
		await n8n.rest('DELETE', `/test-webhook/${workflow.id}`);
		await until('the end of the test', () => held().length === before.length || undefined);
		expect(held()).toEqual(before);

		await listen(workflow);
		simulator.control.setStatus(seed.proposals.submitted, 'Expired');
		const told = await until('both executions', () => {
			const ended = executions().filter(({ stoppedAt }) => stoppedAt !== null);
			return ended.length >= 2 ? ended : undefined;
		});
		expect(told.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
		await until('the end of the test', () => held().length === before.length || undefined);
		expect(held()).toEqual(before);
		await expectHeld({ [addressOf(workflow)]: EVENTS });
	});

	test('go with it when it is deactivated', async () => {
		await stage.n8n.deactivate(workflow);
		await expectHeld({});
		await stage.n8n.activate(workflow);
		await expectHeld({ [addressOf(workflow)]: EVENTS });
	});

	test('follow the events that are chosen while it is active', async () => {
		const [first, , third] = EVENTS as [string, string, string];
		await publish({ nodes: nodesWith({}, { events: [first, third] }) });
		await expectHeld({ [addressOf(workflow)]: [first, third] });
		await publish({ nodes: nodesWith({}, { events: EVENTS }) });
		await expectHeld({ [addressOf(workflow)]: EVENTS });
	});

	test('stay when it is renamed, and follow when its trigger is', async () => {
		const before = held();
		await publish({ name: 'Lifecycle, renamed' });
		expect(held()).toEqual(before);
		const { connections } = workflow;
		await publish({
			nodes: nodesWith({ name: 'Another name' }),
			connections: { 'Another name': connections['Portal.io Trigger'] },
		});
		await expectHeld({ [addressOf(workflow)]: EVENTS });
		await publish({ nodes: nodesWith({}), connections });
		await expectHeld({ [addressOf(workflow)]: EVENTS });
	});

	test('are its own and not those of a copy', async () => {
		const { n8n } = stage;
		const before = held();
		const { nodes, connections } = workflow;
		const [trigger, ...rest] = nodes as [(typeof nodes)[0]];
		const copyOf = async (webhookId: string) =>
			await n8n.createWorkflow({
				name: 'A copy',
				nodes: [{ ...trigger, webhookId }, ...rest],
				connections,
			});
		const copy = await copyOf(randomUUID());
		await n8n.activate(copy);
		await expectHeld({ [addressOf(workflow)]: EVENTS, [addressOf(copy)]: EVENTS });
		await n8n.deactivate(copy);
		expect(held()).toEqual(before);
		// The same address twice is what n8n itself refuses.
		await expect(n8n.activate(await copyOf(trigger.webhookId!))).rejects.toThrow();
		expect(held()).toEqual(before);
		await expectHeld({ [addressOf(workflow)]: EVENTS });
	});

	test('go over to the account of another credential', async () => {
		const { n8n, simulator } = stage;
		const [ownAccount] = held().map(({ account_id }) => account_id);
		const data = { ...credentialData(simulator), ...seed.otherDealer };
		const other = await n8n.createCredential('The other dealer', 'portalIoApi', data);
		const credentials = { portalIoApi: { id: other.id, name: other.name } };
		await publish({ nodes: nodesWith({ credentials }) });
		await expectHeld({ [addressOf(workflow)]: EVENTS });
		const ours = () => held().filter(({ url }) => url !== OTHERS);
		expect(ours().every(({ account_id }) => account_id !== ownAccount)).toBe(true);
		await publish({ nodes: nodesWith({}) });
		await expectHeld({ [addressOf(workflow)]: EVENTS });
		expect(ours().every(({ account_id }) => account_id === ownAccount)).toBe(true);
	});

	test('are restored at the next activation after somebody disabled or deleted some', async () => {
		const { n8n, simulator } = stage;
		const [first, second] = held().filter(({ url }) => url !== OTHERS);
		simulator.control.disableSubscription(first!.id);
		simulator.control.deleteSubscriptions(({ id }) => id === second!.id);
		await n8n.deactivate(workflow);
		await expectHeld({});
		await n8n.activate(workflow);
		await expectHeld({ [addressOf(workflow)]: EVENTS });
	});

	test('that are gone already are no obstacle to deactivating', async () => {
		const { n8n, simulator } = stage;
		simulator.control.deleteSubscriptions(({ url }) => url !== OTHERS);
		await n8n.deactivate(workflow);
		await expectHeld({});
	});

	test('are none after an activation that failed half-way', async () => {
		const { n8n, simulator } = stage;
		await n8n.updateWorkflow(workflow, {
			nodes: nodesWith({}, { events: [...EVENTS.slice(0, 2), 'proposal.no_such_event'] }),
		});
		const requests = newRequests(stage);
		await expect(n8n.activate(workflow)).rejects.toThrow(/did not accept the values/);
		const created = requests().filter(
			({ operationId, status }) => operationId === 'webhookSubscription.create' && status === 200,
		);
		expect(created.length).toBeGreaterThanOrEqual(2);
		await expectHeld({});
		await n8n.deactivate(workflow);

		simulator.control.failNext({
			operationId: 'webhookSubscription.create',
			when: 'after',
			disconnect: true,
		});
		await publish({ nodes: nodesWith({}) });
		await expectHeld({ [addressOf(workflow)]: EVENTS });
	});

	test('go although the service could not be asked at first', async () => {
		const { n8n, simulator } = stage;
		simulator.control.failNext({ operationId: 'webhookSubscription.getMany', status: 503 });
		await n8n.deactivate(workflow);
		await expectHeld({});
		await n8n.activate(workflow);
		await expectHeld({ [addressOf(workflow)]: EVENTS });
	});
});

describe('an event', () => {
	const ofEvent = (id: unknown) =>
		executions().filter((one) => itemsOf(one, 'Portal.io Trigger').some((item) => item.id === id));

	test('that comes ten times at the same instant starts one execution', async () => {
		const { url, secret_key: secret } = held().find(({ events }) => events === EVENTS[2])!;
		const body = JSON.stringify({ id: 'evt_at_once', type: EVENTS[2], created: '', data: {} });
		const signature = await signatureHeader(body, secret);
		const statuses = await Promise.all(
			Array.from({ length: 10 }, async () => await post(url, body, signature)),
		);
		expect(statuses).toEqual(Array(10).fill(200));
		await sleep(500);
		expect(ofEvent('evt_at_once')).toHaveLength(1);
	});
});

describe('a forged delivery', () => {
	test('over the socket is refused, starts nothing and leaves n8n as it was', async () => {
		const { url, secret_key: secret } = held().find(({ events }) => events === EVENTS[2])!;
		const body = Buffer.from(JSON.stringify({ id: 'evt_forged', type: EVENTS[2], data: {} }));
		const time = Math.floor(Date.now() / 1000);
		const digestOf = async (key: string, at: number) =>
			(await signatureHeader(String(body), key, at)).split('v1=')[1]!;
		const corpus = forgeries({
			time,
			digest: await digestOf(secret, time),
			body,
			wrongSecret: await digestOf('another secret', time),
			old: { time: time - 3600, digest: await digestOf(secret, time - 3600) },
		});
		const before = executions().length;
		const statuses: Record<number, number> = {};
		// Some of each kind; what no HTTP client would send is left out.
		const kinds = new Map<string, number>();
		const sent = corpus
			.filter(({ header = 'none' }) => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(header))
			.filter(({ kind }) => kinds.set(kind, (kinds.get(kind) ?? 0) + 1).get(kind)! <= 15);
		for (const { header, body: text } of sent) {
			const { status } = await client.post(url, text, {
				headers: {
					'Content-Type': 'text/plain',
					...(header !== undefined && { 'X-Webhook-Signature': header }),
				},
			});
			statuses[status] = (statuses[status] ?? 0) + 1;
		}
		// 431: Node itself refuses a header of more than 16 kB.
		expect(Object.keys(statuses).filter((status) => status !== '431')).toEqual(['401']);
		expect(statuses[401]).toBeGreaterThan(200);
		expect(executions()).toHaveLength(before);
		const text = 'signed, and no JSON';
		const signature = await signatureHeader(text, secret);
		const { status } = await client.post(url, text, {
			headers: { 'Content-Type': 'text/plain', 'X-Webhook-Signature': signature },
		});
		expect(status).toBe(400);
		expect(executions()).toHaveLength(before);
		expect(await post(url, String(body), `t=${time},v1=${await digestOf(secret, time)}`)).toBe(200);
		await until('the genuine one', () => executions().length === before + 1 || undefined);
	});
});

storingTests(
	() => stage,
	() => workflow,
);

strangerTests(
	() => stage,
	() => workflow,
);

misfortuneTests(
	() => stage,
	() => workflow,
);

startTests(
	() => stage,
	() => workflow,
);
