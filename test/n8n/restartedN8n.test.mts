/** An n8n that is stopped in good order and started again, at another address of the same machine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredWorkflow } from '../../testbed/n8n/n8n.mts';
import { until } from '../../testbed/until.mts';
import { seed } from '../../simulator/index.mts';
import { deliverAnother } from './delivery.mts';
import { activeWorkflow, EVENTS, subscriptionsOf, type Held } from './held.mts';
import { activatePolling, FollowedDelivery, polledChanges } from './restartHistory.mts';
import { newRequests } from './runs.mts';
import { ownStage } from './stages.mts';

const { submitted, submittedToo } = seed.proposals;
const stage = ownStage();
const workflow = activeWorkflow(stage, { once: true });
const { held, addressOf, askedByTrigger, expectHeld, otherName } = subscriptionsOf(stage);

let before: Held[];
let requests: ReturnType<typeof newRequests>;
let polling: StoredWorkflow;
let delivery: FollowedDelivery;
const told = () => polledChanges(stage(), polling);
const executionsOfWebhook = () => stage().n8n.executions({ workflowId: workflow().id });
const viewed = { id: submitted, status: 'ViewedByClient', previousStatus: 'Submitted' };
const accepted = { id: submittedToo, status: 'Accepted', previousStatus: 'Submitted' };

beforeAll(async () => {
	const { n8n, simulator } = stage();
	polling = await activatePolling(stage());
	simulator.control.setStatus(submittedToo, 'Accepted');
	await simulator.control.idle();
	delivery = new FollowedDelivery(stage(), workflow());
	await until('the execution by webhook', () => delivery.executions()[0]);
	await until('the execution by polling', () => told()[0]);
	// The note of a delivery is saved with the next one (docs/triggers.md).
	simulator.control.setStatus(submitted, 'ViewedByClient');
	await simulator.control.idle();
	await until('the next execution by webhook', () => executionsOfWebhook()[1]);
	await until('the next execution by polling', () => told()[1]);
	before = held();
	requests = newRequests(stage());
	await n8n.restart(otherName());
});

afterAll(async () => await stage().n8n.deactivate(polling));

describe('an n8n that is started again in good order, at another address', () => {
	test('holds the subscriptions that it held, and asked the trigger nothing', async () => {
		// The old address still leads here.
		await expectHeld({ [addressOf(workflow())]: EVENTS });
		expect(held()).toEqual(before);
		expect(askedByTrigger(requests())).toEqual([]);
	});

	test('starts nothing for a delivery that it took before', async () => {
		expect(await delivery.sendAgain()).toBe(200);
		await deliverAnother(stage(), workflow(), delivery.subscription);
		expect(delivery.executions()).toHaveLength(1);
	});

	test('tells by polling what changes from now on, and nothing again', async () => {
		stage().simulator.control.setStatus(submittedToo, 'Completed');
		await until('the next change', () => told()[2]);
		expect(told()).toMatchObject([
			accepted,
			viewed,
			{ id: submittedToo, status: 'Completed', previousStatus: 'Accepted' },
		]);
	});
});
