/** The subscriptions of an n8n that is started with settings that matter to them. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { kill } from '../../testbed/n8n/kill.mts';
import { until } from '../../testbed/until.mts';
import { activeWorkflow, EVENTS, OTHERS, subscriptionsOf, temporaryWorkflow } from './held.mts';
import { newRequests } from './runs.mts';
import { ownStage } from './stages.mts';

const stage = ownStage();
const workflow = activeWorkflow(stage);
const { held, addressOf, byAddress, askedByTrigger, expectHeld, listen, activateAnew, otherName } =
	subscriptionsOf(stage);

describe('an n8n that is started', () => {
	test('at another address has the subscriptions follow at the next activation', async () => {
		const otherAddress = addressOf(workflow()).replace('127.0.0.1', 'localhost');
		await stage().n8n.restart(otherName());
		await activateAnew(workflow());
		await expectHeld({ [otherAddress]: EVENTS });
	});

	test('at an address that nobody reaches says what to do about it', async () => {
		const { n8n } = stage();
		const before = held();
		// The next test could not activate its workflow there.
		onTestFinished(async () => await n8n.restore());
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
		const requests = newRequests(stage());
		await kill(n8n);
		// Without this service n8n checks every active workflow when it starts.
		const { url } = third!;
		await n8n.restart({
			N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false',
			N8N_WEBHOOK_URL: `${new URL(url).origin}/`,
		});
		await until('the check', () => askedByTrigger(requests()).length > 0 || undefined);
		await until('the repair', () => byAddress()[url]?.length === 3 || undefined);
		await until('its end', () => held().every((one) => one.is_enabled === 1) || undefined);
		await expectHeld({ [url]: EVENTS });
		expect(held()).toContainEqual(third);
	});
});
