/** Deliveries of events: the verified trigger beside n8n's plain Webhook node. */
import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { measure, median, ratios, show, type Figures } from './figures.mts';
import { createChain, noOp, portalTrigger, type Part } from '../testbed/workflowBuilder.mts';
import type { BenchStage } from './stage.mts';

const COUNT = 1000;
/** How many deliveries are under way at a time. */
const CONCURRENCY = 10;
const EVENT = 'proposal.status_changed';

/**
 * When n8n makes the sandbox for expressions. By its default it makes one for each execution, and
 * another while it takes a delivery for any trigger but its own Webhook node, whether or not there
 * is an expression.
 */
const SANDBOXES: Record<string, Record<string, string>> = {
	always: {},
	'when needed': { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
};

/** What the report needs. */
export interface DeliveriesResults {
	table: string;
	/** With n8n's default, which spares its own node the second sandbox. */
	triggerVsWebhook: number;
	/** Where n8n makes no difference between the two, so that what is measured are the triggers. */
	triggerVsWebhookAlike: number;
}

/** Deliveries a second of both, until n8n has run all the executions too. */
export async function benchDeliveries(
	stage: BenchStage,
	rounds: number,
	say: (line: string) => void,
): Promise<DeliveriesResults> {
	const path = randomUUID();
	const webhook: Part = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
		webhookId: path,
	};
	for (const start of [portalTrigger([EVENT]), webhook]) {
		await stage.n8n.activate(await createChain(stage, 'Benchmark', [start, noOp]));
	}
	const [subscription] = stage.simulator.control.subscriptions();
	const secret = String(subscription!.secret_key);
	const urls = {
		'Portal.io Trigger': String(subscription!.url),
		'Webhook node': `${stage.n8n.url}/webhook/${path}`,
	};

	const figures: Record<string, Record<string, Figures[]>> = {};
	for (let round = 0; round < rounds; round++) {
		for (const [sandboxes, settings] of Object.entries(SANDBOXES)) {
			for (const [name, url] of Object.entries(urls)) {
				await stage.n8n.restart(settings);
				await deliver(url, secret, COUNT / 10);
				const one = await measure(stage.n8n.pid, async () => await deliver(url, secret, COUNT));
				((figures[sandboxes] ??= {})[name] ??= []).push(one);
				say(`${name}, ${sandboxes}: ${(COUNT / one.seconds).toFixed(1)} deliveries a second`);
			}
		}
	}
	await stage.n8n.restart();

	const [ours, plain] = Object.keys(urls) as [string, string];
	const versus = (sandboxes: string) => {
		const [mine, theirs] = [ours, plain].map((name) => figures[sandboxes]![name]!);
		return ratios(secondsOf(theirs!), secondsOf(mine!));
	};
	const kinds = Object.keys(SANDBOXES) as [string, string];
	return {
		table: [
			'| node | sandboxes | deliveries per second | processor time per delivery and execution, ms | peak memory, MiB |',
			'|---|---|--:|--:|--:|',
			...kinds.flatMap((sandboxes) =>
				[ours, plain].map((name) => row(name, sandboxes, figures[sandboxes]![name]!)),
			),
			'',
			'| deliveries per second, Portal.io Trigger / Webhook node | median (each round) |',
			'|---|--:|',
			...kinds.map((sandboxes) => `| sandboxes ${sandboxes} | ${show(versus(sandboxes))} |`),
		].join('\n'),
		triggerVsWebhook: median(versus(kinds[0])),
		triggerVsWebhookAlike: median(versus(kinds[1])),
	};
}

const secondsOf = (rounds: Figures[]) => rounds.map(({ seconds }) => seconds);

function row(name: string, sandboxes: string, rounds: Figures[]): string {
	const perSecond = COUNT / median(secondsOf(rounds));
	const processor = (1000 * median(rounds.map((one) => one.processor))) / COUNT;
	const peak = median(rounds.map((one) => one.peak));
	return `| ${name} | ${sandboxes} | ${perSecond.toFixed(0)} | ${processor.toFixed(2)} | ${peak.toFixed(0)} |`;
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
