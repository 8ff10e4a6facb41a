/**
 * Tests tasks that run at the same time or in order. test/wire/bulk and test/wire/executions test this in executions.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { mapConcurrent, runInOrder } from '../../client/concurrency.ts';

it('throws the failure of the earliest task in the list after all running tasks have ended', async () => {
	const tasks = new Map<string, PromiseWithResolvers<void>>();
	let outcome = 'open';
	const settled = mapConcurrent(['a', 'b', 'c', 'd'], 3, async (name) => {
		tasks.set(name, Promise.withResolvers());
		await tasks.get(name)!.promise;
	}).catch((error: Error) => (outcome = error.message));
	for (const name of ['c', 'b']) {
		tasks.get(name)!.reject(new Error(`${name} failed`));
		await new Promise(setImmediate);
		expect(outcome).toBe('open');
	}
	tasks.get('a')!.resolve();
	await settled;
	expect(outcome).toBe('b failed');
	expect([...tasks.keys()]).toEqual(['a', 'b', 'c']);
});

/** Creates a queue whose tasks run until the test ends them. Records the order in which they begin. */
function setUpQueue() {
	const begun: string[] = [];
	const tasks = new Map<string, PromiseWithResolvers<void>>();
	const queue = (
		name: string,
		{ key = 'a key', signal }: { key?: string; signal?: AbortSignal } = {},
	) => {
		tasks.set(name, Promise.withResolvers());
		const task = async () => {
			begun.push(name);
			await tasks.get(name)!.promise;
			return name;
		};
		return runInOrder(key, task, signal).catch((error: Error) => error.message);
	};
	const settled = async () => await new Promise(setImmediate);
	return { begun, tasks, queue, settled };
}

it('runs tasks with the same key in order, even after a failure', async () => {
	const { begun, tasks, queue, settled } = setUpQueue();
	const results = [queue('first'), queue('second'), queue('other', { key: 'another key' })];
	await settled();
	expect(begun).toEqual(['first', 'other']);
	tasks.get('first')!.reject(new Error('It failed'));
	await settled();
	expect(begun).toEqual(['first', 'other', 'second']);
	results.push(queue('third'));
	await settled();
	expect(begun).toHaveLength(3);
	for (const task of tasks.values()) task.resolve();
	expect(await Promise.all(results)).toEqual(['It failed', 'second', 'other', 'third']);
});

it('fails a waiting task as soon as it is stopped', async () => {
	const { begun, tasks, queue, settled } = setUpQueue();
	const stop = new AbortController();
	const first = queue('first');
	const stopped = queue('stopped', { signal: stop.signal });
	const last = queue('last');
	stop.abort();
	expect(await stopped).toBe('The execution was stopped');
	expect(await queue('late', { signal: stop.signal })).toBe('The execution was stopped');
	await settled();
	expect(begun).toEqual(['first']);
	for (const task of tasks.values()) task.resolve();
	expect(await Promise.all([first, last])).toEqual(['first', 'last']);
	expect(begun).toEqual(['first', 'last']);
});

it('forgets a key as soon as its tasks have ended', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const heapAfter = async (tasks: number) => {
		for (let task = 0; task < tasks; task++) {
			await runInOrder(`${'k'.repeat(1000)} ${task}`, async () => {});
		}
		await new Promise(setImmediate);
		collectGarbage();
		return process.memoryUsage().heapUsed;
	};
	const before = await heapAfter(1);
	// Expect that no key is left, because 20,000 of these keys would need 20 MB.
	expect((await heapAfter(20_000)) - before).toBeLessThan(5_000_000);
});
