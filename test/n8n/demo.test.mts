/** The command `npm run demo` itself: that it lives and that it ends as it should. */
import { execa } from 'execa';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seed } from '../../simulator/index.mts';
import { until } from '../../testbed/until.mts';
import { examplesFolder, root, runsFolder } from '../../testbed/paths.mts';

/** Starts the demo with whatever is built; `output()` is all that it has said. */
function startDemo() {
	const demo = execa(process.execPath, ['demo/main.mts', '--no-build'], {
		cwd: root,
		reject: false,
		all: true,
		timeout: 280_000,
	});
	const chunks: string[] = [];
	demo.all.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
	const output = () => chunks.join('');
	const says = (text: string) =>
		until(`"${text}" in ${output()}`, () => output().includes(text) || undefined, 240_000);
	return { demo, says, output };
}

/** A process and all that it has started, in turn. */
function family(pid: number): number[] {
	const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
		readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
	);
	return [pid, ...children.flatMap((child) => family(Number(child)))];
}

/** Waits until none of some processes is there any more. */
const ended = async (processes: number[]) => {
	const left = () => processes.filter((pid) => existsSync(join('/proc', String(pid))));
	await until('the end of all processes', () => left().length === 0 || undefined, 10_000);
};

const runsOf = (pid: number) =>
	readdirSync(runsFolder).filter((name) => name.startsWith(`run-${pid}-`));

describe.skipIf(!existsSync('/proc'))('Ctrl-C', () => {
	test('ends a demo that is running, and all that it has started', async () => {
		const { demo, says, output } = startDemo();
		await says('Ctrl-C ends the demo.');
		for (const value of Object.values(seed.dealer)) expect(output()).toContain(value);
		expect(output()).toMatch(/Base URL +http:\/\/127\.0\.0\.1:\d+\n/);
		const examples = [examplesFolder, join(examplesFolder, 'shared')]
			.flatMap((folder) => readdirSync(folder))
			.filter((name) => name.endsWith('.json'));
		expect(output().match(/http:\S+\/workflow\/\w+/g)).toHaveLength(examples.length);
		expect(output()).toContain('demo-files/order-list-');
		const processes = family(demo.pid!);
		// The demo, n8n, and n8n's task runner.
		expect(processes.length).toBeGreaterThanOrEqual(3);
		demo.kill('SIGINT');
		expect(await demo).toMatchObject({ exitCode: 0 });
		await ended(processes);
		expect(runsOf(demo.pid!)).toEqual([]);
	});

	test('ends a demo that is still starting', async () => {
		const { demo, says } = startDemo();
		await says('Start n8n');
		const processes = await until('the processes of n8n', () => {
			const all = family(demo.pid!);
			return all.length > 1 ? all : undefined;
		});
		demo.kill('SIGINT');
		expect(await demo).toMatchObject({ exitCode: 130 });
		await ended(processes);
		expect(runsOf(demo.pid!)).toEqual([]);
	});
});

test('an argument that the demo does not know is answered with how to use it', async () => {
	const { exitCode, stderr } = await execa(process.execPath, ['demo/main.mts', '--quick'], {
		cwd: root,
		reject: false,
	});
	expect(exitCode).toBe(2);
	expect(stderr).toMatch(/--quick.*Usage: npm run demo/s);
});
