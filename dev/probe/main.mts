/**
 * The probe: asks a Portal.io service how it takes every request of this package, and reports what
 * differs. docs/probe.md
 *
 *   npm run probe                                  ask the sandbox
 *   npm run probe -- --describe                    ask what services say of themselves, without keys
 *   npm run probe -- --json r.json --markdown r.md ask it, and keep the report
 *   npm run probe -- --confirm r.json              mark in the contract what a report confirms
 */
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join, parse } from 'node:path';
import { confirm } from './confirm.mts';
import { describe, getFrom, readDescription } from './description.mts';
import {
	readKeys,
	readOptions,
	SANDBOX,
	usage,
	UsageError,
	waitForItem,
	type Options,
} from './options.mts';
import { exitCodeOf, toMarkdown } from './report.mts';
import { runProbe, type Result } from './run.mts';
import { CredentialError } from './session.mts';

const FAILED = 2;
const stop = new AbortController();

// What is at the service by then is still removed.
process.on('uncaughtException', (error) => {
	showFailure(error);
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
	const { help, baseUrl, readOnly, ai, json, markdown } = options;
	if (help || options.confirm !== undefined) {
		console.log(help ? usage : confirm(options.confirm!));
		return 0;
	}
	if (options.describe) {
		for (const url of baseUrl === SANDBOX ? [SANDBOX, 'https://api.portal.io'] : [baseUrl]) {
			console.log(describe(url, await readDescription(getFrom(url))));
		}
		return 0;
	}
	const isTerminal = process.stdin.isTTY === true;
	const keys = await readKeys(process.env, isTerminal, baseUrl);
	// A file that cannot be written stops the probe before anything is sent.
	for (const file of [json, markdown]) if (file !== undefined) write(file, '', 'a');
	// n8n's request helper takes its time to load.
	const { requestHelper } = await import('../testbed/nodeRunner.mts');
	stopOnSignals();
	console.log(`Asking ${baseUrl}, five requests a second at most.`);
	const result = await runProbe({
		...{ baseUrl, keys, readOnly, ai },
		httpRequest: requestHelper() as never,
		signal: stop.signal,
		...((isTerminal || options['wait-for-item']) && {
			waitForItem: async (proposal: string, isThere: () => Promise<boolean>) =>
				await waitForItem(isTerminal, proposal, isThere),
		}),
		onStep: (step, requests) => console.log(`  ${requests} requests so far. Now: ${step}`),
	});
	console.log(`\n${toMarkdown(result.report)}`);
	if (json !== undefined || markdown !== undefined) writeFiles(result, options);
	else console.log('Add --json FILE or --markdown FILE to keep the whole report.');
	return exitCodeOf(result.report);
}

/** Writes the report, and beside it what the service said. */
function writeFiles(
	{ report, description, conversation }: Result,
	{ json, markdown }: Options,
): void {
	const { dir, name } = parse(json ?? markdown!);
	const written: string[] = [];
	const add = (file: string, text: string) => {
		write(file, text);
		written.push(file);
	};
	if (json !== undefined) add(json, `${JSON.stringify(report, undefined, '\t')}\n`);
	if (markdown !== undefined) add(markdown, toMarkdown(report));
	for (const [path, text] of Object.entries(description)) {
		add(join(dir, `${name}.description${path.replaceAll('/', '-')}.log`), text);
	}
	const conversationFile = join(dir, `${name}.conversation.log`);
	add(conversationFile, conversation);
	console.log(`Written: ${written.join(', ')}.`);
	console.log('The report has no value of the account, and may be pasted into an issue.');
	console.log(`${conversationFile} has the account's data and is for its owner only.`);
}

function write(file: string, text: string, flag = 'w'): void {
	try {
		// The conversation is for its owner only.
		writeFileSync(file, text, { flag, mode: 0o600 });
	} catch (error) {
		throw new UsageError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
	}
}

/** The first signal ends the probe in good order, the second at once. */
function stopOnSignals(): void {
	// Nobody reads on, as with `| head`: what was made is removed all the same.
	process.stdout.on('error', () => stop.abort());
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => {
			if (stop.signal.aborted) process.exit(128 + constants.signals[signal]);
			stop.abort();
			console.log('  Stopping: removing what can be removed. Press Ctrl-C again to end at once.');
		});
	}
}
