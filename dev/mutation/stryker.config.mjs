/**
 * Implements `npm run test:mutation`: makes small changes in the functions of the published code, and reports
 * changes that no test notices. The report is read once a month and fails nothing.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: ['{client,credentials,nodes}/**/*.ts'],
	mutator: { excludedMutations: ['ObjectLiteral', 'ArrayDeclaration'] },
	// Ignore values that are evaluated when a module is loaded, because each change would require all tests.
	ignoreStatic: true,
	ignorers: ['declarations'],
	plugins: ['@stryker-mutator/vitest-runner', './dev/mutation/declarations.mts'],
	testRunner: 'vitest',
	vitest: { configFile: 'dev/mutation/vitest.config.mts', related: false },
	coverageAnalysis: 'perTest',
	buildCommand: 'tsc --outDir dist',
	// Don't copy these for the run, because the installed n8n alone has 2 GB.
	ignorePatterns: ['demo-files', 'dist', 'release', 'dev/testbed/installation'],
	tempDirName: 'coverage/stryker',
	cleanTempDir: 'always',
	dryRunTimeoutMinutes: 30,
	reporters: ['progress-append-only', 'clear-text', 'html'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: 'coverage/mutation/index.html' },
	thresholds: { high: 97, low: 95, break: null },
};
