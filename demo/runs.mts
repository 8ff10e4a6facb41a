/** The throw-away folders in which n8n runs. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runsFolder } from './paths.mts';

/** A folder for one run. */
export interface RunFolder {
	path: string;
	/** Removes it, unless it is to be kept. */
	discard(): Promise<void>;
}

/** Makes a new folder, so that a run finds nothing of an earlier one, and clears up after crashes. */
export async function makeRunFolder({ keep = false } = {}): Promise<RunFolder> {
	await removeAbandoned();
	await mkdir(runsFolder, { recursive: true });
	const path = await mkdtemp(join(runsFolder, keep ? 'kept-' : `run-${process.pid}-`));
	return {
		path,
		async discard() {
			if (!keep) await rm(path, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

/** A run whose process was killed could not remove its folder. */
async function removeAbandoned() {
	for (const name of await readdir(runsFolder).catch(() => [])) {
		const pid = Number(/^run-(\d+)-/.exec(name)?.[1]);
		if (pid && !isRunning(pid)) {
			await rm(join(runsFolder, name), { recursive: true, force: true });
		}
	}
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
