/**
 * `npm run bench`: ratios, measured side by side in one run, since the machine's own speed drifts.
 * Each figure is the median over rounds in which both sides take turns.
 */
import { createHmac } from 'node:crypto';
import axios from 'axios';
import { startSimulator } from '../simulator/index.mts';
import { seed } from '../simulator/seed.mts';
import { execute, StoredCredential } from '../test/wire/harness.mts';

const ROUNDS = 9;

/** How long `work` takes, in milliseconds. */
async function time(work: () => unknown): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

/** The median of `of` over `against`, round by round. */
async function ratio(of: () => unknown, against: () => unknown): Promise<string> {
	const ratios: number[] = [];
	for (let round = 0; round <= ROUNDS; round++) {
		const value = (await time(of)) / (await time(against));
		// The first round warms both sides up.
		if (round > 0) ratios.push(value);
	}
	ratios.sort((a, b) => a - b);
	const [low, median, high] = [0, Math.floor(ROUNDS / 2), ROUNDS - 1].map((at) =>
		ratios[at]!.toFixed(2),
	);
	return `${median} (${low} to ${high})`;
}

const simulator = await startSimulator();
const credential = new StoredCredential({
	environment: 'custom',
	baseUrl: simulator.url,
	...seed.dealer,
});
const proposalId = seed.proposals.staleTheatre;
const inputs = Array.from({ length: 100 }, () => ({}));
const readWithNode = () =>
	execute({
		credential,
		parameters: { resource: 'proposal', operation: 'get', proposalId, simplify: false },
		items: inputs,
	});

const authenticate = credential.type.authenticate as (...args: unknown[]) => Promise<unknown>;
const message = `GET${simulator.url}/public/proposals/${proposalId}${new Date().toUTCString()}`;
console.log(
	'signing a request / one HMAC-SHA256 of its message:',
	await ratio(
		async () => {
			for (let count = 0; count < 2000; count++) {
				await authenticate(credential.data, { method: 'GET', url: '/public/proposals/1' });
			}
		},
		() => {
			for (let count = 0; count < 2000; count++) {
				createHmac('sha256', seed.dealer.secretKey).update(message).digest('base64');
			}
		},
	),
);

await readWithNode();
const [recorded] = simulator.control.requests.slice(-1);
const headers = Object.fromEntries(
	Object.entries(recorded!.headers).filter(([name]) => /^(accept|x-mss-.*)$/.test(name)),
);
console.log(
	'100 proposals read by the node / by bare axios with ready-made headers:',
	await ratio(readWithNode, async () => {
		for (let count = 0; count < inputs.length; count++) {
			await axios.get(simulator.url + recorded!.path, { headers });
		}
	}),
);
await simulator.stop();
