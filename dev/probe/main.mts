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
import { readKeys } from './keys.mts';
import { readOptions, usage, UsageError, type Options } from './options.mts';
import { startProgress } from './progress.mts';
import { exitCodeOf, toMarkdown } from './report.mts';
import { runProbe, type Result } from './run.mts';
import { CredentialError } from './session.mts';

const FAILED = 2;
const stop = new AbortController();

/** Whether something is at the service that the end of the run removes. */
let isRunning = false;

process.on('uncaughtException', (error) => {
	showFailure(error);
	if (!isRunning) process.exit(FAILED);
	stop.abort();
});
const exitCode = await main(process.argv.slice(2)).catch(showFailure);
// What is being written must not be cut off.
for (const stream of [process.stdout, process.stderr]) {
	await new Promise<void>((resolve) => void stream.write('', () => resolve()));
}
process.exit(exitCode);

/** Shows only the kind of an unexpected error, as its message may hold values of the account. */
function showFailure(error: Error): number {
	const isExpected = error instanceof UsageError || error instanceof CredentialError;
	console.error(isExpected ? error.message : `The probe failed (${error.name}).`);
	return FAILED;
}

async function main(args: string[]): Promise<number> {
	const options = readOptions(args);
	const { help, baseUrl, readOnly, ai } = options;
	if (help || options.confirm !== undefined) {
		console.log(help ? usage : confirm(options.confirm!));
		return 0;
	}
	checkWritable(options);
	const keys = await readKeys(process.env, process.stdin.isTTY === true, baseUrl);
	// n8n's request helper takes its time to load.
	const { requestHelper } = await import('../testbed/nodeRunner.mts');
	const progress = startProgress(process.stdout);
	stopOnSignals(progress.clear);
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
		show(result, options);
		return exitCodeOf(result.report);
	} finally {
		progress.clear();
		isRunning = false;
	}
}

function show(result: Result, options: Options): void {
	console.log(`\n${toMarkdown(result.report)}`);
	if (options.json === undefined && options.markdown === undefined) {
		console.log('Add --json FILE or --markdown FILE to keep the whole report.');
		return;
	}
	const written = writeFiles(result, options);
	console.log(`Written: ${written.join(', ')}.`);
	console.log('The report has no value of the account, and may be pasted into an issue.');
	console.log(`${written.at(-1)} has the account's data and is for its owner only.`);
}

/** The first signal ends the probe in good order, the second at once. */
function stopOnSignals(clear: () => void): void {
	// Nobody reads on, as with `| head`: what was made is removed all the same.
	process.stdout.on('error', () => stop.abort());
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => {
			if (stop.signal.aborted) process.exit(128 + constants.signals[signal]);
			stop.abort();
			clear();
			console.log('  Ending, and removing what can be removed. Press Ctrl-C again to end at once.');
		});
	}
}
