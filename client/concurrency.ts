import { sleep } from 'n8n-workflow';

/**
 * Maps entries, `limit` of them at a time. After a failure it starts no further entry, waits for the
 * running ones, and throws the failure of the first entry in the list that failed.
 */
export async function mapConcurrent<T, R>(
	entries: readonly T[],
	limit: number,
	map: (entry: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const failures = new Map<number, unknown>();
	let next = 0;
	const worker = async () => {
		while (next < entries.length && failures.size === 0) {
			const index = next++;
			try {
				results[index] = await map(entries[index]!, index);
			} catch (error) {
				failures.set(index, error);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, entries.length) }, worker));
	if (failures.size > 0) throw failures.get(Math.min(...failures.keys())) as Error;
	return results;
}

/** Runs tasks with the same key one after the other, whether they succeed or not. */
export class KeyedQueue {
	private readonly last = new Map<string, Promise<unknown>>();

	async run<R>(key: string, task: () => Promise<R>): Promise<R> {
		const before = this.last.get(key) ?? Promise.resolve();
		const done = before.then(task, task);
		this.last.set(key, done);
		try {
			return await done;
		} finally {
			if (this.last.get(key) === done) this.last.delete(key);
		}
	}
}

/** The result of a promise; undefined if the signal aborts first. */
export async function untilAborted<T>(
	promise: Promise<T>,
	signal: AbortSignal,
): Promise<T | undefined> {
	let stop = () => {};
	const aborted = new Promise<undefined>((resolve) => (stop = () => resolve(undefined)));
	signal.addEventListener('abort', stop);
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** Waits; returns early when the execution is stopped. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal?.aborted) return;
	const waiting = sleep(milliseconds);
	await (signal === undefined ? waiting : untilAborted(waiting, signal));
}
