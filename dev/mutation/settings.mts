import type { PartialStrykerOptions } from '@stryker-mutator/api/core';

/** How Stryker makes the changes, and tries them (main.mts). */
export const settings = {
	mutate: ['{client,credentials,nodes}/**/*.ts'],
	mutator: { excludedMutations: ['ObjectLiteral', 'ArrayDeclaration'] },
	ignorers: ['declarations'],
	plugins: ['@stryker-mutator/vitest-runner', './dev/mutation/runner.mts'],
	testRunner: 'warm-vitest',
	vitest: { configFile: 'dev/mutation/vitest.config.mts', related: false, pool: 'forks' },
	coverageAnalysis: 'perTest',
	buildCommand: 'tsc --outDir dist',
	concurrency: 3,
	// Not copied for the runs: the installed n8n alone has 2 GB.
	ignorePatterns: ['demo-files', 'dist', 'release', 'dev/testbed/installation'],
	tempDirName: 'coverage/stryker',
	cleanTempDir: 'always',
	dryRunTimeoutMinutes: 30,
	incremental: true,
	incrementalFile: 'node_modules/.cache/stryker.json',
	reporters: ['progress-append-only', 'html'],
	htmlReporter: { fileName: 'coverage/mutation/index.html' },
	allowConsoleColors: false,
} satisfies PartialStrykerOptions;
