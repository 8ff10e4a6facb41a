import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The CommonJS build, which n8n loads too: the ES one cannot be loaded by Node as it is published.
export const alias = { 'n8n-workflow': createRequire(import.meta.url).resolve('n8n-workflow') };

// A machine that is busy with something else needs that long.
const patience = { testTimeout: 300_000, hookTimeout: 300_000 };

const project = (name: string, include: string[], more: object = {}) => ({
	test: { name, include, alias, ...patience, ...more },
});

/**
 * With a real n8n, after all others, as it starts slowly on a busy machine. Two workers, as an n8n mostly
 * waits; more make it slower. They run without isolation, so that all files of a worker can share one
 * n8n (test/n8n/stages.mts).
 */
const realN8n = {
	environment: './test/n8n/stageEnvironment.mts',
	isolate: false,
	maxWorkers: 2,
	sequence: { groupOrder: 1 },
};

/** The queue takes longest and mostly waits for n8n to give up a dead worker: all else fits beside it. */
class QueueFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]) {
		const sorted = await super.sort(files);
		const isQueue = ({ project }: TestSpecification) => Number(project.name === 'queue');
		return sorted.sort((one, other) => isQueue(other) - isQueue(one));
	}
}
// With a sequencer of its own, Vitest would not shuffle.
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

export default defineConfig({
	test: {
		// n8n takes some seconds to end.
		teardownTimeout: 60_000,
		sequence: isShuffled ? {} : { sequencer: QueueFirst },
		// No more than the cores: twice as many take a quarter more of the processor, as each of them
		// loads the same packages, and no less time.
		maxWorkers: Math.max(2, availableParallelism()),
		// What the imports of a test do not show: `npm run test:quick` runs all tests after a change of it.
		forceRerunTriggers: [
			'**/{package.json,vitest.config.mts}',
			'**/{client,credentials}/**/*.ts',
			'**/nodes/PortalIo/*.ts',
			'**/simulator/**/*.{css,eta,sql,yaml}',
		],
		reporters: ['default', 'json', './test/setup/skipped.mts'],
		outputFile: { json: 'coverage/results.json' },
		projects: [
			project('unit', ['test/unit/**/*.test.mts', 'scripts/!(build).test.mts'], {
				isolate: false,
			}),
			// What starts programs: the scripts of package.json, n8n's lint and scan, processes that must end.
			project('tools', [
				'test/tools/**/*.test.mts',
				'scripts/{build.test.mts,release/**/*.test.mts}',
			]),
			// Thousands of random sequences, each checked against a model or a parser that is not ours.
			project('properties', ['test/properties/**/*.test.mts'], { testTimeout: 1_800_000 }),
			// What `npm run probe` finds out of services that differ.
			project('probe', ['test/probe/**/*.test.mts'], { isolate: false }),
			project('simulator', ['test/simulator/**/*.test.mts'], { isolate: false }),
			// The built nodes through n8n-core's own request stack, against the simulator.
			project('wire', ['test/wire/**/*.test.mts'], {
				maxConcurrency: 20,
				// n8n-core takes a second to load, and is the same for all.
				isolate: false,
				setupFiles: './test/wire/restartWorker.mts',
			}),
			// Every operation under every fault; most of the time goes into waits between tries. Twice as
			// many at once take as long, and each gets half of a busy machine for its answer of 200 MB.
			project('faults', ['test/faults/**/*.test.mts'], {
				testTimeout: 600_000,
				maxConcurrency: 20,
				env: { N8N_LOG_LEVEL: 'debug' },
			}),
			project('n8n', ['test/n8n/**/*.test.mts'], realN8n),
			// Four processes of n8n, PostgreSQL and Redis.
			project('queue', ['test/queue/**/*.test.mts'], {
				...realN8n,
				globalSetup: './test/setup/programs.mts',
			}),
			// A real n8n and a browser that drives its editor.
			project('editor', ['test/editor/**/*.test.mts'], {
				...realN8n,
				globalSetup: './test/setup/programs.mts',
				// How long the screen may take to show what is expected of it.
				expect: { poll: { timeout: 60_000 } },
			}),
		],
	},
});
