/**
 * What 10,000 inputs hold of memory while they run, above their results: `node --expose-gc
 * dev/bench/inputs.mts` prints it as JSON. A process of its own, with the simulator in another thread, so
 * that nothing else is in the heap that is looked at.
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { credentialData } from '../testbed/environment.mts';
import { seed, startSimulator } from '../simulator/index.mts';
import { execute, StoredCredential } from '../testbed/nodeRunner.mts';

/** In MiB. */
export interface InputsMemory {
	/** What the results alone take. */
	results: number;
	/** The most that was held above the results so far, of all samples. */
	most: number;
	/** The same with *Retry On Fail*. */
	mostWithRetry: number;
	/** The processor time with *Retry On Fail*, in units of that without. */
	timeWithRetry: number;
}

const COUNT = 10_000;
const SAMPLE_EVERY = 500;

if (isMainThread) {
	const thread = new Worker(new URL(import.meta.url));
	const [url] = (await once(thread, 'message')) as [string];
	console.log(JSON.stringify(await watch(url)));
	process.exit();
} else {
	const { url } = await startSimulator();
	parentPort!.postMessage(url);
}

async function watch(url: string): Promise<InputsMemory> {
	const credential = new StoredCredential(credentialData({ url }));
	const parameters = {
		resource: 'proposal',
		operation: 'get',
		proposalId: seed.proposals.staleTheater,
		simplify: false,
	};
	const items = Array.from({ length: COUNT }, () => ({}));
	const [{ json }] = (await execute({ credential, parameters })) as [{ json: object }];

	// What results of this kind take by themselves, each parsed from its answer.
	const answer = JSON.stringify(json);
	const empty = used();
	const alone = items.map((_, item) => ({ json: JSON.parse(answer), pairedItem: { item } }));
	const results = (used() - empty) * (alone.length / COUNT);
	alone.length = 0;

	const measure = async (retryOnFail: boolean) => {
		const before = used();
		const start = process.cpuUsage();
		let sent = 0;
		let most = 0;
		credential.onRequest = () => {
			if (sent++ % SAMPLE_EVERY === 0)
				most = Math.max(most, used() - before - (results * sent) / COUNT);
		};
		const output = await execute({ credential, parameters, items, settings: { retryOnFail } });
		const { user, system } = process.cpuUsage(start);
		return {
			most: Math.max(most, used() - before - (results * output.length) / COUNT),
			time: user + system,
		};
	};
	const once = await measure(false);
	const { most: mostWithRetry, time } = await measure(true);
	return { results, most: once.most, mostWithRetry, timeWithRetry: time / once.time };
}

function used(): number {
	globalThis.gc!();
	return process.memoryUsage().heapUsed / 1024 / 1024;
}
