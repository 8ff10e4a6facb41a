/**
 * The probe: asks a Portal.io service how it takes every request of this package, and reports what
 * differs. docs/probe.md
 */
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join, parse } from 'node:path';
import { describe } from './description.mts';
import {
	readKeys,
	readOptions,
	PRODUCTION,
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
	if (help) console.log(usage);
	if (help) return 0;
	if (options.describe) {
		const urls = baseUrl === SANDBOX ? [SANDBOX, PRODUCTION] : [baseUrl];
		const pages = await Promise.all(urls.map(describe));
		for (const [index, page] of pages.entries()) {
			console.log(page ?? `# ${urls[index]}\n\nIt could not be reached: nothing is known of it.\n`);
		}
		return pages.includes(undefined) ? FAILED : 0;
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
	if (isTerminal) showWords(result);
	if (json !== undefined || markdown !== undefined) writeFiles(result, options);
	else console.log('Add --json FILE or --markdown FILE to keep the whole report.');
	return exitCodeOf(result.report);
}

/** Shows what errors say where something is not confirmed: on the terminal of the owner alone. */
function showWords({ report, words }: Result): void {
	const said = report.endpoints
		.filter(({ verdict, operation }) => verdict !== 'confirmed' && operation in words)
		.map(({ operation }) => `  ${operation}: ${words[operation]}`);
	if (said.length === 0) return;
	console.log('The service said, which is not in the report, as it may hold data of the account:');
	console.log(`${said.join('\n')}\n`);
}

/** Writes the report, and beside it what the service says of itself. */
function writeFiles({ report, description }: Result, { json, markdown }: Options): void {
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
	console.log(`Written: ${written.join(', ')}.`);
	console.log('The report has no value of the account, and may be pasted into an issue.');
}

function write(file: string, text: string, flag = 'w'): void {
	try {
		writeFileSync(file, text, { flag });
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
