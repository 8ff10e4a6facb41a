import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

// The CommonJS build, which n8n loads too: the ES one cannot be loaded by Node as it is published.
const alias = { 'n8n-workflow': createRequire(import.meta.url).resolve('n8n-workflow') };

const project = (name: string, include: string[], more: object = {}) => ({
	test: { name, include, alias, ...more },
});

export default defineConfig({
	test: {
		// n8n takes some seconds to end.
		teardownTimeout: 60_000,
		reporters: ['default', ['json', { outputFile: 'coverage/results.json' }]],
		projects: [
			project('unit', ['test/unit/**/*.test.mts', 'scripts/**/*.test.mts']),
			// Thousands of random sequences, each checked against a model or a parser that is not ours.
			project('properties', ['test/properties/**/*.test.mts'], {
				testTimeout: 600_000,
				hookTimeout: 30_000,
			}),
			project('simulator', ['test/simulator/**/*.test.mts'], { testTimeout: 30_000 }),
			// The built nodes through n8n-core's own request stack, against the simulator.
			project('wire', ['test/wire/**/*.test.mts'], { testTimeout: 30_000, hookTimeout: 30_000 }),
			// Every operation under every fault; most of the time goes into waits between tries.
			project('faults', ['test/faults/**/*.test.mts'], {
				testTimeout: 60_000,
				maxConcurrency: 10,
				env: { N8N_LOG_LEVEL: 'debug' },
			}),
			// A real n8n, which starts in time only where nothing else wants the cores. All files run in one
			// worker without isolation, so that they can share one n8n (test/n8n/stages.mts).
			project('n8n', ['test/n8n/**/*.test.mts'], {
				environment: './test/n8n/stageEnvironment.mts',
				testTimeout: 300_000,
				hookTimeout: 600_000,
				isolate: false,
				fileParallelism: false,
				maxWorkers: 1,
				sequence: { groupOrder: 1 },
			}),
			// Four processes of n8n, PostgreSQL and Redis.
			project('queue', ['test/queue/**/*.test.mts'], {
				testTimeout: 600_000,
				hookTimeout: 600_000,
				fileParallelism: false,
				sequence: { groupOrder: 2 },
			}),
			// A real n8n and a browser that drives its editor: last, as both want the cores for themselves.
			project('editor', ['test/editor/**/*.test.mts'], {
				testTimeout: 300_000,
				hookTimeout: 600_000,
				fileParallelism: false,
				sequence: { groupOrder: 3 },
				// How long the screen may take to show what is expected of it.
				expect: { poll: { timeout: 60_000 } },
			}),
		],
	},
});
