/** Compares what two ways to do the same take of n8n, in turns. Linux: it reads /proc. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What one run took of n8n's process. */
export interface Figures {
	seconds: number;
	/** Of the processor, for all threads, in seconds. */
	processor: number;
	/** The most memory that the process held at a time, in MiB. */
	peak: number;
}

/** Measures some work, until n8n has nothing left to do. */
export type Measured = (work: () => Promise<unknown>) => Promise<Figures>;

/** Does something so many times, and has it measured. */
export type Client = (count: number, measured: Measured) => Promise<Figures>;

/** What was compared: this package, n8n's own nodes, and for each of both the median of all rounds. */
export interface Comparison {
	name: string;
	count: number;
	ours: Figures;
	theirs: Figures;
	/** How many requests the service got in the last round of each. */
	requests: [ours: number, theirs: number];
}

/** A client that is measured from its beginning. */
export const plain =
	(run: (count: number) => Promise<unknown>): Client =>
	(count, measured) =>
		measured(() => run(count));

/** Seconds of processor time that a process has used since it began, its threads included. */
function processorTime(pid: number): number {
	// After the name, which may have spaces and brackets: fields 14 and 15, in hundredths (proc(5)).
	const [, fields] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
	const [user, system] = fields!.split(' ').slice(11, 13).map(Number);
	return (user! + system!) / 100;
}

/** Waits until a process has nothing left to do; one that waits does a little now and then. */
async function untilIdle(pid: number): Promise<void> {
	for (let before = -1; ;) {
		const now = processorTime(pid);
		if (now - before < 0.02) return;
		before = now;
		await sleep(250);
	}
}

/** What `work` takes of a process, from its beginning to when the process is idle again. */
export async function measure(pid: number, work: () => Promise<unknown>): Promise<Figures> {
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

/** The one in the middle by processor time; of two, the second. */
export const median = (rounds: Figures[]): Figures =>
	rounds.toSorted((one, other) => one.processor - other.processor)[Math.floor(rounds.length / 2)]!;
