/** Runs `npm run demo`. Checks what it prints, and that it ends every process that it started. */
import { execa } from 'execa';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { root, runsFolder } from '../../dev/testbed/paths.mts';
import { until } from '../../dev/testbed/until.mts';

it('prints where to begin, then ends all processes on Ctrl-C', async () => {
	const demo = execa(process.execPath, ['dev/demo/main.mts', '--no-build'], {
		cwd: root,
		reject: false,
		all: true,
	});
	let output = '';
	demo.all.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
	void demo.then(() => (output += 'The demo has ended.'));
	// Allow plenty of time, because tests that run at the same time can slow down the demo's start.
	const startLimitMs = 240_000;
	const hasStarted = () => /Ctrl-C ends|has ended/.test(output) || undefined;
	await until('the end of the start', hasStarted, startLimitMs);
	for (const value of Object.values(seed.dealer)) expect(output).toContain(value);
	expect(output).toMatch(/Base URL +http:\/\/127\.0\.0\.1:\d+\n/);
	expect(output.match(/http:\S+\/workflow\/\w+/g)!.length).toBeGreaterThan(10);

	const folders = () =>
		readdirSync(runsFolder).filter((name) => name.startsWith(`run-${demo.pid}-`));
	const [folder] = folders();
	// Search for the folder's path, because n8n and its task runner have it in an environment variable.
	const processes = async () =>
		(await execa({ shell: true, reject: false })`grep -las ${folder!} /proc/[0-9]*/environ`).stdout;
	expect(await processes()).not.toBe('');
	demo.kill('SIGINT');
	expect(await demo).toMatchObject({ exitCode: 0 });
	await until('the end of all processes', async () => (await processes()) === '' || undefined);
	expect(folders()).toEqual([]);
});
