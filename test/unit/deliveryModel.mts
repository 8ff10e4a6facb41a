/** What the trigger is called with when a delivery comes: in unit and in property tests. */
import { createHmac } from 'node:crypto';
import type { IWebhookFunctions } from 'n8n-workflow';
import type { ResponseStandIn } from '../../dev/testbed/response.mts';

const SECRET = 'whsec_of_a_test';
const TYPE = 'proposal.status_changed';

/** The deliveries of one second by their event: thousands of sequences send the same. */
const signed = new Map<number, { body: Buffer; signature: string }>();
let signedAt = 0;

/** What the service sends for an event. */
function sent(event: number) {
	const time = Math.floor(Date.now() / 1000);
	if (time !== signedAt) signed.clear();
	signedAt = time;
	const known = signed.get(event);
	if (known) return known;
	const body = JSON.stringify({ id: `evt_${event}`, type: TYPE, created: '', data: { event } });
	const digest = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
	const one = { body: Buffer.from(body), signature: `t=${time},v1=${digest}` };
	signed.set(event, one);
	return one;
}

/** Static data as the database has them, and whether they were changed since. */
export function load(stored: string) {
	const state = { changed: false };
	const memory = new Proxy(JSON.parse(stored), {
		set: (target, name, value) => {
			state.changed = true;
			return Reflect.set(target, name, value);
		},
	});
	return { memory, state };
}

/** What the trigger is called with. */
export const contextOf = (event: number, memory: object, response: ResponseStandIn) =>
	({
		getRequestObject: () => ({ rawBody: sent(event).body }),
		getHeaderData: () => ({ 'x-webhook-signature': sent(event).signature }),
		getResponseObject: () => response,
		getWorkflowStaticData: () => memory,
		getNodeParameter: (name: string, byDefault: unknown) =>
			name === 'events' ? [TYPE] : byDefault,
		getMode: () => 'webhook',
		getNodeWebhookUrl: () => 'https://n8n.example.com/webhook/1/webhook',
		getWorkflow: () => ({ id: '1' }),
		getNode: () => ({ id: '1', name: 'Trigger' }),
		logger: { warn: () => {} },
	}) as unknown as IWebhookFunctions;

/** Static data of an active workflow. */
export const ACTIVE = JSON.stringify({
	subscriptions: { [TYPE]: { subscriptionId: 1, secretKey: SECRET } },
});
