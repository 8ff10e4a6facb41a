/** Figures of the operating system about a process, and how they are put together and shown. Linux. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const MiB = 1024 * 1024;

/** What one run took. */
export interface Figures {
	seconds: number;
	/** Of the processor, for all threads of the process, in seconds. */
	processor: number;
	/** The most memory that the process held at a time, in MiB. */
	peak: number;
}

/** Tells whoever waits what was measured. */
export type Say = (line: string) => void;

/** What a part of the benchmark gives: its section of the page, and its figures by name. */
export interface PartResults {
	section: string;
	ratios: Record<string, number>;
}

/** The middle one; of an even number, the upper of the two in the middle. */
export function median(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** The median and, in brackets, every round: who reads it sees how noisy the machine was. */
export function show(values: number[], digits = 2): string {
	const all = values.map((value) => value.toFixed(digits));
	return `${median(values).toFixed(digits)} (${all.join(', ')})`;
}

/** One value by another, round by round, since only what ran close together can be compared. */
export function ratios(of: number[], by: number[]): number[] {
	return of.map((value, round) => value / by[round]!);
}

/** Seconds of processor time that a process has used since it began, its threads included. */
function processorTime(pid: number): number {
	// After the name, which may have spaces and brackets: fields 14 and 15, in hundredths (proc(5)).
	const [, fields] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
	const [user, system] = fields!.split(' ').slice(11, 13).map(Number);
	return (user! + system!) / 100;
}

/** Begins to watch how much memory a process holds; the function gives the most since then, in MiB. */
export function watchMemory(pid: number): () => number {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
	return () => {
		const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
		return (Number(kibibytes) * 1024) / MiB;
	};
}

/** Waits until a process has nothing left to do. */
export async function untilIdle(pid: number): Promise<void> {
	const intervalMs = 250;
	for (let before = -1; ;) {
		const now = processorTime(pid);
		// A process that waits does a little now and then.
		if (now - before < 0.02) return;
		before = now;
		await sleep(intervalMs);
	}
}

/** What `work` takes of a process, from its beginning to when the process is idle again. */
export async function measure(pid: number, work: () => Promise<unknown>): Promise<Figures> {
	await untilIdle(pid);
	const peak = watchMemory(pid);
	const before = processorTime(pid);
	const start = performance.now();
	await work();
	const seconds = (performance.now() - start) / 1000;
	await untilIdle(pid);
	return { seconds, processor: processorTime(pid) - before, peak: peak() };
}
