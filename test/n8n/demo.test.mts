/** The command `npm run demo`: what it shows, and that it ends with all that it has started. */
import { execa } from 'execa';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seed } from '../../dev/simulator/index.mts';
import { root, runsFolder } from '../../dev/testbed/paths.mts';
import { until } from '../../dev/testbed/until.mts';

/** A process and all that it has started, in turn. */
function family(pid: number): number[] {
	const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
		readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
	);
	return [pid, ...children.flatMap((child) => family(Number(child)))];
}

test('shows where to begin, and ends with all its processes on Ctrl-C', async () => {
	const demo = execa(process.execPath, ['dev/demo/main.mts', '--no-build'], {
		cwd: root,
		reject: false,
		all: true,
	});
	let output = '';
	demo.all.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
	void demo.then(() => (output += 'The demo has ended.'));
	await until('the end of the start', () => /Ctrl-C ends|has ended/.test(output) || undefined);
	expect(output).toContain('Ctrl-C ends the demo.');
	for (const value of Object.values(seed.dealer)) expect(output).toContain(value);
	expect(output).toMatch(/Base URL +http:\/\/127\.0\.0\.1:\d+\n/);
	expect(output.match(/http:\S+\/workflow\/\w+/g)!.length).toBeGreaterThan(10);

	const processes = family(demo.pid!);
	// The demo, n8n, and n8n's task runner.
	expect(processes.length).toBeGreaterThanOrEqual(3);
	demo.kill('SIGINT');
	expect(await demo).toMatchObject({ exitCode: 0 });
	await until('the end of all processes', () =>
		processes.every((pid) => !existsSync(`/proc/${pid}`)) ? true : undefined,
	);
	expect(readdirSync(runsFolder).filter((name) => name.startsWith(`run-${demo.pid}-`))).toEqual([]);
});
