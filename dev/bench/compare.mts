/** Measures the cost of two ways to do the same thing in n8n, alternately. Requires Linux, because it reads /proc. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSimulator } from '../simulator/index.mts';
import { credentialData } from '../testbed/environment.mts';
import { installN8n } from '../testbed/n8n/install.mts';
import { installPackage } from '../testbed/n8n/installPackage.mts';
import { startN8n } from '../testbed/n8n/n8n.mts';
import { makeRunFolder } from '../testbed/tempFolder.mts';

export type BenchEnvironment = Awaited<ReturnType<typeof buildBenchEnvironment>>;

export type Figures = Awaited<ReturnType<typeof measure>>;

/** Does the same work `count` times, and measures it with `measured`. */
export type Client = (
	count: number,
	measured: (work: () => Promise<unknown>) => Promise<Figures>,
) => Promise<Figures>;

export interface Pair {
	name: string;
	ours: Client;
	theirs: Client;
	settings?: Record<string, string>;
	latencyMs?: number;
	/** Whether each run starts a new n8n. A running n8n keeps the memory that earlier runs have allocated. */
	isAlone?: boolean;
}

export type Comparison = Awaited<ReturnType<typeof compare>>;

/** Starts n8n and the simulator. The package must be built. */
export async function buildBenchEnvironment() {
	await installN8n();
	const folder = await makeRunFolder();
	const simulator = await startSimulator({
		// Allow large files in one piece, because the HTTP Request node cannot send chunks.
		uploadLimits: { single: 2 ** 30, total: 2 ** 30, minChunk: 5 * 2 ** 20 },
	});
	await installPackage(folder.path);
	const n8n = await startN8n({ folder: folder.path });
	const data = credentialData(simulator);
	return {
		simulator,
		n8n,
		credential: await n8n.createCredential('Portal.io', 'portalIoApi', data),
		async stop() {
			await n8n.stop();
			await simulator.stop();
			await folder.discard();
		},
	};
}

/** Returns the medians of all rounds, and both nodes' requests in the last round. */
export async function compare(
	{ n8n, simulator: { control } }: BenchEnvironment,
	{ name, ours, theirs, settings, latencyMs = 0, isAlone = false }: Pair,
	[count, times]: [count: number, rounds: number],
) {
	const rounds: [Figures[], Figures[]] = [[], []];
	const requests = [0, 0];
	const run = async (client: Client, inputs: number) =>
		await client(inputs, (work) => measure(n8n.pid, work));
	const begin = async (clients: Client[]) => {
		await n8n.restart(settings);
		control.setLatency(0);
		for (const client of clients) await run(client, Math.ceil(count / 10));
		control.setLatency(latencyMs);
	};
	if (!isAlone) await begin([ours, theirs]);
	for (let round = 0; round < times; round++) {
		for (const [index, client] of [ours, theirs].entries()) {
			if (isAlone) await begin([client]);
			control.clearRequests();
			rounds[index]!.push(await run(client, count));
			requests[index] = control.requests.length;
		}
	}
	control.setLatency(0);
	return { name, count, ours: median(rounds[0]), theirs: median(rounds[1]), requests };
}

/** Returns the measurement with the median processor time; of two measurements, the second. */
const median = (rounds: Figures[]): Figures =>
	rounds.toSorted((one, other) => one.processor - other.processor)[Math.floor(rounds.length / 2)]!;

/**
 * Measures `work` from its start until the process is idle: seconds, processor seconds of all threads, and peak
 * memory in MiB.
 */
async function measure(pid: number, work: () => Promise<unknown>) {
	await untilIdle(pid);
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
	const before = processorTime(pid);
	const start = performance.now();
	await work();
	const seconds = (performance.now() - start) / 1000;
	await untilIdle(pid);
	const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
	return { seconds, processor: processorTime(pid) - before, peak: Number(kibibytes) / 1024 };
}

/** Waits until a process is idle. Tolerates brief activity, which even a waiting process has. */
async function untilIdle(pid: number): Promise<void> {
	for (let before = -1; ;) {
		const now = processorTime(pid);
		if (now - before < 0.02) return;
		before = now;
		await sleep(250);
	}
}

/** Returns the CPU time that a process and its threads have used, in seconds. */
function processorTime(pid: number): number {
	// Read fields 14 and 15, in hundredths, after the name, which can contain spaces and parentheses (proc(5)).
	const [, fields] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
	const [user, system] = fields!.split(' ').slice(11, 13).map(Number);
	return (user! + system!) / 100;
}
