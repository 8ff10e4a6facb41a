import { defineConfig } from 'vitest/config';
import { alias, zone } from '../../vitest.config.mts';

const project = (name: string, order: number, more: object = {}) => ({
	test: {
		name,
		include: [`test/${name}/**/*.test.mts`],
		alias,
		isolate: false,
		// Run one group after another, because a failure in the fastest group ends the run.
		sequence: { groupOrder: order },
		// Limit the first run. Stryker limits the others.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		...more,
	},
});

/** Runs the unit, wire, and property tests for each of Stryker's changes. */
export default defineConfig({
	test: {
		reporters: [{}],
		projects: [
			// Exclude the tests of the docs, which are not part of the package.
			project('unit', 0, { exclude: ['test/unit/docs.test.mts'], env: zone }),
			project('wire', 1, {
				exclude: [
					'test/wire/largestUpload.test.mts',
					// Exclude tests that load the package while they run, because Stryker would attribute all
					// declarations to them.
					'test/wire/{logins,stalledResponses,triggerOwnership}.test.mts',
				],
				setupFiles: ['./test/wire/restartWorker.mts'],
				env: { ...zone, N8N_LOG_LEVEL: 'info' },
			}),
			project('properties', 2, {
				include: ['test/properties/{deliveries,forgeries,polling}.test.mts'],
				env: { ...zone, N8N_LOG_LEVEL: 'info' },
			}),
		],
	},
});
