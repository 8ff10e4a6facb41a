/**
 * Deliveries, retries and duplicates against the webhook trigger, around it an n8n that reads static
 * data when a delivery comes and writes it as a whole when it has taken it, is restarted, or has
 * several processes; and a sender that sends again what it believes is not acknowledged. Each event
 * must start exactly one execution.
 */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { IWebhookFunctions } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Claims } from '../../nodes/PortalIoTrigger/claims.ts';
import { receive } from '../../nodes/PortalIoTrigger/receive.ts';
import { ResponseStandIn } from '../../testbed/response.mts';

const SECRET = 'whsec_of_a_test';
const TYPE = 'proposal.status_changed';

/** What befalls one attempt. */
interface Attempt {
	event: number;
	/** The sender does not get the answer, and sends again what n8n has taken. */
	hangsUp: boolean;
	/** n8n cannot store the execution: its database is away. */
	fails: boolean;
	/** How long n8n takes, in turns of the event loop. */
	turns: number;
}

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

class N8n {
	/** What the database holds. */
	stored = JSON.stringify({ subscriptions: { [TYPE]: { subscriptionId: 1, secretKey: SECRET } } });
	readonly executions: string[] = [];
	processes = [new Claims(), new Claims()];

	/** @returns whether the sender was told that its delivery was taken */
	async deliver({ event, hangsUp, fails, turns }: Attempt, process: number): Promise<boolean> {
		const { body, signature } = sent(event);
		const response = new ResponseStandIn();
		const memory = JSON.parse(this.stored);
		const { seen } = memory;
		const context = {
			getRequestObject: () => ({ rawBody: body }),
			getHeaderData: () => ({ 'x-webhook-signature': signature }),
			getResponseObject: () => response,
			getWorkflowStaticData: () => memory,
			getNodeParameter: (name: string) => (name === 'events' ? [TYPE] : {}),
			getMode: () => 'webhook',
			getNodeWebhookUrl: () => 'https://n8n.example.com/webhook/1/webhook',
			getWorkflow: () => ({ id: '1' }),
			getNode: () => ({ id: '1', name: 'Trigger' }),
			logger: { warn: () => {} },
		};
		for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
		const outcome = await receive(context as unknown as IWebhookFunctions, this.processes[process]);
		if (response.writableEnded) expect.unreachable('a genuine delivery is not refused');
		if (hangsUp) response.hangUp();
		for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
		if (outcome.workflowData && fails) {
			response.status(500).end();
			// Which the node finds out by looking again, when the sender was gone before.
			vi.advanceTimersByTime(1000);
			return false;
		}
		if (outcome.workflowData) this.executions.push(`evt_${event}`);
		void outcome.webhookResponse;
		// n8n writes what has changed, as a whole, once it has stored the execution, and answers then.
		if (memory.seen !== seen) this.stored = JSON.stringify(memory);
		response.status(200).end();
		return !hangsUp;
	}

	restart() {
		this.processes = [new Claims(), new Claims()];
	}
}

const attempt = fc.record({
	event: fc.nat(5),
	hangsUp: fc.nat(9).map((one) => one === 0),
	fails: fc.nat(9).map((one) => one === 0),
	turns: fc.nat(3),
});
const step = fc.oneof(
	{
		weight: 5,
		// What comes at the same instant comes to one process.
		arbitrary: fc.record({
			attempts: fc.array(attempt, { minLength: 1, maxLength: 5 }),
			process: fc.nat(1),
		}),
	},
	{ weight: 1, arbitrary: fc.constant('restart' as const) },
);

describe('a delivery', () => {
	beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
	afterAll(() => void vi.useRealTimers());

	it('starts one execution, however often and in whatever circumstances it comes', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
				const calm = { hangsUp: false, fails: false, turns: 0 };
				const n8n = new N8n();
				const open = new Set<number>();
				let others = 100;
				for (const one of steps) {
					if (one === 'restart') {
						n8n.restart();
						continue;
					}
					const { attempts, process } = one;
					const told = await Promise.all(
						attempts.map(async (each) => await n8n.deliver(each, process)),
					);
					// Of several at once, n8n keeps what the last one wrote; the next one adds what is missing.
					await n8n.deliver({ event: ++others, ...calm }, process);
					attempts.forEach(({ event }, index) => {
						if (told[index]) open.delete(event);
						else open.add(event);
					});
				}
				// The last of the retries: what was not acknowledged comes once more.
				for (const event of open) await n8n.deliver({ event, ...calm }, 0);
				const wanted = steps.flatMap((one) =>
					one === 'restart' ? [] : one.attempts.map(({ event }) => `evt_${event}`),
				);
				for (let event = 101; event <= others; event++) wanted.push(`evt_${event}`);
				const once = [...new Set(wanted)].sort();
				// To compare as text costs a tenth of what `toEqual` does; that is for showing the difference.
				if (n8n.executions.sort().join() !== once.join()) expect(n8n.executions).toEqual(once);
			}),
			{ numRuns: 10_000 },
		);
	}, 300_000);
});
