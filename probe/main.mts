/**
 * The probe: asks a Portal.io service how it takes every request of this package, and reports what
 * differs. docs/probe.md
 *
 *   npm run probe                                  ask the sandbox
 *   npm run probe -- --json r.json --markdown r.md ask it, and keep the report
 *   npm run probe -- --confirm r.json              mark in the contract what a report confirms
 */
import { constants } from 'node:os';
import { styleText } from 'node:util';
import { confirm } from './confirm.mts';
import { checkWritable, write } from './files.mts';
import { NoKeys, readKeys } from './keys.mts';
import type { Report } from './model.mts';
import { readOptions, usage, UsageError, type Options } from './options.mts';
import { startProgress } from './progress.mts';
import type { HttpRequest, Keys } from './service.mts';

const FAILED = 2;
/** Longer than the run takes to remove what it made. */
const CLEANUP_LIMIT_MS = 30_000;
const stop = new AbortController();

/** Whether something is at the service that the end of the run removes. */
let isRunning = false;

for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, onFailure);
const exitCode = await main();
// Timers of the client may still run; what is being written must not be cut off.
for (const stream of [process.stdout, process.stderr]) {
	await new Promise<void>((resolve) => void stream.write('', () => resolve()));
}
process.exit(exitCode);

/** Only the kind of error is shown, as its message may hold values of the account. */
function onFailure(error: unknown): void {
	const name = error instanceof Error ? error.name : typeof error;
	console.error(`The probe failed (${name}).`);
	if (!isRunning) process.exit(FAILED);
	if (stop.signal.aborted) return;
	stop.abort();
	setTimeout(() => process.exit(FAILED), CLEANUP_LIMIT_MS);
}

async function main(): Promise<number> {
	try {
		const options = readOptions(process.argv.slice(2), process.env);
		if (options.help) {
			console.log(usage);
			return 0;
		}
		if (options.confirm !== undefined) {
			console.log(confirm(options.confirm));
			return 0;
		}
		for (const option of ['json', 'markdown'] as const) {
			if (options[option] !== undefined) checkWritable(option, options[option]);
		}
		const { baseUrl } = options;
		const keys = await readKeys(process.env, process.stdin.isTTY === true, baseUrl);
		return await probe(options, keys);
	} catch (error) {
		if (!(error instanceof UsageError || error instanceof NoKeys)) throw error;
		console.error(
			`${error.message}${error instanceof UsageError ? '\n--help shows the options.' : ''}`,
		);
		return FAILED;
	}
}

async function probe(options: Options, keys: Keys): Promise<number> {
	// What takes its time to load is loaded when it is clear that it is needed.
	const { exitCodeOf, publicReport } = await import('./report.mts');
	const { hideKeys } = await import('./guard.mts');
	const { publicWords } = await import('./words.mts');
	const { requestHelper } = await import('../testbed/nodeRunner.mts');
	const { runProbe } = await import('./run.mts');
	const { baseUrl, readOnly, ai, webhook: url, webhookPort: port } = options;
	const progress = startProgress(process.stdout);
	const secrets = Object.values(keys);
	const texts = new Set<string>();
	stopOnSignals(() => {
		progress.clear();
		console.log('  Ending, and removing what can be removed. Press Ctrl-C again to end at once.');
	});
	console.log(`Asking ${baseUrl}, five requests a second at most.`);
	try {
		isRunning = true;
		const found = await runProbe({
			...{ baseUrl, keys, readOnly, ai, texts },
			...(url === undefined ? {} : { webhook: { url, port } }),
			httpRequest: requestHelper() as HttpRequest,
			signal: stop.signal,
			onProgress: progress.step,
			onRequest: progress.request,
			words: (message, names) => publicWords(message, texts, names),
		}).finally(() => (isRunning = false));
		const report = publicReport(found, { keys: secrets, texts });
		progress.clear();
		return (await show(report, options)) ? exitCodeOf(report) : FAILED;
	} catch (error) {
		progress.clear();
		console.error(`The probe could not run: ${hideKeys((error as Error).message, secrets)}`);
		return FAILED;
	}
}

/** @returns whether all files could be written */
async function show(report: Report, { json, markdown }: Options): Promise<boolean> {
	const { toMarkdown } = await import('./markdown.mts');
	const { toJson } = await import('./report.mts');
	const { summaryOf } = await import('./terminal.mts');
	console.log(`\n${summaryOf(report)}`);
	const files = [
		[json, () => toJson(report)],
		[markdown, () => toMarkdown(report)],
	] as const;
	const named = files.filter(([file]) => file !== undefined);
	const failed = named.filter(([file, content]) => !write(file!, content()));
	for (const [file] of failed) console.error(`${file} could not be written.`);
	const written = named.filter((one) => !failed.includes(one)).map(([file]) => file);
	if (written.length > 0) {
		console.log(`The report is in ${written.join(' and ')}. It holds no value of the account.`);
	} else if (named.length === 0) {
		console.log(styleText('dim', 'Add --json FILE or --markdown FILE to keep the whole report.'));
	}
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
