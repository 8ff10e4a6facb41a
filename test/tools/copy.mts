/** A copy of this repository in a temporary folder, to change and run. */
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run as runHere, startGroup, pathWithNode } from '../../testbed/commands.mts';
import { root } from '../../testbed/paths.mts';

/** How a command ended. */
export interface Ended {
	isSuccess: boolean;
	/** Everything that it wrote. */
	output: string;
}

/** A copy, and how to use it. */
export interface Copy {
	folder: string;
	/** Runs a command line as a person in that folder would. */
	run(command: string): Promise<Ended>;
	remove(): Promise<void>;
}

/** Copies what git tracks or would track; what is installed is linked. */
export async function copyRepository(): Promise<Copy> {
	const folder = await mkdtemp(join(tmpdir(), 'clone-'));
	const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
	const files = (await runHere('git', args, { cwd: root })).split('\0').filter(Boolean);
	for (const file of files) {
		await mkdir(dirname(join(folder, file)), { recursive: true });
		// A tracked file may have been deleted.
		if (existsSync(join(root, file))) await cp(join(root, file), join(folder, file));
	}
	// Each package by itself, and no caches: tools write them, and those of this clone must stay.
	const packages = join(folder, 'node_modules');
	await mkdir(packages);
	for (const name of await readdir(join(root, 'node_modules'))) {
		if (['.cache', '.vite'].includes(name)) continue;
		await symlink(join(root, 'node_modules', name), join(packages, name));
	}
	// All is installed, and npm would change the packages of this clone.
	await writeFile(join(folder, 'scripts/install.mjs'), '');
	// As a clone has it: some tests ask git.
	await runHere('git', ['init', '--quiet'], { cwd: folder });
	await runHere('git', ['add', '--all'], { cwd: folder });
	return {
		folder,
		run: (command) => run(command, folder),
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}

async function run(command: string, cwd: string): Promise<Ended> {
	const PATH = [join(cwd, 'node_modules/.bin'), pathWithNode()].join(':');
	// Not of this process: Vitest would take itself for a part of the one that runs this test.
	const env = { PATH, HOME: process.env.HOME ?? cwd, NO_COLOR: '1' };
	const { failed, all } = await startGroup('sh', ['-c', command], { cwd, env, extendEnv: false })
		.ended;
	return { isSuccess: !failed, output: all ?? '' };
}
