/** What the demo starts must not outlive it, in whatever way it ends. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { root } from '../../testbed/paths.mts';
import { makeRunFolder } from '../../testbed/runs.mts';
import type { RunFolder } from '../../testbed/runs.mts';

let folder: RunFolder;
let script: string;

beforeAll(async () => {
	folder = await makeRunFolder();
	script = join(folder.path, 'starts.mjs');
	await writeFile(
		script,
		`import { startGroup } from ${JSON.stringify(join(root, 'testbed/commands.mts'))};
		const { pid } = startGroup('sleep', ['600'], { cwd: '/', env: {} });
		process.send(pid);
		process.on('message', () => {});`,
	);
});

afterAll(async () => {
	await folder.discard();
});

test.each([
	['is told to end', 'SIGTERM'],
	['is interrupted', 'SIGINT'],
	['loses its terminal', 'SIGHUP'],
] as const)('a program ends with the process that started it when that %s', async (_how, name) => {
	const { child, pid } = await start();
	child.kill(name);
	const [, signal] = await once(child, 'exit');
	expect(signal).toBe(name);
	await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000 });
});

test('a program ends with the process that started it when that has lost its own parent', async () => {
	const { child, pid } = await start();
	const exit = once(child, 'exit');
	child.disconnect();
	await exit;
	await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000 });
});

async function start() {
	const child = fork(script);
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`${script} ended with ${code}`);
	});
	const [pid] = (await Promise.race([once(child, 'message'), ended])) as [number];
	expect(isRunning(pid)).toBe(true);
	return { child, pid };
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
