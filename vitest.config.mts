import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The CommonJS build, which n8n loads too: the ES one cannot be loaded by Node as it is published.
export const alias = { 'n8n-workflow': createRequire(import.meta.url).resolve('n8n-workflow') };

/** What hangs ends. `until` and gates end before, and name what they wait for. */
const LIMIT_MS = 120_000;
const limits = { testTimeout: LIMIT_MS, hookTimeout: LIMIT_MS };
/** For a real n8n: a start takes half a minute, and a test waits for several things, each with `until`. */
const limitsOfN8n = { testTimeout: 3 * LIMIT_MS, hookTimeout: 3 * LIMIT_MS };

const setupFiles = './test/n8n/atEnd.mts';
/** The files of a folder as one, for one n8n; those that the command line names, alone. */
const areNamed = process.argv.some((argument) => /^test\/(n8n|restarts)\//.test(argument));
const together = areNamed ? '*.test' : 'all';

/** n8n-core takes a second to load, and is the same for all files. */
const oneCore = { isolate: false, setupFiles: './test/wire/restartWorker.mts' };

// A loop over an empty output would prove nothing.
const proof = { requireAssertions: true };

const inBrowser = {
	setupFiles,
	...limitsOfN8n,
	// The time limit for the screen to show the expected state.
	expect: { ...proof, poll: { timeout: 90_000 } },
};

/**
 * A server in a zone with daylight saving: under UTC, a time that is read in the server's zone
 * passes.
 */
export const zone = { TZ: 'America/New_York' };

const project = (
	name: string,
	include: string[],
	{ env, ...more }: { env?: Record<string, string>; [setting: string]: unknown } = {},
) => ({
	test: { name, include, alias, expect: proof, ...limits, ...more, env: { ...zone, ...env } },
});

/**
 * They begin in this order: the longest first, and what waits for an n8n while others compute. With more at the
 * same time than there are cores, each needs more processor time, too.
 */
const projects = [
	project('n8n', [`test/n8n/${together}.mts`], { setupFiles, ...limitsOfN8n }),
	// The examples.
	project('templates', [`test/n8n/templates/${together}.mts`], { setupFiles, ...limitsOfN8n }),
	// The built nodes through n8n-core's own request stack, against the simulator.
	project('wire', ['test/wire/**/*.test.mts'], {
		maxConcurrency: 20,
		...oneCore,
		// The log lines of the triggers are part of their promises.
		env: { N8N_LOG_LEVEL: 'info' },
	}),
	// Stopped and killed.
	project('restarts', [`test/restarts/${together}.mts`], { setupFiles, ...limitsOfN8n }),
	// In a browser.
	project('editor', ['test/editor/*.test.mts'], inBrowser),
	project('demo', ['test/demo/*.test.mts'], limitsOfN8n),
	// Random sequences and values, checked against a model or a parser that shares no code with ours.
	project('properties', ['test/properties/**/*.test.mts'], {
		// `npm run test:deep` sets RUNS.
		testTimeout: LIMIT_MS * Number(process.env.RUNS ?? 1),
		...oneCore,
		env: { N8N_LOG_LEVEL: 'info' },
	}),
	// Operations of each kind under every fault. The waits between attempts are skipped.
	project('faults', ['test/faults/**/*.test.mts'], {
		maxConcurrency: 20,
		...oneCore,
		env: { N8N_LOG_LEVEL: 'debug' },
	}),
	// They compute, so one that takes this long hangs.
	project('unit', ['{test/{unit,simulator},dev/scripts}/**/*.test.mts'], {
		isolate: false,
		testTimeout: 20_000,
	}),
	// `npm run probe` with services that differ.
	project('probe', ['test/probe/**/*.test.mts'], { isolate: false }),
	// What mostly guards against changes of n8n: several processes, and more jobs in the editor.
	project('nightly', ['test/nightly/*.test.mts'], inBrowser),
];

class Ordered extends BaseSequencer {
	override async sort(files: TestSpecification[]) {
		const rank = ({ project: { name } }: TestSpecification) =>
			projects.findIndex(({ test }) => test.name === name);
		return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
	}
}
// With a sequencer of its own, Vitest would not shuffle.
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

/** `npm test` leaves out only what runs at night. */
const isWholeRun = process.argv.includes('!nightly');

export default defineConfig({
	test: {
		sequence: isShuffled ? {} : { sequencer: Ordered },
		// One more than there are cores, as those with an n8n mostly wait. With two more, all take longer.
		maxWorkers: Math.max(2, availableParallelism()) + (isWholeRun ? 1 : 0),
		// Only `npm run docs` writes files.
		update: 'none',
		reporters: ['default', 'json'],
		// n8n's log, in which a failed test shows what came before.
		silent: 'passed-only',
		outputFile: { json: 'coverage/results.json' },
		projects,
	},
});
