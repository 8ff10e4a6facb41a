import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runsFolder } from './paths.mts';

/** Creates a new folder, so that a run finds no files from an earlier run. Removes folders left by crashes. */
export async function makeRunFolder(parent = runsFolder) {
	await removeAbandoned(parent);
	await mkdir(parent, { recursive: true });
	const path = await mkdtemp(join(parent, `run-${process.pid}-`));
	return { path, discard: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Removes the folders of processes that no longer run. */
async function removeAbandoned(parent: string) {
	for (const name of await readdir(parent).catch(() => [])) {
		const pid = /^run-(\d+)-/.exec(name)?.[1];
		if (pid && !isRunning(Number(pid)))
			await rm(join(parent, name), { recursive: true, force: true });
	}
}

export function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
