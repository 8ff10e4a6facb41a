/** Which tests try which change: Stryker's own choice would take hours. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { MutantCoverage } from '@stryker-mutator/api/core';

/** Which tests try which change, and in which order. */
export interface Choice {
	coverage: MutantCoverage;
	/** By the ID of a change: the files of tests that go first. */
	first: Record<string, string[]>;
}

/** A change may take so many milliseconds of tests, beside those that are always run. */
const MAX_MS = 8000;
/** Files of tests that take no longer are always run, as are those of parts. */
const QUICK_MS = 300;
/** Files of tests that take longer go last: what hangs in one of the others is noticed soon. */
export const SLOW_MS = 1000;
/** They look at what the nodes declare, and run little of it in their tests. */
const OF_DECLARATIONS = ['ux', 'shownFields', 'fields', 'locators', 'outputs', 'values'].map(
	(name) => `test/unit/${name}.test.mts`,
);
/**
 * So many files of tests go first, as most often one of them notices: of those that run little else
 * than the source, and of those that run much of it in little time.
 */
const FIRST_FILES = 2;
/** What each file of tests takes that loads modules anew, as a change of what they do then needs. */
export const LOAD_MS = 100;

/**
 * Chooses the tests that try a change.
 *
 * A change of what runs when a module is loaded, or in hooks only, is tried by the tests that run
 * anything else of its file, and then of its folder, where Stryker would take all tests.
 *
 * The file of tests that runs most of its source is always one of them. Others follow as long as there
 * is time, first those that run more of it for the time they take.
 *
 * @param durations of each test, in milliseconds
 * @param atLoad the changes of what runs when a module is loaded
 * @param files the changed sources
 */
export function chooseTests(
	{ static: outside, perTest }: MutantCoverage,
	durations: Record<string, number>,
	atLoad: string[],
	files: string[],
): Choice {
	const sourceOf = readSources(files);
	const tests = Object.keys(durations).map((test) => [test, perTest[test] ?? {}] as const);
	const inTests = new Set(tests.flatMap(([, hits]) => Object.keys(hits)));
	const unclear = Object.keys(outside).filter((id) => !inTests.has(id));
	const looseIds = [...new Set([...unclear, ...atLoad])];
	const loose = Object.groupBy(looseIds, (id) => sourceOf[id]!);

	const timeOf: Record<string, number> = {};
	for (const [test, time] of Object.entries(durations))
		timeOf[fileOf(test)] = (timeOf[fileOf(test)] ?? 0) + time;
	/** By source, the changes that each file of tests comes by. */
	const seen: Record<string, Record<string, Set<string>>> = {};
	for (const [test, hits] of tests)
		for (const id of Object.keys(hits)) {
			const byTests = (seen[sourceOf[id]!] ??= {});
			(byTests[fileOf(test)] ??= new Set()).add(id);
		}
	const rank = (byTests: Record<string, Set<string>>) =>
		Object.entries(byTests).sort(
			([file, one], [another, other]) => other.size - one.size || timeOf[file]! - timeOf[another]!,
		);
	/** By folder, the same as in `seen`. */
	const inFolder: Record<string, Record<string, Set<string>>> = {};
	for (const [source, byTests] of Object.entries(seen))
		for (const [file, ids] of Object.entries(byTests)) {
			const all = (inFolder[dirname(source)] ??= {});
			all[file] = new Set([...(all[file] ?? []), ...ids]);
		}
	/** Those that run more of a source for their time come before others. */
	const byWorth = (ranked: [string, Set<string>][]) => {
		const worth = ([file, ids]: [string, Set<string>]) => ids.size / (timeOf[file]! + LOAD_MS);
		return ranked.toSorted((one, other) => worth(other) - worth(one)).map(([file]) => file);
	};
	/** How many changes each file of tests comes by. */
	const counts: Record<string, number> = {};
	for (const byTests of Object.values(seen))
		for (const [file, ids] of Object.entries(byTests))
			counts[file] = (counts[file] ?? 0) + ids.size;
	/** Those that run little else come before others, unless they take long. */
	const byShare = (ranked: [string, Set<string>][]) => {
		const share = ([file, ids]: [string, Set<string>]) =>
			ids.size / counts[file]! / (timeOf[file]! + SLOW_MS);
		return ranked.toSorted((one, other) => share(other) - share(one)).map(([file]) => file);
	};
	const chosen: Record<string, Set<string>> = {};
	const first: Record<string, string[]> = {};
	for (const source of new Set(Object.values(sourceOf))) {
		const ranked = rank(seen[source] ?? {});
		const near = byWorth(Object.entries(inFolder[dirname(source)] ?? {}));
		const declarations = isOfNode(source) ? OF_DECLARATIONS : [];
		const ids = new Set(ranked.flatMap(([, all]) => [...all]));
		for (const id of loose[source] ?? []) ids.add(id);
		for (const id of ids) {
			const isLoose = loose[source]?.includes(id);
			const own = ranked.filter(([, all]) => isLoose || all.has(id));
			const most = own[0]?.[0] ?? near[0];
			const quick = byWorth(own);
			const able = isLoose ? [...new Set([...declarations, ...quick, ...near])] : quick;
			const likely = quick.length > 0 ? quick : [...declarations, ...near];
			first[id] = [byShare(own), likely].flatMap((files) => files.slice(0, FIRST_FILES));
			let left = MAX_MS;
			chosen[id] = new Set(
				able.filter((file) => {
					const time = timeOf[file]! + (isLoose ? LOAD_MS : 0);
					if (file === most || time <= QUICK_MS || projectOf(file) === 'unit') return true;
					const isTaken = time <= left;
					if (isTaken) left -= time;
					return isTaken;
				}),
			);
		}
	}

	const looseHits = Object.fromEntries(looseIds.map((id) => [id, 1]));
	const coverage: MutantCoverage = { static: {}, perTest: {} };
	for (const [test, hits] of tests) {
		const all = { ...hits, ...looseHits };
		const kept = Object.entries(all).filter(([id]) => chosen[id]?.has(fileOf(test)));
		coverage.perTest[test] = Object.fromEntries(kept);
	}
	return { coverage, first };
}

/** Whether a source is one of those that declare the fields of the node, or of all nodes. */
const isOfNode = (source: string): boolean => /nodes\/(PortalIo|shared)\//.test(source);

/** The file of a test, by its ID. */
export const fileOf = (test: string): string => test.split('#')[0]!;

/** The project of a test, by its ID or its file: the folder below `test`. */
export const projectOf = (test: string): string => test.split('/')[1]!;

/** The source of each change, by its ID. */
function readSources(files: string[]): Record<string, string> {
	const sources: Record<string, string> = {};
	for (const file of files)
		for (const [, id] of readFileSync(resolve(file), 'utf8').matchAll(/stryMutAct_\w+\("(\d+)"\)/g))
			sources[id!] = file;
	return sources;
}
