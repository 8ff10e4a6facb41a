import { defineConfig } from 'vitest/config';
import { alias, zone } from '../../vitest.config.mts';

// Of the run that must succeed, on a busy machine; the others fail fast (runner.mts).
const patience = { testTimeout: 120_000, hookTimeout: 120_000, retry: 2 };

const atLoad = './dev/mutation/atLoad.mts';

const project = (name: string, more: object = {}) => ({
	test: {
		name,
		include: [`test/${name}/**/*.test.mts`],
		alias,
		isolate: false,
		// Loaded once by a process, not by each run: compiling its contract takes a second.
		server: { deps: { external: [/\/dev\/simulator\//] } },
		...patience,
		...more,
	},
});

/** The tests that Stryker runs against each change: of parts, and of the built nodes. */
export default defineConfig({
	test: {
		// Stryker reports.
		reporters: [{}],
		projects: [
			// The pages are not part of the package.
			project('unit', { exclude: ['test/unit/docs.test.mts'], setupFiles: [atLoad], env: zone }),
			// In this order: the quickest first.
			project('properties', {
				// The others need much longer than a change may take.
				include: ['test/properties/{deliveries,forgeries,polling}.test.mts'],
				sequence: { groupOrder: 1 },
				setupFiles: [atLoad],
				// As a change may take no longer.
				env: { ...zone, N8N_LOG_LEVEL: 'info', RUNS: '0.2' },
			}),
			project('wire', {
				exclude: ['test/wire/largestUpload.test.mts'],
				sequence: { groupOrder: 2 },
				setupFiles: [atLoad, './test/wire/restartWorker.mts'],
				env: { ...zone, N8N_LOG_LEVEL: 'info' },
			}),
		],
	},
});
