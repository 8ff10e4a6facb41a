/** How `npm test` runs Vitest (scripts/tests.mts), and what `.ci/run` makes of it. */
import { execa } from 'execa';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../../testbed/paths.mts';
import { until } from '../../testbed/until.mts';

/** How a stand-in for a run of Vitest ends. */
interface Run {
	passed?: number;
	/** The names of tests. */
	failed?: string[];
	/** Writes no report, as a run that breaks off. */
	isBroken?: boolean;
	/** Ends only when it is told to. */
	isEndless?: boolean;
	/** Waits until the other run has begun to write. */
	isLate?: boolean;
}

const RUNS = ['without-n8n', 'with-n8n'] as const;
/** With n8n's installation, which can break off. */
type Runs = Record<(typeof RUNS)[number], Run> & { installation?: Pick<Run, 'isBroken'> };

/** Notes its arguments, says when it begins and ends, and writes the report that it was told to. */
const standIn = `#!${process.execPath}
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
const runs = JSON.parse(process.env.RUNS);
const args = process.argv.slice(2);
appendFileSync('calls.txt', args.join(' ') + '\\n');
const report = args.find((one) => one.startsWith('--outputFile.json='))?.split('=')[1];
const name = report?.match(/results-(.+)\\.json$/)[1] ?? 'ordinary';
const { passed = 0, failed = [], isBroken, isEndless, isLate } = runs[name] ?? {};
console.log(name + ' begins');
if (name !== 'without-n8n' && !existsSync('installed')) throw new Error('n8n is missing');
process.on('SIGTERM', () => {
	writeFileSync(name + '-told', '');
	process.exit(1);
});
writeFileSync(name, '');
const other = Object.keys(runs).find((one) => one !== name);
const timer = setInterval(() => {
	if (isEndless || (isLate && !existsSync(other + '-done'))) return;
	clearInterval(timer);
	console.log(name + ' ends');
	const isGood = failed.length === 0 && !isBroken;
	if (report && !isBroken) {
		mkdirSync('coverage', { recursive: true });
		const assertionResults = failed.map((fullName) => ({ fullName, status: 'failed' }));
		writeFileSync(report, JSON.stringify({
			numPassedTests: passed,
			numFailedTests: failed.length,
			numPendingTests: 0,
			testResults: [{ name: process.cwd() + '/x.test.mts', status: isGood ? 'passed' : 'failed', assertionResults }],
		}));
	}
	writeFileSync(name + '-done', '');
	process.exitCode = isGood ? 0 : 1;
}, 5);
`;

/** Stands in for the installation of n8n: it takes until the run without n8n has begun. */
const installation = `
import { existsSync, writeFileSync } from 'node:fs';
const { installation, ...runs } = JSON.parse(process.env.RUNS);
console.log('installation begins');
const timer = setInterval(() => {
	if ('without-n8n' in runs && !existsSync('without-n8n')) return;
	clearInterval(timer);
	if (installation?.isBroken) process.exitCode = 1;
	else writeFileSync('installed', '');
}, 5);
`;

/** A folder in which n8n's installation, \`vitest\`, and what else is named, are stand-ins. */
async function prepare(runs: Partial<Runs>, programs: Record<string, string> = {}) {
	const folder = await mkdtemp(join(tmpdir(), 'runs-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	mkdirSync(join(folder, 'bin'));
	for (const [name, text] of Object.entries({ vitest: standIn, ...programs })) {
		writeFileSync(join(folder, 'bin', name), text, { mode: 0o755 });
	}
	mkdirSync(join(folder, 'testbed/n8n'), { recursive: true });
	writeFileSync(join(folder, 'testbed/n8n/install.mts'), installation);
	const PATH = [join(folder, 'bin'), process.env.PATH].join(delimiter);
	const env = { PATH, RUNS: JSON.stringify(runs) };
	return { folder, options: { cwd: folder, env, reject: false } as const };
}

const script = join(root, 'scripts/tests.mts');
const start = async (runs: Partial<Runs>, ...args: string[]) => {
	const { folder, options } = await prepare(runs);
	return { folder, running: execa(process.execPath, [script, ...args], options) };
};
const lines = (text: string) => text.split('\n').map((line) => line.trim());

describe.skipIf(process.platform === 'win32')('npm test', () => {
	test('shows one run after the other, whichever ends first, and then both results', async () => {
		const { folder, running } = await start({
			'without-n8n': { passed: 2, isLate: true },
			'with-n8n': { passed: 3 },
		});
		const { exitCode, stdout } = await running;
		expect(lines(stdout)).toEqual([
			...['without-n8n begins', 'without-n8n ends'],
			...['installation begins', 'with-n8n begins', 'with-n8n ends'],
			'without n8n: 2 passed, 0 failed, 0 skipped',
			'with a real n8n: 3 passed, 0 failed, 0 skipped',
		]);
		expect(exitCode).toBe(0);
		const calls = lines(readFileSync(join(folder, 'calls.txt'), 'utf8'))
			.filter(Boolean)
			.sort();
		expect(calls).toEqual([
			'run --project=!n8n --project=!queue --project=!editor --outputFile.json=coverage/results-without-n8n.json',
			'run --project=n8n --project=queue --project=editor --outputFile.json=coverage/results-with-n8n.json',
		]);
	});

	test.each(RUNS)('fails with a test of the run %s, which it names', async (name) => {
		const other = RUNS.find((one) => one !== name)!;
		const { running } = await start({
			[name]: { passed: 1, failed: ['adds up'] },
			[other]: { passed: 3, isLate: true },
		});
		const { exitCode, stdout } = await running;
		expect(exitCode).toBe(1);
		expect(stdout).toContain(`${other} ends`);
		expect(stdout).toMatch(/: 1 passed, 1 failed, 0 skipped\n +x\.test\.mts\n +adds up/);
		expect(stdout).toContain(': 3 passed, 0 failed, 0 skipped');
	});

	test('fails with a run that breaks off', async () => {
		const { running } = await start({ 'without-n8n': { isBroken: true }, 'with-n8n': {} });
		const { exitCode, stdout } = await running;
		expect(exitCode).toBe(1);
		expect(stdout).toContain('without n8n: ended before its last test');
	});

	test('fails when n8n cannot be installed, after the tests that need none', async () => {
		const { folder, running } = await start({
			'without-n8n': { passed: 2 },
			'with-n8n': { passed: 3 },
			installation: { isBroken: true },
		});
		const { exitCode, stdout } = await running;
		expect(exitCode).toBe(1);
		expect(stdout).toContain('without n8n: 2 passed, 0 failed, 0 skipped');
		expect(stdout).toContain('with a real n8n: ended before its last test');
		expect(existsSync(join(folder, 'with-n8n'))).toBe(false);
	});

	test.each(['SIGTERM', 'SIGINT'] as const)('ends both runs at %s', async (signal) => {
		const endless = { isEndless: true };
		const { folder, running } = await start({ 'without-n8n': endless, 'with-n8n': endless });
		const is = (suffix: string) => RUNS.every((name) => existsSync(join(folder, name + suffix)));
		await until('both runs', () => is('') || undefined);
		running.kill(signal);
		expect((await running).exitCode).toBe(1);
		expect(is('-told')).toBe(true);
	});

	test('is one ordinary run with arguments', async () => {
		const { folder, running } = await start({}, '--project', 'unit');
		expect((await running).exitCode).toBe(0);
		expect(readFileSync(join(folder, 'calls.txt'), 'utf8')).toBe('run --project unit\n');
	});
});

describe.skipIf(process.platform === 'win32')('.ci/run ends with one line', () => {
	const good = { 'without-n8n': { passed: 2 }, 'with-n8n': { passed: 3 } };
	const none = '#!/bin/sh\n';
	test.each([
		['of both runs', good, '5 passed, 0 failed'],
		[
			'with failures',
			{ ...good, 'with-n8n': { passed: 1, failed: ['a', 'b'] } },
			'3 passed, 2 failed',
		],
		[
			'that counts what breaks off',
			{ ...good, 'with-n8n': { isBroken: true } },
			'2 passed, 1 failed',
		],
	] as [string, Runs, string][])('%s', async (_title, runs, line) => {
		const npm = `#!/bin/sh\nexec '${process.execPath}' '${script}'\n`;
		const installed = { python3: none, make: none, 'g++': none };
		const { folder, options } = await prepare(runs, { npm, ...installed });
		mkdirSync(join(folder, '.ci'));
		mkdirSync(join(folder, 'coverage'));
		// Of an earlier run.
		writeFileSync(join(folder, 'coverage/results-with-n8n.json'), '{"numPassedTests":99}');
		copyFileSync(join(root, '.ci/run'), join(folder, '.ci/run'));
		const { stdout, exitCode } = await execa('bash', ['.ci/run'], options);
		expect(lines(stdout).at(-1)).toBe(line);
		expect(exitCode).toBe(line.endsWith(' 0 failed') ? 0 : 1);
	});
});
