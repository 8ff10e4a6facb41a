/**
 * `npm run test:mutation`: makes small changes in all that decides something, and expects a test to
 * fail for each (CONTRIBUTING.md#mutation-tests). `npm run test:mutation -- client/retry.ts` tries
 * one file, with the tests that noticed something in it the last time.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Position } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { describe, entryOf, equivalents, type Change } from './changes.mts';
import { settings } from './settings.mts';

const LEAST_SCORE = 97;

const { values, positionals: files } = parseArgs({
	options: { force: { type: 'boolean', default: false } },
	allowPositionals: true,
});

/** What is used of Stryker's report of the last whole run. */
interface LastRun {
	files: Record<string, { mutants: { killedBy?: string[] }[] }>;
	testFiles: Record<string, { tests: { id: string }[] }>;
}

/** The tests that noticed a change of some files in the last whole run; none when it is not known. */
function testsFor(wanted: string[]): string[] {
	if (!existsSync(settings.incrementalFile)) return [];
	const report: LastRun = JSON.parse(readFileSync(settings.incrementalFile, 'utf8'));
	if (wanted.some((file) => report.files[file] === undefined)) return [];
	const mutants = wanted.flatMap((file) => report.files[file]!.mutants);
	const noticing = new Set(mutants.flatMap(({ killedBy = [] }) => killedBy));
	return Object.entries(report.testFiles)
		.filter(([, { tests }]) => tests.some(({ id }) => noticing.has(id)))
		.map(([file]) => file);
}

const some = { mutate: files, testFiles: testsFor(files), incremental: false };
const results = await new Stryker({
	...settings,
	...(files.length > 0 ? some : { force: values.force }),
}).runMutationTest();

/** Results count lines and columns from 1, and changes from 0. */
const fromZero = ({ line, column }: Position) => ({ line: line - 1, column: column - 1 });
const tried = results
	.filter(({ status }) => status !== 'Ignored')
	.map(({ location: { start, end }, ...result }) => ({
		...result,
		location: { start: fromZero(start), end: fromZero(end) },
	}));
const found = new Set(tried.map((mutant) => entryOf(mutant)));
const counted = tried.filter((mutant) => entryOf(mutant) === undefined);
const unnoticed = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
const scoreOf = (all: unknown[], missed: unknown[]) =>
	(100 * (all.length - missed.length)) / Math.max(1, all.length);

const byFile = Object.entries(Object.groupBy(counted, (mutant) => describe(mutant).file)).map(
	([file, mutants = []]) => {
		const missed = unnoticed.filter((mutant) => mutants.includes(mutant));
		return { file, changes: mutants.length, missed, score: scoreOf(mutants, missed) };
	},
);
const gone = Object.entries(equivalents)
	.filter(([file]) => files.length === 0 || files.includes(file))
	.flatMap(([file, entries]) =>
		entries.filter((entry) => !found.has(entry)).map(({ becomes }) => `${file}: ${becomes}`),
	);
const score = scoreOf(counted, unnoticed);

const report = [
	`# ${score.toFixed(1)} % of ${counted.length} changes are noticed`,
	'',
	...['| file | changes | noticed |', '|---|---|---|'],
	...byFile.map((row) => `| ${row.file} | ${row.changes} | ${row.score.toFixed(1)} % |`),
	...byFile
		.filter(({ missed }) => missed.length > 0)
		.flatMap(({ file, missed }) => [
			'',
			`## ${file}`,
			'',
			'```diff',
			...missed.flatMap(diff),
			'```',
		]),
	...(gone.length > 0 ? ['', '## In the list, but not in the code', ''] : []),
	...gone.map((line) => `- ${line}`),
].join('\n');

function diff(mutant: Change): string[] {
	const { line, changed } = describe(mutant);
	return [`@@ ${mutant.location.start.line + 1} @@`, `- ${line}`, `+ ${changed}`];
}

mkdirSync('coverage/mutation', { recursive: true });
writeFileSync('coverage/mutation/report.md', `${report}\n`);
console.log(report);
if (score < LEAST_SCORE || gone.length > 0) process.exitCode = 1;
