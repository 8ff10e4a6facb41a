/** Deliveries and polls, beside n8n's Webhook node and its Schedule Trigger with an HTTP Request node. */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../testbed/until.mts';
import {
	createChain,
	noOp,
	pollingTrigger,
	portalTrigger,
	type Part,
} from '../testbed/workflowBuilder.mts';
import { httpRequest, type BenchEnvironment, type Pair } from './environment.mts';
import { plain, type Client } from './measure.mts';

/** How many deliveries are under way at a time. */
const CONCURRENCY = 10;
const EVENT = 'proposal.status_changed';
/** n8n makes the sandbox for expressions only when there is an expression. */
export const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** Events with a signature each. */
export async function deliveries(environment: BenchEnvironment): Promise<Pair> {
	const { n8n, simulator } = environment;
	const path = randomUUID();
	const webhook: Part = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
		webhookId: path,
	};
	for (const start of [portalTrigger([EVENT]), webhook])
		await n8n.activate(await createChain(environment, 'Benchmark', [start, noOp]));
	const { url, secret_key: secret } = simulator.control.subscriptions().at(-1)!;
	const client = (to: string) => plain((count) => deliver(to, String(secret), count));
	return {
		name: 'deliveries',
		ours: client(String(url)),
		theirs: client(`${n8n.url}/webhook/${path}`),
	};
}

/** Different events, each signed when it is sent. */
async function deliver(url: string, secret: string, count: number): Promise<void> {
	let left = count;
	const data = { proposalId: 48210, status: 'Accepted', previousStatus: 'Submitted' };
	const senders = Array.from({ length: CONCURRENCY }, async () => {
		while (left-- > 0) {
			const created = new Date().toISOString();
			const body = JSON.stringify({ id: `evt_${randomUUID()}`, type: EVENT, created, data });
			const time = Math.floor(Date.now() / 1000);
			const v1 = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
			const headers = {
				'Content-Type': 'application/json',
				'X-Webhook-Signature': `t=${time},v1=${v1}`,
			};
			const { status } = await fetch(url, { method: 'POST', headers, body });
			if (status !== 200) throw new Error(`${status} of ${url}`);
		}
	});
	await Promise.all(senders);
}

/** Polls that find nothing, one each second: rare ones would be lost among what n8n does anyway. */
export async function polls(environment: BenchEnvironment): Promise<Pair> {
	const { control, url } = environment.simulator;
	const poll = pollingTrigger('proposalStatusChanged');
	const pollTimes = {
		item: Array.from({ length: 60 }, (_, second) => ({
			mode: 'custom',
			cronExpression: `${second} * * * * *`,
		})),
	};
	const schedule: Part = {
		name: 'Schedule',
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
	};
	const list = `${url}/public/proposals?PageNumber=1&PageSize=100`;
	const client =
		(parts: Part[]): Client =>
		async (count, measured) => {
			const workflow = await createChain(environment, 'Benchmark', parts);
			await environment.n8n.activate(workflow);
			control.clearRequests();
			await until('the first polls', () => control.requests.length > 2 || undefined);
			control.clearRequests();
			const figures = await measured(() => sleep(1000 * count));
			await environment.n8n.deactivate(workflow);
			return figures;
		};
	return {
		name: 'polls',
		ours: client([{ ...poll, parameters: { ...poll.parameters, pollTimes } }, noOp]),
		theirs: client([schedule, httpRequest({ method: 'GET', url: list })]),
	};
}
