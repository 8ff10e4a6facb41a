import { defineConfig } from 'vitest/config';
import { alias } from '../vitest.config.mts';

/**
 * The tests that Stryker runs against each change of the core (dev/stryker.config.mjs): those that import
 * the sources. The others run `dist/`, where there is no change to see.
 */
export default defineConfig({
	test: {
		include: [
			'chunks',
			'concurrency',
			'deliveries',
			'deliverySignature',
			'encoding',
			'multipart',
			'pages',
			'receive',
			'retry',
			'signing',
			'triggerOutput',
			'uploadBody',
		].map((name) => `test/unit/${name}.test.mts`),
		alias,
	},
});
