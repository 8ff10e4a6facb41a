import { sleep } from 'n8n-workflow';

/**
 * Maps entries with an asynchronous function, a limited number of them at a time.
 *
 * After a failure no further entry is started. Those that are running are waited for before the
 * failure of the first entry in the list is thrown, so nothing is still being sent when the caller
 * learns that it failed.
 *
 * @returns the results, in the order of the entries
 */
export async function mapConcurrent<T, R>(
	entries: readonly T[],
	limit: number,
	map: (entry: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const failures: Array<{ index: number; error: unknown }> = [];
	let next = 0;
	const worker = async () => {
		while (next < entries.length && failures.length === 0) {
			const index = next++;
			await map(entries[index]!, index).then(
				(result) => (results[index] = result),
				(error: unknown) => failures.push({ index, error }),
			);
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, entries.length) }, worker));
	const [first] = failures.sort((a, b) => a.index - b.index);
	if (first !== undefined) throw first.error as Error;
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
		return await done.finally(() => {
			if (this.last.get(key) === done) this.last.delete(key);
		});
	}
}

/** Waits; returns early when the execution is stopped. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal?.aborted) return;
	let stop = () => {};
	const stopped = new Promise<void>((resolve) => (stop = resolve));
	signal?.addEventListener('abort', stop);
	await Promise.race([sleep(milliseconds), stopped]);
	signal?.removeEventListener('abort', stop);
}
