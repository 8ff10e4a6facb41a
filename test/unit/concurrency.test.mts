/** Work that runs side by side. How much of it, and in which order: test/wire/bulk. */
import { expect, it } from 'vitest';
import { mapConcurrent } from '../../client/concurrency.ts';

it('starts nothing after a failure, waits for what is running, and throws the first in the list', async () => {
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
