/**
 * The floor: requests that are signed already, by Node's own HTTP client, with nothing around it.
 * A process of its own, told by its standard input and answering on its standard output, so that its
 * processor time and memory are nobody else's.
 */
import { Agent, request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Figures } from './figures.mts';

/** What the process is to do. */
export interface BareWork {
	concurrency: number;
	requests: { method: string; url: string; headers: Record<string, string>; body: string }[];
}

const { concurrency, requests } = (await json(process.stdin)) as BareWork;
const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
const answers: unknown[] = [];

function send({ method, url, headers, body }: BareWork['requests'][number]): Promise<unknown> {
	return new Promise((resolve, reject) => {
		const outgoing = httpRequest(url, { method, headers, agent }, (incoming) => {
			json(incoming).then((answer) => {
				if (incoming.statusCode === 200) resolve(answer);
				else reject(new Error(`${incoming.statusCode}: ${JSON.stringify(answer)}`));
			}, reject);
		});
		outgoing.on('error', reject).end(body);
	});
}

const before = process.cpuUsage();
const start = performance.now();
const waiting = requests.values();
await Promise.all(
	Array.from({ length: concurrency }, async () => {
		for (const one of waiting) answers.push(await send(one));
	}),
);
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(before);
const figures: Figures = {
	seconds,
	processor: (user + system) / 1e6,
	peak: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(figures));
process.exit();
