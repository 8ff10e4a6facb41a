import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The CommonJS build, which n8n loads too: the ES one cannot be loaded by Node as it is published.
export const alias = { 'n8n-workflow': createRequire(import.meta.url).resolve('n8n-workflow') };

// Only there to end what hangs: a machine that is busy with something else needs long.
const patience = { testTimeout: 600_000, hookTimeout: 600_000 };

// A loop over an empty output would prove nothing.
const proof = { requireAssertions: true };

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
	test: { name, include, alias, expect: proof, ...patience, ...more, env: { ...zone, ...env } },
});

/**
 * In n8n, the longest go first: in the queue it mostly waits, while a busy one runs in the other
 * worker.
 */
const FIRST = [
	'test/queue/',
	'test/editor/firstWorkflow',
	'test/editor/items',
	'test/n8n/subscriptions',
	'test/n8n/demo',
	'test/editor/imports',
];
/** They leave an n8n with other settings, which is started again for the next file of the worker. */
const LAST = ['test/n8n/restarts', 'test/n8n/durablePolls'];

class Ordered extends BaseSequencer {
	override async sort(files: TestSpecification[]) {
		const sorted = await super.sort(files);
		const rank = ({ moduleId }: TestSpecification) => {
			const at = (names: string[]) => names.findIndex((name) => moduleId.includes(name));
			if (at(LAST) >= 0) return FIRST.length + 1 + at(LAST);
			return at(FIRST) < 0 ? FIRST.length : at(FIRST);
		};
		return sorted.sort((one, other) => rank(one) - rank(other));
	}
}
// With a sequencer of its own, Vitest would not shuffle.
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

export default defineConfig({
	test: {
		// n8n takes some seconds to end.
		teardownTimeout: 60_000,
		sequence: isShuffled ? {} : { sequencer: Ordered },
		// No more than the cores: twice as many take a quarter more of the processor, as each of them
		// loads the same packages, and no less time.
		maxWorkers: Math.max(2, availableParallelism()),
		// Files that the imports of a test do not show: after a change, `npm run test:quick` runs all
		// tests.
		forceRerunTriggers: [
			'**/{package.json,vitest.config.mts}',
			'**/{client,credentials,nodes}/**/*.ts',
			'**/simulator/**/*.{css,eta,sql,yaml}',
		],
		// Only `npm run docs` writes files.
		update: 'none',
		reporters: ['default', 'json'],
		outputFile: { json: 'coverage/results.json' },
		projects: [
			project('unit', ['{test/unit,dev/scripts}/**/*.test.mts'], { isolate: false }),
			// Thousands of random sequences, each checked against a model or a parser that is not ours.
			project('properties', ['test/properties/**/*.test.mts'], {
				testTimeout: 1_800_000,
				env: { N8N_LOG_LEVEL: 'info' },
			}),
			// `npm run probe` with services that differ.
			project('probe', ['test/probe/**/*.test.mts'], { isolate: false }),
			project('simulator', ['test/simulator/**/*.test.mts'], { isolate: false }),
			// The built nodes through n8n-core's own request stack, against the simulator.
			project('wire', ['test/wire/**/*.test.mts'], {
				maxConcurrency: 20,
				// n8n-core takes a second to load, and is the same for all.
				isolate: false,
				setupFiles: './test/wire/restartWorker.mts',
				// The log lines of the triggers are part of their promises.
				env: { N8N_LOG_LEVEL: 'info' },
			}),
			// Every operation under every fault; most of the time goes into waits between tries. Twice as
			// many at once take as long, and each gets half of a busy machine for its answer of 200 MB.
			project('faults', ['test/faults/**/*.test.mts'], {
				maxConcurrency: 20,
				env: { N8N_LOG_LEVEL: 'debug' },
			}),
			// A real n8n, its editor in a browser, and n8n spread over several processes. After all others,
			// as n8n may still have to be installed and starts slowly on a busy machine. Three workers, as an
			// n8n mostly waits; without isolation, so that all files of a worker share one n8n.
			project('n8n', ['test/{n8n,queue,editor}/**/*.test.mts'], {
				environment: './test/n8n/vitestEnvironment.mts',
				isolate: false,
				maxWorkers: 3,
				sequence: { groupOrder: 1 },
				// The time limit for the screen to show the expected state.
				expect: { ...proof, poll: { timeout: 300_000 } },
			}),
		],
	},
});
