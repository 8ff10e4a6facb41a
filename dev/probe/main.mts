/**
 * The probe: asks a Portal.io service how it takes every request of this package, and reports what
 * differs. docs/probe.md
 *
 *   npm run probe                                  ask the sandbox
 *   npm run probe -- --json r.json --markdown r.md ask it, and keep the report
 *   npm run probe -- --confirm r.json              mark in the contract what a report confirms
 */
import { constants } from 'node:os';
import { confirm } from './confirm.mts';
import { checkWritable, writeFiles } from './files.mts';
import { NoKeys, readKeys } from './keys.mts';
import { readOptions, usage, UsageError, type Options } from './options.mts';
import { startProgress } from './progress.mts';
import { exitCodeOf, summaryOf } from './report.mts';
import { runProbe, type Result } from './run.mts';
import type { Keys } from './session.mts';

const FAILED = 2;
/** Longer than the run takes to remove what it made. */
const CLEANUP_LIMIT_MS = 30_000;
const stop = new AbortController();

/** Whether something is at the service that the end of the run removes. */
let isRunning = false;

for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, onFailure);
const exitCode = await main();
// What is being written must not be cut off.
for (const stream of [process.stdout, process.stderr]) {
	await new Promise<void>((resolve) => void stream.write('', () => resolve()));
}
process.exit(exitCode);

/** Only the kind of error is shown, as its message may hold values of the account. */
function onFailure(error: unknown): void {
	console.error(`The probe failed (${error instanceof Error ? error.name : typeof error}).`);
	if (!isRunning) process.exit(FAILED);
	if (stop.signal.aborted) return;
	stop.abort();
	setTimeout(() => process.exit(FAILED), CLEANUP_LIMIT_MS);
}

async function main(): Promise<number> {
	try {
		const options = readOptions(process.argv.slice(2));
		if (options.help || options.confirm !== undefined) {
			console.log(options.help ? usage : confirm(options.confirm!));
			return 0;
		}
		if (options.json !== undefined) checkWritable('json', options.json);
		if (options.markdown !== undefined) checkWritable('markdown', options.markdown);
		const keys = await readKeys(process.env, process.stdin.isTTY === true, options.baseUrl);
		return await probe(options, keys);
	} catch (error) {
		if (!(error instanceof UsageError || error instanceof NoKeys)) throw error;
		const hint = error instanceof UsageError ? '\n--help shows the options.' : '';
		console.error(error.message + hint);
		return FAILED;
	}
}

async function probe(options: Options, keys: Keys): Promise<number> {
	// n8n's request helper takes its time to load.
	const { requestHelper } = await import('../testbed/nodeRunner.mts');
	const { baseUrl, readOnly, ai } = options;
	const progress = startProgress(process.stdout);
	stopOnSignals(() => {
		progress.clear();
		console.log('  Ending, and removing what can be removed. Press Ctrl-C again to end at once.');
	});
	console.log(`Asking ${baseUrl}, five requests a second at most.`);
	isRunning = true;
	try {
		const result = await runProbe({
			...{ baseUrl, keys, readOnly, ai },
			httpRequest: requestHelper() as never,
			signal: stop.signal,
			onStep: progress.step,
			onRequest: progress.request,
		});
		progress.clear();
		return show(result, options) ? exitCodeOf(result.report) : FAILED;
	} catch (error) {
		progress.clear();
		// Only what is wrong with a key gets here; the message names it and does not show it.
		console.error(`The probe could not run: ${(error as Error).message}`);
		return FAILED;
	} finally {
		isRunning = false;
	}
}

/** @returns whether all files could be written */
function show(result: Result, options: Options): boolean {
	console.log(`\n${summaryOf(result.report)}`);
	if (options.json === undefined && options.markdown === undefined) {
		console.log('Add --json FILE or --markdown FILE to keep the whole report.');
		return true;
	}
	const { written, failed, conversationFile } = writeFiles(result, options);
	for (const file of failed) console.error(`${file} could not be written.`);
	console.log(`Written: ${written.join(', ')}.`);
	console.log('The report has no value of the account, and may be pasted into an issue.');
	console.log(`${conversationFile} has the account's data and is for its owner only.`);
	return failed.length === 0;
}

/** The first signal ends the probe in good order, the second at once. */
function stopOnSignals(onStop: () => void): void {
	// Nobody reads on, as with `| head`: what was made is removed all the same.
	process.stdout.on('error', () => stop.abort());
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => {
			if (stop.signal.aborted) process.exit(128 + constants.signals[signal]);
			stop.abort();
			if (isRunning) onStop();
		});
	}
}
