/** Work that runs side by side, and work that must not. */
import { expect, it } from 'vitest';
import { mapConcurrent, runInOrder, type Queue } from '../../client/concurrency.ts';

const turn = async () => await new Promise(setImmediate);

function tasks() {
	const started: string[] = [];
	const open = new Map<string, PromiseWithResolvers<string>>();
	const run = async (name: string) => {
		started.push(name);
		const ending = Promise.withResolvers<string>();
		open.set(name, ending);
		return await ending.promise;
	};
	const end = async (name: string) => {
		open.get(name)!.resolve(`${name} done`);
		await turn();
	};
	const fail = async (name: string) => {
		open.get(name)!.reject(new Error(`${name} failed`));
		await turn();
	};
	return { started, run, end, fail };
}

it('starts as many tasks as allowed, and returns the results in the order of the entries', async () => {
	const { started, run, end } = tasks();
	const results = mapConcurrent(['a', 'b', 'c', 'd'], 2, run);
	expect(started).toEqual(['a', 'b']);
	await end('b');
	expect(started).toEqual(['a', 'b', 'c']);
	await end('c');
	await end('d');
	await end('a');
	expect(await results).toEqual(['a done', 'b done', 'c done', 'd done']);
});

it('starts nothing after a failure, and waits for what is running', async () => {
	const { started, run, end, fail } = tasks();
	let outcome = 'open';
	const settled = mapConcurrent(['a', 'b', 'c', 'd'], 3, run).catch(
		(error: Error) => (outcome = error.message),
	);
	await fail('c');
	expect(outcome).toBe('open');
	await fail('b');
	await end('a');
	await settled;
	expect(outcome).toBe('b failed');
	expect(started).toEqual(['a', 'b', 'c']);
});

it('runs the tasks of a key in order, also after a failure, and those of other keys in parallel', async () => {
	const { started, run, end, fail } = tasks();
	const queue: Queue = new Map();
	const first = runInOrder(queue, 'a', () => run('first'));
	const second = runInOrder(queue, 'a', () => run('second'));
	const third = runInOrder(queue, 'a', () => run('third'));
	const other = runInOrder(queue, 'b', () => run('other'));
	await turn();
	expect(started).toEqual(['first', 'other']);
	const failed = expect(first).rejects.toThrow('first failed');
	await fail('first');
	await failed;
	expect(started).toEqual(['first', 'other', 'second']);
	await end('second');
	expect(await second).toBe('second done');
	await end('third');
	await end('other');
	expect(await Promise.all([third, other])).toEqual(['third done', 'other done']);
});
