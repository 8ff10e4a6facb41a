/**
 * Node as it is, plus a list of what to stop when the last file has run. Without isolation a worker
 * runs many files of a project; it sets up its environment once and tears it down once.
 */
import type { Environment } from 'vitest/runtime';

declare global {
	/** Run one after another when the worker ends, the last one first. */
	var atEndOfWorker: (() => Promise<void>)[] | undefined;
}

const environment: Environment = {
	name: 'environment',
	viteEnvironment: 'ssr',
	setup(global) {
		const tasks: (() => Promise<void>)[] = [];
		global.atEndOfWorker = tasks;
		return {
			async teardown() {
				for (const task of tasks.reverse()) await task();
			},
		};
	},
};

export default environment;
