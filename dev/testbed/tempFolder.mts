/** The throw-away folders in which n8n runs. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runsFolder } from './paths.mts';

/** A folder for one run. */
export interface RunFolder {
	path: string;
	/** Removes it. */
	discard(): Promise<void>;
}

/** Where to make a folder for a run, and what its name begins with. */
interface RunFolderOptions {
	parent?: string;
	prefix?: string;
}

/** Makes a new folder, so that a run finds nothing of an earlier one, and clears up after crashes. */
export async function makeRunFolder({
	parent = runsFolder,
	prefix = 'run-',
}: RunFolderOptions = {}): Promise<RunFolder> {
	await removeAbandoned(parent, prefix);
	await mkdir(parent, { recursive: true });
	const path = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
	return {
		path,
		async discard() {
			await rm(path, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

/** A run whose process was killed could not remove its folder. */
async function removeAbandoned(parent: string, prefix: string) {
	for (const name of await readdir(parent).catch(() => [])) {
		const pid = name.startsWith(prefix) && parseInt(name.slice(prefix.length), 10);
		if (pid && !isRunning(pid)) await rm(join(parent, name), { recursive: true, force: true });
	}
}

/** Whether there is a process of this ID. */
export function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
