import { sleep } from 'n8n-workflow';
import { PortalError } from './errors';

/**
 * Maps entries, up to `limit` at a time. After a failure, starts no more calls, waits for the running ones, and throws
 * the error of the failed entry that comes first in the list.
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

/** Last task for each key in this process. Keys without a task are removed. */
const lastTasks = new Map<string, Promise<unknown>>();

/**
 * Runs a task after all earlier tasks with the same key in this process have succeeded or failed. A task that is still
 * waiting when the signal aborts fails immediately and never runs.
 */
export async function runInOrder<R>(
	key: string,
	task: () => Promise<R>,
	signal?: AbortSignal,
): Promise<R> {
	const previous = lastTasks.get(key);
	const result = untilAborted(previous, signal).then(async () => {
		if (signal?.aborted) throw new PortalError('The execution was stopped');
		return await task();
	});
	// Make later tasks wait for this task and the previous one, because an aborted task can end before the previous
	// one.
	const end = Promise.allSettled([previous, result]).then(() => {
		if (lastTasks.get(key) === end) lastTasks.delete(key);
	});
	lastTasks.set(key, end);
	return await result;
}

/** Waits for a promise, and returns its value, or undefined if the signal aborts first. */
export async function untilAborted<T>(
	promise: Promise<T> | undefined,
	signal: AbortSignal | undefined,
): Promise<T | undefined> {
	if (signal === undefined) return await promise;
	if (signal.aborted) return undefined;
	let stop = () => {};
	const aborted = new Promise<undefined>((resolve) => (stop = () => resolve(undefined)));
	signal.addEventListener('abort', stop);
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** Waits until the time has passed or the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal?.aborted) return;
	await untilAborted(sleep(milliseconds), signal);
}
