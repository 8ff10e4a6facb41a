/** Deliveries of events: the verified trigger beside n8n's plain Webhook node. */
import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { measure, median, ratios, show, type Figures } from './figures.mts';
import { createChain, type BenchStage, type Part } from './stage.mts';

const COUNT = 1000;
/** How many deliveries are under way at a time. */
const CONCURRENCY = 10;
const EVENT = 'proposal.status_changed';

/** Deliveries a second of both, until n8n has run all the executions too. */
export async function benchDeliveries(
	stage: BenchStage,
	rounds: number,
	say: (line: string) => void,
): Promise<{ table: string; triggerVsWebhook: number }> {
	const path = randomUUID();
	const trigger: Part = {
		name: 'Portal.io Trigger',
		type: 'n8n-nodes-portal-io.portalIoTrigger',
		parameters: { events: [EVENT], options: {} },
		webhookId: randomUUID(),
	};
	const webhook: Part = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
		webhookId: path,
	};
	const nothing: Part = { name: 'Nothing', type: 'n8n-nodes-base.noOp', parameters: {} };
	for (const start of [trigger, webhook])
		await stage.n8n.activate(await createChain(stage, [start, nothing]));
	const [subscription] = stage.simulator.control.subscriptions();
	const secret = String(subscription!.secret_key);
	const urls = {
		'Portal.io Trigger': String(subscription!.url),
		'Webhook node': `${stage.n8n.url}/webhook/${path}`,
	};

	const figures: Record<string, Figures[]> = {};
	for (let round = 0; round < rounds; round++) {
		for (const [name, url] of Object.entries(urls)) {
			await stage.n8n.restart();
			await deliver(url, secret, COUNT / 10);
			const one = await measure(stage.n8n.pid, async () => await deliver(url, secret, COUNT));
			(figures[name] ??= []).push(one);
			say(`${name}: ${(COUNT / one.seconds).toFixed(1)} deliveries a second`);
		}
	}

	const of = (name: string, what: keyof Figures) => figures[name]!.map((one) => one[what]);
	const [ours, plain] = Object.keys(urls) as [string, string];
	const versus = ratios(of(plain, 'seconds'), of(ours, 'seconds'));
	const rows = [ours, plain].map((name) =>
		[
			'',
			name,
			(COUNT / median(of(name, 'seconds'))).toFixed(0),
			((1000 * median(of(name, 'processor'))) / COUNT).toFixed(2),
			median(of(name, 'peak')).toFixed(0),
			'',
		]
			.join(' | ')
			.trim(),
	);
	return {
		table: [
			'| who | deliveries a second | processor time of each with its execution, ms | peak memory, MiB |',
			'|---|--:|--:|--:|',
			...rows,
			'',
			'| ratio | median (each round) |',
			'|---|--:|',
			`| deliveries a second, Portal.io Trigger / Webhook node | ${show(versus)} |`,
		].join('\n'),
		triggerVsWebhook: median(versus),
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
