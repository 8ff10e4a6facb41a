/** Which trigger and which account the subscriptions of a workflow belong to. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { credentialData } from '../../testbed/stage.mts';
import { seed } from '../../simulator/index.mts';
import { activeWorkflow, EVENTS, OTHERS, subscriptionsOf, temporaryWorkflow } from './held.mts';
import { sharedStage } from './stages.mts';

const stage = sharedStage();
const workflow = activeWorkflow(stage);
const { held, addressOf, expectHeld, activateAnew } = subscriptionsOf(stage);

const publish = async (changes: object) => {
	await stage().n8n.updateWorkflow(workflow(), changes);
	await stage().n8n.activate(workflow());
};
const nodesWith = (changes: object, parameters: object = {}) =>
	workflow().nodes.map((node, index) =>
		index > 0 ? node : { ...node, ...changes, parameters: { ...node.parameters, ...parameters } },
	);

describe('the subscriptions of a workflow', () => {
	test('are its own and not those of a copy', async () => {
		const { n8n } = stage();
		const before = held();
		const { nodes, connections } = workflow();
		const [trigger, ...rest] = nodes as [(typeof nodes)[0]];
		const copyOf = async (webhookId: string) =>
			await n8n.createWorkflow({
				name: 'A copy',
				nodes: [{ ...trigger, webhookId }, ...rest],
				connections,
			});
		const copy = await copyOf(randomUUID());
		await n8n.activate(copy);
		await expectHeld({ [addressOf(workflow())]: EVENTS, [addressOf(copy)]: EVENTS });
		await n8n.deactivate(copy);
		expect(held()).toEqual(before);
		// The same address twice is what n8n itself refuses.
		await expect(n8n.activate(await copyOf(trigger.webhookId!))).rejects.toThrow();
		expect(held()).toEqual(before);
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});

	test('of two triggers are those of each', async () => {
		const { n8n } = stage();
		const other = await temporaryWorkflow(stage(), 'Two triggers');
		const [first] = other.nodes as [(typeof other.nodes)[0]];
		const second = {
			...first,
			id: randomUUID(),
			name: 'Another trigger',
			webhookId: randomUUID(),
			parameters: { events: EVENTS.slice(0, 1) },
		};
		const both = [first, second];
		await n8n.updateWorkflow(other, { nodes: both });
		await n8n.activate(other);
		const ofSecond = addressOf({ ...other, nodes: [second] });
		await expectHeld({
			[addressOf(workflow())]: EVENTS,
			[addressOf(other)]: EVENTS,
			[ofSecond]: EVENTS.slice(0, 1),
		});
		await n8n.updateWorkflow(other, { nodes: [second] });
		await n8n.activate(other);
		await expectHeld({ [addressOf(workflow())]: EVENTS, [ofSecond]: EVENTS.slice(0, 1) });
		await n8n.deactivate(other);
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});

	test('go over to the account of another credential', async () => {
		const { n8n, simulator } = stage();
		const [ownAccount] = held().map(({ account_id }) => account_id);
		const data = { ...credentialData(simulator), ...seed.otherDealer };
		const other = await n8n.createCredential('The other dealer', 'portalIoApi', data);
		const credentials = { portalIoApi: { id: other.id, name: other.name } };
		await publish({ nodes: nodesWith({ credentials }) });
		await expectHeld({ [addressOf(workflow())]: EVENTS });
		const ours = () => held().filter(({ url }) => url !== OTHERS);
		expect(ours().every(({ account_id }) => account_id !== ownAccount)).toBe(true);
		await publish({ nodes: nodesWith({}) });
		await expectHeld({ [addressOf(workflow())]: EVENTS });
		expect(ours().every(({ account_id }) => account_id === ownAccount)).toBe(true);
	});

	test('stay when its credential is edited and leads to the same account', async () => {
		const { n8n, simulator, credential } = stage();
		const before = held();
		await n8n.rest('PATCH', `/credentials/${credential.id}`, {
			name: credential.name,
			type: credential.type,
			data: credentialData(simulator),
		});
		expect(held()).toEqual(before);
		await expectHeld({ [addressOf(workflow())]: EVENTS });
		// The user key has gone with the edit; the next activation gets another.
		await activateAnew(workflow());
		await expectHeld({ [addressOf(workflow())]: EVENTS });
	});
});
