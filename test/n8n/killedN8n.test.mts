/** An n8n that was killed and is started again: its subscriptions, and what came while it was down. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { itemsOf } from '../../testbed/n8n/database.mts';
import { kill } from '../../testbed/n8n/kill.mts';
import type { StoredWorkflow } from '../../testbed/n8n/n8n.mts';
import { until } from '../../testbed/until.mts';
import { createChain, portalTrigger } from '../../testbed/workflowBuilder.mts';
import { seed } from '../../simulator/index.mts';
import { deliver, deliverAnother } from './delivery.mts';
import { activeWorkflow, EVENTS, subscriptionsOf, type Held } from './held.mts';
import { makeHeldStep } from './heldStep.mts';
import { activatePolling, FollowedDelivery, polledChanges } from './restartHistory.mts';
import { newRequests } from './runs.mts';
import { ownStage } from './stages.mts';

const { viewed, submittedToo } = seed.proposals;
const stage = ownStage();
const workflow = activeWorkflow(stage, { once: true });
const { held, addressOf, askedByTrigger, expectHeld } = subscriptionsOf(stage);

let before: Held[];
let requests: ReturnType<typeof newRequests>;
let polling: StoredWorkflow;
let delivery: FollowedDelivery;
let unfinished: Awaited<ReturnType<typeof beginUnfinished>>;

/** Sets when the next attempts are made, in milliseconds since 1970. */
const postpone = (to: number) => stage().simulator.control.rescheduleDeliveries(to);

/** Starts an execution with an event and leaves it at its last step, when n8n has answered. */
async function beginUnfinished() {
	const { n8n } = stage();
	const last = await makeHeldStep();
	const slow = await createChain(stage(), 'Slow', [portalTrigger([EVENTS[2]!]), last.step]);
	await n8n.activate(slow);
	const { url, secret_key: secret } = held().find((one) => one.url === addressOf(slow))!;
	expect(await deliver({ url, secret }, 'evt_unfinished')).toBe(200);
	await last.run(1);
	// The subscriptions of the other workflow are what is looked at.
	await n8n.deactivate(slow);
	return { ...last, workflowId: slow.id };
}

beforeAll(async () => {
	const { n8n, simulator } = stage();
	polling = await activatePolling(stage());
	expect(polledChanges(stage(), polling)).toEqual([]);
	unfinished = await beginUnfinished();
	before = held();
	requests = newRequests(stage());
	await kill(n8n);
	simulator.control.setStatus(viewed, 'Accepted');
	await simulator.control.idle();
	delivery = new FollowedDelivery(stage(), workflow());
	expect(delivery.current).toMatchObject({
		state: 'pending',
		attempts: 1,
		url: addressOf(workflow()),
	});
	simulator.control.setStatus(submittedToo, 'Accepted');
	await until('the first retry', () => Number(delivery.current.attempts) >= 2 || undefined);
	await simulator.control.idle();
	// No attempt while n8n starts: for a moment it answers 200 'n8n is starting up' to everything and
	// does nothing about it. On a slow machine an attempt can fall into that moment.
	postpone(Date.now() + 3600_000);
	await n8n.restart();
	postpone(Date.now());
	await simulator.control.idle();
});

afterAll(async () => {
	unfinished.close();
	await stage().n8n.deactivate(polling);
});

describe('an n8n that was killed and is started again', () => {
	test('holds the subscriptions that it held, and asked the trigger nothing', async () => {
		await expectHeld({ [addressOf(workflow())]: EVENTS });
		expect(held()).toEqual(before);
		expect(askedByTrigger(requests())).toEqual([]);
	});

	test('tells by polling what changed while it was down', async () => {
		await until('the change', () => polledChanges(stage(), polling)[0]);
		expect(polledChanges(stage(), polling)).toMatchObject([
			{ id: viewed, status: 'Accepted', previousStatus: 'ViewedByClient' },
			{ id: submittedToo, status: 'Accepted', previousStatus: 'Submitted' },
		]);
	});

	test('starts one execution for an event whose first attempts it missed', async () => {
		const settled = () => delivery.current.state !== 'pending' || undefined;
		await until('the delivery', settled, 180_000);
		expect(delivery.current.state).toBe('delivered');
		expect(Number(delivery.current.attempts)).toBeGreaterThan(2);
		await until('the execution', () => delivery.executions()[0]);
		const statuses = await Promise.all(
			Array.from({ length: 10 }, async () => await delivery.sendAgain()),
		);
		expect(statuses).toEqual(Array(10).fill(200));
		await deliverAnother(stage(), workflow(), delivery.subscription);
		expect(delivery.executions()).toHaveLength(1);
	});

	test('calls crashed what it was executing, and Retry does it with the same event', async () => {
		const { n8n } = stage();
		const { run, workflowId } = unfinished;
		const [execution] = n8n.executions({ workflowId });
		expect(execution).toMatchObject({ status: 'crashed' });
		const retry = n8n.rest('POST', `/executions/${execution!.id}/retry`, {});
		const end = await run(2);
		end();
		await retry;
		const [, retried, ...others] = n8n.executions({ workflowId });
		expect(others).toEqual([]);
		expect(retried).toMatchObject({ status: 'success', mode: 'retry' });
		expect(itemsOf(retried!, 'Portal.io Trigger')).toMatchObject([{ id: 'evt_unfinished' }]);
	});
});
