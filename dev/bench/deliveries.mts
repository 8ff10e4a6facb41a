/** Deliveries of events: the verified trigger beside n8n's plain Webhook node. */
import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { createChain, noOp, portalTrigger, type Part } from '../testbed/workflowBuilder.mts';
import { measure, type Figures, type PartResults, type Say } from './figures.mts';
import type { BenchEnvironment } from './environment.mts';

/** How many deliveries are under way at a time. */
const CONCURRENCY = 10;
/** How many times each of the two is measured for one figure. */
const TURNS = 10;
const TRIGGER = 'Portal.io Trigger';
const WEBHOOK = 'Webhook node';
const EVENT = 'proposal.status_changed';
/** n8n makes the sandbox for expressions only when there is an expression: it treats both nodes alike. */
const ALIKE = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

const NOTE = `Events with a signature each, ten in parallel. Both nodes respond once n8n has stored the execution. By default, n8n creates a sandbox for
expressions for every execution and another one for every delivery to a node that is not its own; with \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`, it
creates one only *when needed* ([details](n8n-internals.md#speed)). *First* and *last* are 1,000 deliveries each to two workflows in one n8n, in turns; the trigger takes 8,000 more
in between. *Alone* is an n8n with the Webhook node only.`;

/** How many are measured at a time, and how many come between the first and the last of them. */
interface Counts {
	measured: number;
	between: number;
	/** Whether both are also measured with n8n's default, which treats its own node better. */
	withDefault?: boolean;
}

/** The trigger and the Webhook node, at the start of an n8n and after many deliveries. */
export async function benchDeliveries(
	environment: BenchEnvironment,
	say: Say,
	{ measured, between, withDefault = false }: Counts,
): Promise<PartResults> {
	const { trigger, webhook } = await activate(environment);
	const senders = { [WEBHOOK]: webhook, [TRIGGER]: trigger };
	const rows: string[] = [];
	const note = (
		name: string,
		when: string,
		{ seconds, processor, peak }: Figures,
		count: number,
	) => {
		const perSecond = (count / seconds).toFixed(1);
		say(`${name}, ${when}: ${perSecond} deliveries a second`);
		rows.push(
			`| ${name} | ${when} | ${perSecond} | ${((1000 * processor) / count).toFixed(2)} | ${peak.toFixed(0)} |`,
		);
	};
	/** In turns, so that what else the machine does meets both; the ratio of the speeds. */
	const compare = async (when: string, count: number) => {
		const sums = new Map<string, Figures>();
		for (let turn = 0; turn < TURNS; turn++) {
			for (const [name, send] of Object.entries(senders)) {
				const part = await measure(environment.n8n.pid, async () => await send(count / TURNS));
				const sum = sums.get(name) ?? { seconds: 0, processor: 0, peak: 0 };
				sum.seconds += part.seconds;
				sum.processor += part.processor;
				sum.peak = Math.max(sum.peak, part.peak);
				sums.set(name, sum);
			}
		}
		for (const [name, sum] of sums) note(name, when, sum, count);
		const [theirs, ours] = [sums.get(WEBHOOK)!, sums.get(TRIGGER)!];
		return { ratio: theirs.seconds / ours.seconds, seconds: ours.seconds, peak: ours.peak };
	};

	await environment.n8n.restart(ALIKE);
	await webhook(measured / 10);
	const alone = await measure(environment.n8n.pid, async () => await webhook(2 * measured));
	note(WEBHOOK, 'alone', alone, 2 * measured);
	await environment.n8n.restart(ALIKE);
	for (const send of Object.values(senders)) await send(measured / 20);
	const first = await compare('first', measured);
	await trigger(between);
	const last = await compare('last', measured);
	const ratios: Record<string, number> = {
		'deliveries: speed / Webhook node, first': first.ratio,
		'deliveries: speed / Webhook node, last': last.ratio,
		'deliveries: speed of the last / the first': first.seconds / last.seconds,
		'deliveries: MiB above the Webhook node': first.peak - alone.peak,
	};
	if (withDefault) {
		await environment.n8n.restart();
		for (const send of Object.values(senders)) await send(measured / 20);
		const { ratio } = await compare("n8n's default", measured / 4);
		ratios["deliveries: speed / Webhook node, n8n's default"] = ratio;
	}
	return { section: `${NOTE}\n\n${HEADER}\n${rows.join('\n')}`, ratios };
}

const HEADER = `| node | deliveries | per second | processor time per delivery and execution, ms | peak memory, MiB |
|---|---|--:|--:|--:|`;

/** Delivers so many events. */
type Send = (count: number) => Promise<void>;

async function activate(environment: BenchEnvironment): Promise<{ trigger: Send; webhook: Send }> {
	const path = randomUUID();
	const webhook: Part = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
		webhookId: path,
	};
	for (const start of [portalTrigger([EVENT]), webhook]) {
		await environment.n8n.activate(await createChain(environment, 'Benchmark', [start, noOp]));
	}
	const [subscription] = environment.simulator.control.subscriptions();
	const secret = String(subscription!.secret_key);
	const to = (url: string) => async (count: number) => await deliver(url, secret, count);
	return {
		trigger: to(String(subscription!.url)),
		webhook: to(`${environment.n8n.url}/webhook/${path}`),
	};
}

const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

/** Delivers different events, each signed at the moment it is sent, and waits for all answers. */
async function deliver(url: string, secret: string, count: number): Promise<void> {
	let left = count;
	await Promise.all(
		Array.from({ length: CONCURRENCY }, async () => {
			while (left-- > 0) await post(url, secret);
		}),
	);
}

function post(url: string, secret: string): Promise<void> {
	const created = new Date().toISOString();
	const data = { proposalId: 48210, status: 'Accepted', previousStatus: 'Submitted' };
	const body = JSON.stringify({ id: `evt_${randomUUID()}`, type: EVENT, created, data });
	const time = Math.floor(Date.now() / 1000);
	const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
	return new Promise((resolve, reject) => {
		const outgoing = request(url, {
			method: 'POST',
			agent,
			headers: {
				'Content-Type': 'application/json',
				'Content-Length': Buffer.byteLength(body),
				'X-Webhook-Signature': `t=${time},v1=${signature}`,
			},
		});
		outgoing.on('response', (answer) => {
			answer.resume().on('end', () => {
				if (answer.statusCode === 200) resolve();
				else reject(new Error(`${answer.statusCode} of ${url}`));
			});
		});
		outgoing.on('error', reject).end(body);
	});
}
