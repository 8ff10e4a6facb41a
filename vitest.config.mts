import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Use the CommonJS build, as n8n does. Node cannot load the published ES build.
export const alias = { 'n8n-workflow': createRequire(import.meta.url).resolve('n8n-workflow') };

/** Time limit of a test. `until` and gates end earlier, with an error about what they wait for. */
const LIMIT_MS = 120_000;
const limits = { testTimeout: LIMIT_MS, hookTimeout: LIMIT_MS };
/** Time limits with a real n8n: it starts in half a minute, and tests call `until` several times. */
const n8nLimits = { testTimeout: 3 * LIMIT_MS, hookTimeout: 3 * LIMIT_MS };

const setupFiles = './test/n8n/cleanups.mts';
/** Whether the command line names files. They then run individually, otherwise as one file that shares an n8n. */
const areNamed = process.argv.some((argument) => /^test\/(n8n|restarts)\//.test(argument));
const pattern = areNamed ? '*.test' : 'allFiles';

/** Loads n8n-core once for all files, because that takes a second. */
const sharedCore = { isolate: false, setupFiles: './test/wire/restartWorker.mts' };

// Fail a test without assertions, for example a loop over an empty output.
const assertions = { requireAssertions: true };

const inBrowser = {
	setupFiles,
	...n8nLimits,
	// Time limit for the screen to show the expected state.
	expect: { ...assertions, poll: { timeout: 90_000 } },
};

/** Time zone with daylight saving time. In UTC, a time that is wrongly read in the server's zone would pass. */
export const zone = { TZ: 'America/New_York' };

const project = (
	name: string,
	include: string[],
	{ env, ...more }: { env?: Record<string, string>; [setting: string]: unknown } = {},
) => ({
	test: { name, include, alias, expect: assertions, ...limits, ...more, env: { ...zone, ...env } },
});

/**
 * Projects in the order in which they start: the longest first, and those that wait for an n8n while others
 * compute. If more run than there are cores, each also needs more processor time.
 */
const projects = [
	project('n8n', [`test/n8n/${pattern}.mts`], { setupFiles, ...n8nLimits }),
	// Runs the examples in n8n.
	project('templates', [`test/n8n/templates/${pattern}.mts`], { setupFiles, ...n8nLimits }),
	// Runs the built nodes with n8n-core's own request stack against the simulator.
	project('wire', ['test/wire/**/*.test.mts'], {
		maxConcurrency: 20,
		...sharedCore,
		// Tests check the log lines of the triggers.
		env: { N8N_LOG_LEVEL: 'info' },
	}),
	// Stops and kills n8n.
	project('restarts', [`test/restarts/${pattern}.mts`], { setupFiles, ...n8nLimits }),
	// Uses n8n's editor in a browser.
	project('editor', ['test/editor/*.test.mts'], inBrowser),
	project('demo', ['test/demo/*.test.mts'], n8nLimits),
	// Compares random sequences and values with a model or parser that shares no code with ours.
	project('properties', ['test/properties/**/*.test.mts'], {
		// `npm run test:deep` sets RUNS.
		testTimeout: LIMIT_MS * Number(process.env.RUNS ?? 1),
		...sharedCore,
		env: { N8N_LOG_LEVEL: 'info' },
	}),
	// Runs operations of each kind under every fault, without the waits between attempts.
	project('faults', ['test/faults/**/*.test.mts'], {
		maxConcurrency: 20,
		...sharedCore,
		env: { N8N_LOG_LEVEL: 'debug' },
	}),
	// Computes, so a test that takes this long hangs.
	project('unit', ['{test/{unit,simulator},dev/scripts}/**/*.test.mts'], {
		isolate: false,
		testTimeout: 20_000,
	}),
	// Runs `npm run probe` against services with other names.
	project('probe', ['test/probe/**/*.test.mts'], { isolate: false }),
	// Mostly guards against changes in n8n: queue mode and more workflows in the editor.
	project('nightly', ['test/nightly/*.test.mts'], inBrowser),
];

class Ordered extends BaseSequencer {
	override async sort(files: TestSpecification[]) {
		const rank = ({ project: { name } }: TestSpecification) =>
			projects.findIndex(({ test }) => test.name === name);
		return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
	}
}
// Vitest would not shuffle with a custom sequencer.
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

/** Whether this is `npm test`, which excludes only the nightly tests. */
const isWholeRun = process.argv.includes('!nightly');

export default defineConfig({
	test: {
		sequence: isShuffled ? {} : { sequencer: Ordered },
		// Use one worker more than cores, because those with an n8n mostly wait. With two more, all take longer.
		maxWorkers: Math.max(2, availableParallelism()) + (isWholeRun ? 1 : 0),
		// Only `npm run docs` writes snapshot files.
		update: 'none',
		reporters: ['default', 'json'],
		// Print n8n's log if a test fails.
		silent: 'passed-only',
		outputFile: { json: 'coverage/results.json' },
		projects,
	},
});
