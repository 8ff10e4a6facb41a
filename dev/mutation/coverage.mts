/** Which tests try which change: Stryker's own choice would take hours. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { MutantCoverage } from '@stryker-mutator/api/core';

/** Which tests try which change, and in which order. */
export interface Choice {
	coverage: MutantCoverage;
	/** By the ID of a change of what runs when a module is loaded: the tests that go first. */
	first: Record<string, string[]>;
}

/** A change may take so many milliseconds of tests, beside the file of tests that comes first. */
const MAX_MS = 6000;
/** Files of tests that take no longer are always run. */
const QUICK_MS = 300;
/** They look at what the nodes declare, and run little of it in their tests. */
const OF_DECLARATIONS = ['ux', 'shownFields', 'fields', 'locators', 'outputs', 'values'].map(
	(name) => `test/unit/${name}.test.mts`,
);
/** So many files go first with a change of what runs when a module is loaded: most often one notices. */
const FIRST_FILES = 3;
/** Longer ones wait, apart from the one that runs most of the source. */
const FIRST_MS = 1000;
/** What each file of tests takes that loads all modules anew, as a change of what they do then needs. */
const LOAD_MS = 500;

/**
 * Chooses the tests that try a change.
 *
 * A change of what runs when a module is loaded, or in hooks only, is tried by the tests that run
 * anything else of its file, and then of its folder, where Stryker would take all tests.
 *
 * The files of tests that run most of its source come first, the quickest of them before others, as
 * long as there is time.
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
	const chosen: Record<string, Set<string>> = {};
	const first: Record<string, string[]> = {};
	for (const source of new Set(Object.values(sourceOf))) {
		const ranked = rank(seen[source] ?? {});
		const near = rank(inFolder[dirname(source)] ?? {}).map(([file]) => file);
		const ids = new Set(ranked.flatMap(([, all]) => [...all]));
		for (const id of loose[source] ?? []) ids.add(id);
		for (const id of ids) {
			const isLoose = loose[source]?.includes(id);
			const own = ranked.filter(([, all]) => isLoose || all.has(id)).map(([file]) => file);
			const able = isLoose ? [...new Set([...own, ...OF_DECLARATIONS, ...near])] : own;
			if (isLoose) {
				const isShort = (file: string, index: number) => index === 0 || timeOf[file]! < FIRST_MS;
				const best = (own.length > 0 ? own : near)
					.filter(isShort)
					.slice(0, FIRST_FILES)
					.concat(OF_DECLARATIONS);
				first[id] = tests.map(([test]) => test).filter((test) => best.includes(fileOf(test)));
			}
			let left = MAX_MS;
			chosen[id] = new Set(
				able.filter((file, index) => {
					const time = timeOf[file]! + (isLoose ? LOAD_MS : 0);
					if (index === 0 || time <= QUICK_MS) return true;
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

const fileOf = (test: string): string => test.split('#')[0]!;

/** The source of each change, by its ID. */
function readSources(files: string[]): Record<string, string> {
	const sources: Record<string, string> = {};
	for (const file of files)
		for (const [, id] of readFileSync(resolve(file), 'utf8').matchAll(/stryMutAct_\w+\("(\d+)"\)/g))
			sources[id!] = file;
	return sources;
}
