/**
 * Stryker's runner for Vitest, made fast enough for tests that run the built nodes: its processes
 * stay, the quickest tests go first, and what is listed is not tried.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type Injector, PluginKind, commonTokens, tokens } from '@stryker-mutator/api/plugin';
import type * as stryker from '@stryker-mutator/api/test-runner';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import type { TestSpecification, Vitest } from 'vitest/node';
import { entryOf } from './changes.mts';
import { chooseTests } from './coverage.mts';
import { endWarmWorkers, WarmWorker } from './warmWorker.mts';

/** What the first run finds out, in the sandbox, for the processes that try the changes. */
const FACTS = 'facts-of-the-first-run.json';
interface Facts {
	/** The changes of what is evaluated when a module is loaded. */
	atLoad: string[];
	/** How long the tests of a file take. */
	milliseconds: Record<string, number>;
}

/** Of the runs with a change: what hangs has noticed it. */
const IMPATIENCE = { testTimeout: 15_000, hookTimeout: 15_000, retry: 0 };

function createRunner(injector: Injector): stryker.TestRunner {
	const create = vitestPlugins[0]!.factory as never;
	const runner = injector.injectFunction(create) as stryker.TestRunner & { ctx: Vitest };
	let facts: Facts | undefined;
	let lastAtLoad = false;
	const change = (settings: object) => {
		for (const { config } of runner.ctx.projects) Object.assign(config, settings);
	};
	const durationOf = ({ moduleId }: TestSpecification) =>
		facts?.milliseconds[relative(process.cwd(), moduleId)] ?? 0;

	return {
		capabilities: () => runner.capabilities(),
		async init() {
			await runner.init?.();
			const createPoolWorker = (options: never) => new WarmWorker(options);
			change({ isolate: false, pool: 'warm', poolRunner: { name: 'warm', createPoolWorker } });
			runner.ctx.config.sequence.sequencer = class {
				sort = async (files: TestSpecification[]) =>
					files.toSorted((one, other) => durationOf(one) - durationOf(other));
				shard = async (files: TestSpecification[]) => files;
			};
		},
		async dryRun(options) {
			const result = await runner.dryRun(options);
			if (!('tests' in result)) return result;
			const atLoad = [
				...new Set(runner.ctx.state.getFiles().flatMap(({ meta }) => meta.atLoad ?? [])),
			];
			const durations = new Map(result.tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
			const coverage = chooseTests(result.mutantCoverage!, durations, atLoad, options.files ?? []);
			const milliseconds: Facts['milliseconds'] = {};
			for (const { id, timeSpentMs } of result.tests) {
				const [file = ''] = id.split('#');
				milliseconds[file] = (milliseconds[file] ?? 0) + timeSpentMs;
			}
			writeFileSync(FACTS, JSON.stringify({ atLoad, milliseconds } satisfies Facts));
			return { ...result, mutantCoverage: coverage };
		},
		async mutantRun(options) {
			if (entryOf(options.activeMutant)) return { status: 'survived' as never, nrOfTests: 0 };
			facts ??= JSON.parse(readFileSync(FACTS, 'utf8')) as Facts;
			const isAtLoad = facts.atLoad.includes(options.activeMutant.id);
			// Such a change needs the modules loaded anew, and so does what comes after it.
			change({ ...IMPATIENCE, isolate: isAtLoad || lastAtLoad });
			lastAtLoad = isAtLoad;
			return await runner.mutantRun({ ...options, mutantActivation: 'static' });
		},
		async dispose() {
			await endWarmWorkers();
			await runner.dispose?.();
		},
	};
}
createRunner.inject = tokens(commonTokens.injector);

/**
 * Texts for people, such as labels and the sentences of errors, decide nothing; neither do the words that
 * nodes and fields declare outside of functions, such as names and defaults.
 */
const declarations = {
	shouldIgnore(path: BabelPath) {
		const isText = path.isStringLiteral() && /\w[.,:]? \w/.test(path.node.value);
		const isWord = path.isStringLiteral() || path.isTemplateLiteral() || path.isBooleanLiteral();
		const isOfClient = path.hub.file.opts.filename.includes('/client/');
		const isDeclared = isWord && !isOfClient && path.getFunctionParent() === null;
		return isText || isDeclared ? 'For people, or a declaration' : undefined;
	},
};

interface BabelPath {
	node: { value: string };
	isStringLiteral(): boolean;
	isTemplateLiteral(): boolean;
	isBooleanLiteral(): boolean;
	getFunctionParent(): unknown;
	hub: { file: { opts: { filename: string } } };
}

export const strykerPlugins = [
	{ kind: PluginKind.TestRunner, name: 'warm-vitest', factory: createRunner },
	{ kind: PluginKind.Ignore, name: 'declarations', value: declarations },
];
