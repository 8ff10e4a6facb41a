import { sleep } from 'n8n-workflow';

/**
 * Maps entries with an asynchronous function, a limited number of them at a time.
 *
 * After a failure no further entry is started, and the running ones are awaited: nothing is being sent
 * any more when the caller learns of it.
 *
 * @returns the results, in the order of the entries
 * @throws the failure of the first entry in the list that failed
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

/** Runs tasks with the same key one after the other, in the order in which they were added. */
export class KeyedQueue {
	private readonly last = new Map<string, Promise<unknown>>();

	/** Runs a task after all earlier ones with its key, whether they succeeded or not. */
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

/** Awaits a promise, or the abort of the signal, on which it leaves nothing behind. */
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
