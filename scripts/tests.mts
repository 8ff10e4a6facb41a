/**
 * What `npm test` runs after lint and build: two runs of Vitest beside each other, as the tests with a
 * real n8n mostly wait and the others keep the processor busy. n8n is installed where it is missing,
 * while the others run already. With arguments, one ordinary run.
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

function program(file: string, args: string[], stdout: 'inherit' | 'pipe') {
	return execa(file, args, {
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

const installN8n = (stdout: 'inherit' | 'pipe') =>
	program('node', ['testbed/n8n/install.mts'], stdout);

const vitest = (args: string[], stdout: 'inherit' | 'pipe') =>
	program('vitest', ['run', ...args], stdout);

const start = ({ args, report }: typeof others, stdout: 'inherit' | 'pipe') =>
	vitest([...args, `--outputFile.json=${report}`], stdout);

/** Whether all went well. Shows what the second run writes after all that the first has written. */
async function runBoth(): Promise<boolean> {
	for (const { report } of [others, withN8n]) rmSync(report, { force: true });
	const first = start(others, 'inherit');
	// Without a reader, a full pipe would stop the run.
	const held = new PassThrough({ highWaterMark: 2 ** 30 });
	const second = runWithN8n(held).finally(() => held.end());
	const isFirstGood = !(await first).failed;
	await pipeline(held, process.stdout, { end: false });
	const isSecondGood = await second;
	for (const run of [others, withN8n]) summarize(run);
	return isFirstGood && isSecondGood;
}

/** Installs n8n where it is missing, which takes minutes that the other tests need not wait for. */
async function runWithN8n(output: PassThrough): Promise<boolean> {
	const succeeds = async (running: ReturnType<typeof program>) => {
		await pipeline(running.all!, output, { end: false });
		return !(await running).failed;
	};
	return (await succeeds(installN8n('pipe'))) && (await succeeds(start(withN8n, 'pipe')));
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

/** One ordinary run, of whatever the arguments name. */
async function runNamed(args: string[]): Promise<boolean> {
	return !(await installN8n('inherit')).failed && !(await vitest(args, 'inherit')).failed;
}

const args = process.argv.slice(2);
process.exitCode = (await (args.length > 0 ? runNamed(args) : runBoth())) ? 0 : 1;
