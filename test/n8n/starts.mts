/**
 * What n8n holds to when it is started again, in good order or not, with other settings or not: its
 * subscriptions, what it has taken already, and what came while it was down.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { until, type StoredWorkflow } from '../../testbed/n8n/n8n.mts';
import { itemsOf } from '../../testbed/n8n/database.mts';
import type { Stage } from '../../testbed/stage.mts';
import { seed } from '../../simulator/index.mts';
import { post, signatureHeader } from './delivery.mts';
import { EVENTS, OTHERS, subscriptionsOf, temporaryWorkflow, type Held } from './held.mts';
import { kill } from './kill.mts';
import { createChain, newRequests } from './workflows.mts';

const { viewed, submittedToo } = seed.proposals;

/**
 * Further rows of the lifecycle. Each start of n8n takes long, so that several rows share one.
 *
 * @param workflow is active, with one trigger for every event, and the only one that is
 */
export function startTests(stage: () => Stage, workflow: () => StoredWorkflow) {
	const { held, addressOf, byAddress, expectHeld, listen, activateAnew } = subscriptionsOf(stage);
	/** The same n8n by another name, which the service reaches too. */
	const otherName = () => ({ N8N_WEBHOOK_URL: stage().n8n.url.replace('127.0.0.1', 'localhost') });
	const otherAddress = () => addressOf(workflow()).replace('127.0.0.1', 'localhost');

	let before: Held[];
	let requests: ReturnType<typeof newRequests>;
	const askedByTrigger = () =>
		requests()
			.map(({ operationId }) => String(operationId))
			.filter((operation) => operation.startsWith('webhookSubscription.'));

	let polling: StoredWorkflow;
	const told = () =>
		stage()
			.n8n.executions({ workflowId: polling.id })
			.filter(({ stoppedAt }) => stoppedAt !== null)
			.flatMap((one) => itemsOf(one, 'Poll'));
	const acceptedByPoll = { id: submittedToo, status: 'Accepted', previousStatus: 'Submitted' };

	let deliveryId: unknown;
	const delivery = () =>
		stage()
			.simulator.control.deliveries()
			.find(({ id }) => id === deliveryId)!;
	/** Sets when the next attempts are made, in milliseconds since 1970. */
	const postpone = (to: number) => stage().simulator.control.rescheduleDeliveries(to);
	const startedByDelivery = () =>
		stage()
			.n8n.executions({ workflowId: workflow().id })
			.filter((one) =>
				itemsOf(one, 'Portal.io Trigger').some(({ id }) => id === delivery().event_id),
			);
	/** The answer got lost, says the service, and sends it again. */
	const deliverAgain = async () => {
		const { secret_key: secret, url } = held().find(({ id }) => id === delivery().subscription_id)!;
		const body = String(delivery().body);
		return await post(url, body, await signatureHeader(body, secret));
	};

	describe('an n8n that was killed and is started again', () => {
		beforeAll(async () => {
			const { n8n, simulator } = stage();
			polling = await createChain(stage(), 'Polling', [
				{
					name: 'Poll',
					type: 'n8n-nodes-portal-io.portalIoPollingTrigger',
					typeVersion: 1,
					parameters: {
						event: 'proposalStatusChanged',
						pollTimes: { item: [{ mode: 'everyMinute' }] },
					},
				},
				{ name: 'End', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
			]);
			await n8n.activate(polling);
			expect(told()).toEqual([]);
			before = held();
			requests = newRequests(stage());
			await kill(n8n);
			simulator.control.setStatus(viewed, 'Accepted');
			await simulator.control.idle();
			const [failed] = simulator.control.deliveries().slice(-1);
			expect(failed).toMatchObject({ state: 'pending', attempts: 1, url: addressOf(workflow()) });
			deliveryId = failed!.id;
			simulator.control.setStatus(submittedToo, 'Accepted');
			await until('the first retry', () => Number(delivery().attempts) >= 2 || undefined);
			await simulator.control.idle();
			// None while n8n starts: for a moment it answers 200 to everything, 'n8n is starting up', and
			// does nothing about it (its `abstract-server`; docs/triggers.md). On a slow machine that
			// moment is long enough for an attempt to fall into it.
			postpone(Date.now() + 3600_000);
			await n8n.restart();
			postpone(Date.now());
			await simulator.control.idle();
		});

		test('holds the subscriptions that it held, and asked the trigger nothing', async () => {
			await expectHeld({ [addressOf(workflow())]: EVENTS });
			expect(held()).toEqual(before);
			expect(askedByTrigger()).toEqual([]);
		});

		test('tells by polling what changed while it was down', async () => {
			await until('the change', () => told()[0], 90_000);
			expect(told()).toMatchObject([
				{ id: viewed, status: 'Accepted', previousStatus: 'ViewedByClient' },
				acceptedByPoll,
			]);
		});

		test('starts one execution for an event whose first attempts it missed', async () => {
			const settled = () => delivery().state !== 'pending' || undefined;
			await until('the delivery', settled, 180_000);
			expect(delivery().state).toBe('delivered');
			expect(Number(delivery().attempts)).toBeGreaterThan(2);
			await until('the execution', () => startedByDelivery()[0]);
			expect(await Promise.all(Array.from({ length: 10 }, deliverAgain))).toEqual(
				Array(10).fill(200),
			);
			// n8n writes an execution down before it answers; the wait is for what should not come.
			await sleep(500);
			expect(startedByDelivery()).toHaveLength(1);
		});
	});

	describe('an n8n that is started again in good order, at another address', () => {
		beforeAll(async () => {
			before = held();
			requests = newRequests(stage());
			await stage().n8n.restart(otherName());
		});

		test('holds the subscriptions that it held, and asked the trigger nothing', async () => {
			// The old address still leads here.
			await expectHeld({ [addressOf(workflow())]: EVENTS });
			expect(held()).toEqual(before);
			expect(askedByTrigger()).toEqual([]);
		});

		test('starts nothing for a delivery that it took before', async () => {
			expect(await deliverAgain()).toBe(200);
			await sleep(500);
			expect(startedByDelivery()).toHaveLength(1);
		});

		test('tells by polling what changes from now on, and nothing again', async () => {
			const { n8n, simulator } = stage();
			simulator.control.setStatus(submittedToo, 'Completed');
			await until('the next change', () => told()[2], 90_000);
			expect(told().slice(1)).toMatchObject([
				acceptedByPoll,
				{ id: submittedToo, status: 'Completed', previousStatus: 'Accepted' },
			]);
			await n8n.deactivate(polling);
		});

		test('has the subscriptions follow at the next activation', async () => {
			await activateAnew(workflow());
			await expectHeld({ [otherAddress()]: EVENTS });
		});
	});

	describe('an n8n that is started', () => {
		test('at an address that nobody reaches says what to do about it', async () => {
			const { n8n } = stage();
			before = held();
			await n8n.restart({ N8N_WEBHOOK_URL: 'http://192.168.1.20:5678/' });
			const whatToDo = /not a public address.*WEBHOOK_URL.*'Portal\.io Polling Trigger'/;
			const other = await temporaryWorkflow(stage(), 'Private');
			await expect(n8n.activate(other)).rejects.toThrow(whatToDo);
			await expect(listen(workflow())).rejects.toThrow(whatToDo);
			expect(held()).toEqual(before);
		});

		test('in the old way asks the trigger, which restores its subscriptions', async () => {
			const { n8n, simulator } = stage();
			const [first, second, third] = held().filter(({ url }) => url !== OTHERS);
			simulator.control.disableSubscription(first!.id);
			simulator.control.deleteSubscriptions(({ id }) => id === second!.id);
			requests = newRequests(stage());
			await kill(n8n);
			// Without this service n8n checks every active workflow when it starts.
			const { url } = third!;
			await n8n.restart({
				N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false',
				N8N_WEBHOOK_URL: `${new URL(url).origin}/`,
			});
			await until('the check', () => askedByTrigger().length > 0 || undefined);
			await until('the repair', () => byAddress()[url]?.length === 3 || undefined);
			await until('its end', () => held().every((one) => one.is_enabled === 1) || undefined);
			await expectHeld({ [url]: EVENTS });
			expect(held()).toContainEqual(third);
		});
	});
}
