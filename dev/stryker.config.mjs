/**
 * `npm run test:mutation`: changes the core one operator at a time and expects a test to fail
 * (CONTRIBUTING.md#mutation-tests). One part alone: `npm run test:mutation -- --mutate client/retry.ts`.
 */

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [
		// Signing: the signed text, the request and its body.
		'client/signRequest.ts',
		'client/encoding.ts',
		// Verification of deliveries: the signature, the secrets and times, what is refused.
		'nodes/PortalIoTrigger/signature.ts',
		'nodes/PortalIoTrigger/verify.ts',
		'nodes/PortalIoTrigger/receive.ts',
		// Deduplication: in the process, in the static data, and both together.
		'nodes/PortalIoTrigger/deduplicate.ts',
		// Retry classification.
		'client/retry.ts',
		// Paging: pages, their size, and several at a time.
		'client/pagination.ts',
		'client/concurrency.ts',
		// Multipart: the framing of a file, its stream, its chunks.
		'client/uploadBody.ts',
	],
	testRunner: 'vitest',
	vitest: { configFile: 'dev/vitest.mutation.config.mts', related: true },
	coverageAnalysis: 'perTest',
	// The score cannot fall: what survives behaves the same.
	thresholds: { high: 100, low: 98.5, break: 98.5 },
	concurrency: 2,
	// Not copied for the runs: the installed n8n alone has 2 GB.
	ignorePatterns: ['demo-files', 'dist', 'docs', 'release', 'dev/testbed/installation'],
	tempDirName: 'coverage/stryker',
	incremental: true,
	incrementalFile: 'node_modules/.cache/stryker.json',
	reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
	htmlReporter: { fileName: 'coverage/mutation/index.html' },
	jsonReporter: { fileName: 'coverage/mutation/report.json' },
	clearTextReporter: { allowColor: false, reportTests: false },
	allowConsoleColors: false,
};
