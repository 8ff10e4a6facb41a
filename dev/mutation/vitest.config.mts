import { defineConfig } from 'vitest/config';
import { alias, zone } from '../../vitest.config.mts';

const project = (name: string, order: number, more: object = {}) => ({
	test: {
		name,
		include: [`test/${name}/**/*.test.mts`],
		alias,
		isolate: false,
		// One group after another: a failure in the quickest ends the run.
		sequence: { groupOrder: order },
		// Limits the first run. Stryker limits the others itself.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		...more,
	},
});

/** The tests that Stryker runs against each change: of functions, of the built nodes, and random ones. */
export default defineConfig({
	test: {
		reporters: [{}],
		projects: [
			// The pages are not part of the package.
			project('unit', 0, { exclude: ['test/unit/docs.test.mts'], env: zone }),
			project('wire', 1, {
				exclude: [
					'test/wire/largestUpload.test.mts',
					// They load the package during a test, to which Stryker would count all declarations.
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
