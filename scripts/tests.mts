/**
 * What `npm test` runs after lint and build: two runs of Vitest beside each other, as the tests with a
 * real n8n mostly wait and the others keep the processor busy. With arguments, one ordinary run.
 */
import { execa } from 'execa';
import { readFileSync, rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';

/** The part of Vitest's JSON report that the summary shows. */
interface Report {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	testResults: {
		name: string;
		status: string;
		assertionResults: { fullName: string; status: string }[];
	}[];
}

const WITH_N8N = ['n8n', 'queue', 'editor'];
const others = {
	name: 'without n8n',
	args: WITH_N8N.map((name) => `--project=!${name}`),
	report: 'coverage/results-without-n8n.json',
};
const withN8n = {
	name: 'with a real n8n',
	args: WITH_N8N.map((name) => `--project=${name}`),
	report: 'coverage/results-with-n8n.json',
};

const end = new AbortController();
// Vitest tidies up when it is told to end: this process has to be there until then.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end.abort());

function vitest(args: string[], stdout: 'inherit' | 'pipe') {
	return execa('vitest', ['run', ...args], {
		stdin: 'ignore',
		stdout,
		stderr: stdout,
		all: true,
		buffer: false,
		reject: false,
		cancelSignal: end.signal,
		env: {
			// What a process has compiled, the next one only reads.
			NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled'),
			...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
		},
	});
}

function start({ args, report }: typeof others, stdout: 'inherit' | 'pipe') {
	rmSync(report, { force: true });
	return vitest([...args, `--outputFile.json=${report}`], stdout);
}

/** Shows what the second run writes after all that the first has written. */
async function runBoth(): Promise<boolean> {
	const first = start(others, 'inherit');
	const second = start(withN8n, 'pipe');
	// Without a reader, a full pipe would stop the run.
	const held = second.all!.pipe(new PassThrough({ highWaterMark: 2 ** 30 }));
	const ended = [await first];
	await pipeline(held, process.stdout, { end: false });
	ended.push(await second);
	for (const run of [others, withN8n]) summarize(run);
	return ended.every(({ failed }) => !failed);
}

function summarize({ name, report }: typeof others): void {
	const results = read(report);
	if (!results) return console.log(styleText('red', ` ${name}: ended before its last test`));
	const { numPassedTests, numFailedTests, numPendingTests, testResults } = results;
	const failed = testResults.filter(({ status }) => status === 'failed');
	const counts = `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`;
	console.log(styleText(failed.length > 0 ? 'red' : 'green', ` ${name}: ${counts}`));
	for (const { name: file, assertionResults } of failed) {
		const tests = assertionResults.filter(({ status }) => status === 'failed');
		const path = relative(process.cwd(), file);
		console.log([`   ${path}`, ...tests.map(({ fullName }) => `     ${fullName}`)].join('\n'));
	}
}

function read(report: string): Report | undefined {
	try {
		return JSON.parse(readFileSync(report, 'utf8')) as Report;
	} catch {
		return undefined;
	}
}

const args = process.argv.slice(2);
const isGood = args.length > 0 ? !(await vitest(args, 'inherit')).failed : await runBoth();
process.exitCode = isGood ? 0 : 1;
