import { defineConfig } from 'vitest/config';
import { alias, zone } from '../../vitest.config.mts';

/** The tests that Stryker runs against each change of a table. */
export default defineConfig({
	test: {
		name: 'unit',
		include: ['test/unit/*.test.mts', 'dev/scripts/docs.test.mts'],
		// Large texts, and pages for users.
		exclude: ['test/unit/{docs,response,values}.test.mts'],
		alias,
		isolate: false,
		env: zone,
		testTimeout: 60_000,
		hookTimeout: 60_000,
		reporters: [{}],
	},
});
