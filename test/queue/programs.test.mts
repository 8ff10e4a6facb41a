/** What somebody without the servers gets to read. */
import { execa } from 'execa';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findPrograms } from '../../testbed/queue/programs.mts';
import { root } from '../../testbed/paths.mts';
import { makeRunFolder } from '../../testbed/runs.mts';
import type { RunFolder } from '../../testbed/runs.mts';

let folder: RunFolder;

beforeAll(async () => {
	folder = await makeRunFolder();
});

afterAll(async () => {
	vi.unstubAllEnvs();
	await folder.discard();
});

test('the servers are found', () => {
	vi.unstubAllEnvs();
	for (const program of Object.values(findPrograms())) expect(existsSync(program)).toBe(true);
});

test('without Redis, the error says which package to install', () => {
	vi.stubEnv('PATH', folder.path);
	expect(() => findPrograms()).toThrow(/apt-get install .*redis-server/);
});

test('a program that lies in the first folder of the PATH is taken', async () => {
	const redis = join(folder.path, 'redis-server');
	await writeFile(redis, '#!/bin/sh\n');
	await chmod(redis, 0o755);
	vi.stubEnv('PATH', `${folder.path}:${process.env.PATH}`);
	try {
		expect(findPrograms().redis).toBe(redis);
	} catch (error) {
		// PostgreSQL may be off the PATH altogether, in Debian's folders or not.
		expect(String(error)).not.toContain('redis-server');
	}
});

test('the demo says so before anything else, and ends', async () => {
	const { exitCode, stdout, stderr } = await execa(
		process.execPath,
		['demo/main.mts', '--queue', '--no-build'],
		{ cwd: root, env: { PATH: join(folder.path, 'empty') }, reject: false },
	);
	expect(exitCode).toBe(1);
	expect(stderr).toMatch(/apt-get install .*redis-server/);
	expect(stdout).toBe('');
});
