/** What somebody without the programs gets to read, and what is tested then. */
import { execa } from 'execa';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { root } from '../../testbed/paths.mts';
import { findChromium } from '../../testbed/programs/chromium.mts';
import { firstThatRuns, installed } from '../../testbed/programs/find.mts';
import { findPostgres } from '../../testbed/programs/postgres.mts';
import { findRedis } from '../../testbed/programs/redis.mts';
import { makeRunFolder } from '../../testbed/runs.mts';
import type { RunFolder } from '../../testbed/runs.mts';

let folder: RunFolder;
/** The environment of a machine that has nothing. */
let bare: Record<string, string>;

beforeAll(async () => {
	folder = await makeRunFolder();
	bare = { PATH: join(folder.path, 'empty'), ONLY_INSTALLED_PROGRAMS: '1' };
});
afterEach(() => {
	vi.unstubAllEnvs();
});
afterAll(async () => {
	await folder.discard();
});

/** Makes a program that ends with a status. */
async function makeProgram(place: string, name: string, status: number): Promise<string> {
	const file = join(folder.path, place, name);
	await mkdir(join(folder.path, place), { recursive: true });
	await writeFile(file, `#!/bin/sh\nexit ${status}\n`, { mode: 0o755 });
	return file;
}

test.skipIf(inject('missing').length > 0)('the servers are found', async () => {
	const postgres = await findPostgres();
	const { file } = await findRedis();
	for (const one of [file, join(postgres, 'initdb'), join(postgres, 'postgres')]) {
		expect(existsSync(one), one).toBe(true);
	}
});

test('the first program on the PATH that starts is taken', async () => {
	await makeProgram('broken', 'redis-server', 1);
	const working = await makeProgram('working', 'redis-server', 0);
	const names = ['broken', 'working'].map((place) => join(folder.path, place));
	vi.stubEnv('PATH', names.join(':'));
	expect(firstThatRuns(installed(['redis-server']))?.file).toBe(working);
	expect((await findRedis()).file).toBe(working);
});

describe('without the programs', () => {
	test.each([
		['Redis', findRedis, 'redis-server'],
		['PostgreSQL', () => findPostgres([]), 'postgresql'],
		['Chromium', findChromium, 'chromium'],
	])('the error says how to get %s', async (name, find, debianPackage) => {
		for (const [variable, value] of Object.entries(bare)) vi.stubEnv(variable, value);
		await expect(find()).rejects.toThrow(
			new RegExp(`^${name} is missing\\. .*apt-get install ${debianPackage}`),
		);
	});

	test('the demo says so before it builds or starts anything, and ends', async () => {
		const { exitCode, stdout, stderr } = await runNode(['demo/main.mts', '--queue']);
		expect(exitCode).toBe(1);
		expect(stderr).toContain('Redis is missing.');
		expect(stdout).not.toMatch(/Build|Start/);
	});

	const skipped = [
		'test/queue/queue.test.mts > queue mode > the main job goes through webhook processor and workers',
		'test/editor/items.test.mts > adds a part and labor that are chosen from lists',
	];

	test('their tests are skipped, and the end of the run says which, and why', async () => {
		const { exitCode, stdout } = await runTests('');
		const [, block] = stdout.split('NOT TESTED');
		for (const name of skipped) expect(block).toContain(name);
		expect(block).toMatch(/^ Redis is missing\. .*apt-get install redis-server/m);
		expect(block).toMatch(/^ Chromium is missing\. .*apt-get install chromium/m);
		expect(exitCode).toBe(0);
	});

	test('the run fails in CI', async () => {
		const { exitCode, stdout } = await runTests('true');
		for (const name of skipped) expect(stdout).toContain(name);
		expect(exitCode).toBe(1);
	});

	async function runNode(args: string[], env: Record<string, string> = {}) {
		const options = { cwd: root, env: { ...bare, ...env }, reject: false } as const;
		return await execa(process.execPath, args, options);
	}

	async function runTests(CI: string) {
		const vitest = join(root, 'node_modules/vitest/vitest.mjs');
		const projects = ['--project=queue', '--project=editor'];
		const files = ['test/queue/queue.test.mts', 'test/editor/items.test.mts'];
		const reporters = ['--reporter=default', '--reporter=./test/setup/skipped.mts'];
		return await runNode([vitest, 'run', ...projects, ...files, ...reporters], { CI });
	}
});
