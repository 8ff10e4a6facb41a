/**
 * Stryker's runner for Vitest, made fast enough for tests that run the built nodes: its processes
 * stay, the likeliest tests go first, and what is listed is not tried.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type Injector, PluginKind, commonTokens, tokens } from '@stryker-mutator/api/plugin';
import type * as stryker from '@stryker-mutator/api/test-runner';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import type { TestSpecification, Vitest } from 'vitest/node';
import { entryOf } from './changes.mts';
import { chooseTests, fileOf, LOAD_MS, projectOf, SLOW_MS } from './coverage.mts';
import { areWarm, endWarmWorkers, loadAnew, WarmWorker } from './warmWorker.mts';

/** What the first run finds out, in the sandbox, for the processes that try the changes. */
const FACTS = 'facts-of-the-first-run.json';
interface Facts {
	/** The changes of what is evaluated when a module is loaded. */
	atLoad: string[];
	/** The files of tests that try a change before others. */
	first: Record<string, string[]>;
	/** How long each test takes. */
	milliseconds: Record<string, number>;
}

/** What hangs has noticed a change: Stryker itself waits much longer. */
const PATIENCE_MS = 4000;
/** A new process loads n8n-core first. */
const START_MS = 15_000;
/** One that has stayed loads what the change and the one before it concern. */
const RELOAD_MS = 3000;
/** So many files of tests that have noticed most in a source go first. */
const LIKELIEST_FILES = 3;
/** A machine may be busier than in the first run: with one test more than with all of a stage. */
const PATIENCE_FACTOR = 5;
const PATIENCE_FACTOR_OF_ALL = 3;

function createRunner(injector: Injector): stryker.TestRunner {
	const create = vitestPlugins[0]!.factory as never;
	const runner = injector.injectFunction(create) as stryker.TestRunner & { ctx: Vitest };
	let facts: Facts | undefined;
	const change = (settings: object) => {
		for (const { config } of runner.ctx.projects) Object.assign(config, settings);
	};
	const durations: Record<string, number> = {};
	/** The files of tests that go first, in this order. */
	let early: string[] = [];
	const placeOf = ({ moduleId }: TestSpecification) => {
		const file = relative(process.cwd(), moduleId);
		const place = early.indexOf(file);
		return place < 0 ? early.length + (durations[file] ?? 0) : place;
	};
	/** By source, how many changes each file of tests has noticed in this process, and the last one. */
	const noticed: Record<string, { counts: Record<string, number>; last?: string }> = {};
	const readFacts = () => {
		const read = JSON.parse(readFileSync(FACTS, 'utf8')) as Facts;
		for (const [test, time] of Object.entries(read.milliseconds)) {
			const file = fileOf(test);
			durations[file] = (durations[file] ?? 0) + time;
		}
		return read;
	};

	/** Runs some tests against a change. What takes much longer than these do has noticed it. */
	const tryTests = async (
		options: stryker.MutantRunOptions,
		tests: string[],
		times: number[],
	): Promise<stryker.MutantRunResult> => {
		const timeout = PATIENCE_MS + PATIENCE_FACTOR * Math.max(...times);
		const timeouts = { testTimeout: timeout, hookTimeout: timeout };
		// Stryker asks where a test stands in the first run only. It takes a quarter of the processor.
		change({ ...timeouts, retry: 0, includeTaskLocation: false });
		const loading = areWarm(tests.map(projectOf)) ? RELOAD_MS : START_MS;
		let isOver = false;
		const total = times.reduce((sum, time) => sum + time, 0);
		const end = setTimeout(
			() => {
				isOver = true;
				// Told twice, Vitest waits for no test, and goes on with no other: it would hang as well.
				void runner.ctx.cancelCurrentRun('test-failure');
				void runner.ctx.cancelCurrentRun('test-failure');
			},
			loading + timeout + PATIENCE_FACTOR_OF_ALL * total,
		);
		const given = { ...options, testFilter: tests, mutantActivation: 'static' as const };
		const result = await runner.mutantRun(given);
		clearTimeout(end);
		// What timed out may go on, and a module that could not be loaded stays so.
		const isTimedOut = 'failureMessage' in result && result.failureMessage.includes('timed out');
		const isBroken = (result.status as string) === 'error';
		if (isOver || isBroken) await endWarmWorkers(tests.map(projectOf));
		else if (isTimedOut) await endWarmWorkers([result.killedBy].flat().map(projectOf));
		return isOver ? { status: 'timeout' as never } : result;
	};

	return {
		capabilities: () => runner.capabilities(),
		async init() {
			await runner.init?.();
			const createPoolWorker = (options: never) => new WarmWorker(options);
			change({ isolate: false, pool: 'warm', poolRunner: { name: 'warm', createPoolWorker } });
			// Stryker names the file of each test, and Vitest compares all its files with all names.
			const start = runner.ctx.start.bind(runner.ctx);
			runner.ctx.start = (names) => start(names && [...new Set(names)]);
			runner.ctx.config.sequence.sequencer = class {
				sort = async (files: TestSpecification[]) =>
					files.toSorted((one, other) => placeOf(one) - placeOf(other));
				shard = async (files: TestSpecification[]) => files;
			};
		},
		async dryRun(options) {
			const result = await runner.dryRun(options);
			if (!('tests' in result)) return result;
			const atLoad = [
				...new Set(runner.ctx.state.getFiles().flatMap(({ meta }) => meta.atLoad ?? [])),
			];
			const times = result.tests.map(({ id, timeSpentMs }) => [id, timeSpentMs] as const);
			const milliseconds: Facts['milliseconds'] = Object.fromEntries(times);
			const { coverage, first } = chooseTests(
				result.mutantCoverage!,
				milliseconds,
				atLoad,
				options.files!,
			);
			const broken = await findUnrepeatable(runner, options, Object.keys(milliseconds));
			if (broken !== undefined) {
				const errorMessage = `It fails when it runs again in the same process: ${broken}`;
				return { status: 'error' as never, errorMessage };
			}
			writeFileSync(FACTS, JSON.stringify({ atLoad, first, milliseconds } satisfies Facts));
			return { ...result, mutantCoverage: coverage };
		},
		async mutantRun(options) {
			if (entryOf(options.activeMutant)) return { status: 'survived' as never, nrOfTests: 0 };
			const { atLoad, first, milliseconds } = (facts ??= readFacts());
			const { testFilter = [], activeMutant } = options;
			loadAnew(atLoad.includes(activeMutant.id) ? options.sandboxFileName : undefined);
			const timeOf = (test: string) => milliseconds[test] ?? 0;
			const before = (noticed[activeMutant.fileName] ??= { counts: {} });
			const { counts, last } = before;
			const worth = (file: string) => counts[file]! / (durations[file]! + LOAD_MS);
			const likely = [...new Set(testFilter.map(fileOf))]
				.filter((file) => counts[file] !== undefined)
				.toSorted((one, other) => worth(other) - worth(one));
			early = [
				...new Set([...likely.slice(0, LIKELIEST_FILES), ...(first[activeMutant.id] ?? [])]),
			];
			const stageOf = (test: string) => {
				const file = fileOf(test);
				if (early.includes(file)) return 0;
				return file === last ? 1 : durations[file]! <= SLOW_MS ? 2 : 3;
			};
			const stages = Object.groupBy(testFilter, stageOf);
			let result = { status: 'survived' as never } as stryker.MutantRunResult;
			for (const stage of [0, 1, 2, 3] as const) {
				const tests = stages[stage] ?? [];
				if (tests.length === 0 || (result.status as string) !== 'survived') continue;
				result = await tryTests(options, tests, tests.map(timeOf));
			}
			for (const file of 'killedBy' in result ? [result.killedBy].flat().map(fileOf) : []) {
				counts[file] = (counts[file] ?? 0) + 1;
				before.last = file;
			}
			return result;
		},
		async dispose() {
			await endWarmWorkers();
			await runner.dispose?.();
		},
	};
}
createRunner.inject = tokens(commonTokens.injector);

/**
 * Runs the tests of parts once more, in the process that stays: one that fails, as the parts remember
 * the run before, would be taken for one that notices every change. The built nodes are loaded anew
 * for each file, and so is what a test resets itself.
 *
 * @returns the ID of such a test
 */
async function findUnrepeatable(
	runner: stryker.TestRunner,
	{ files, timeout }: stryker.DryRunOptions,
	tests: string[],
): Promise<string | undefined> {
	const ofParts = [...new Set(tests.map(fileOf))].filter(
		(file) => projectOf(file) === 'unit' && !readFileSync(file, 'utf8').includes('resetModules'),
	);
	const result = await runner.mutantRun({
		activeMutant: { id: 'none' } as stryker.MutantRunOptions['activeMutant'],
		testFilter: tests.filter((test) => ofParts.includes(fileOf(test))),
		...{ sandboxFileName: files![0]!, mutantActivation: 'static' as const },
		...{ timeout, disableBail: false, hitLimit: undefined, reloadEnvironment: false },
	});
	return 'killedBy' in result ? String(result.killedBy) : undefined;
}

/**
 * Texts for people, such as labels and the sentences of errors, decide nothing; neither do the words
 * of declarations: of what has a label, and of what nodes and fields declare outside of functions.
 */
const declarations = {
	shouldIgnore(path: BabelPath) {
		const { node, parentPath } = path;
		const isText = path.isStringLiteral() && /\w[.,:]? \w/.test(node.value ?? '');
		const isWord = path.isStringLiteral() || path.isTemplateLiteral() || path.isBooleanLiteral();
		const isOfClient = path.hub.file.opts.filename.includes('/client/');
		const isOutside = !isOfClient && path.getFunctionParent() === null;
		const hasLabel = parentPath?.parentPath?.node.properties?.some(
			({ key }) => key?.name === 'displayName',
		);
		const isDeclared = isWord && (isOutside || hasLabel);
		return isText || isDeclared ? 'For people, or a declaration' : undefined;
	},
};

interface BabelPath {
	node: { value?: string; properties?: { key?: { name?: string } }[] };
	parentPath: BabelPath | null;
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
