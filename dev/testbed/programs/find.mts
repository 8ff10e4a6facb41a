/** Finds programs that are not written in JavaScript: on the machine, or in packages of npm. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** A program that runs on this machine, and the environment that it needs for that. */
export interface Program {
	file: string;
	env: Record<string, string>;
}

/** A program that this machine does not have and that could not be installed. */
export class MissingProgram extends Error {
	/** @param remedy one line: how somebody gets it */
	constructor(program: string, remedy: string, cause?: unknown) {
		super(`${program} is missing. ${remedy}`, { cause });
	}
}

/** What a program needs that finds its libraries and files by itself. */
export const asItIs = (file: string): Program => ({ file, env: {} });

/** The files of these names in the folders of the PATH, and then in others. */
export function installed(names: string[], otherFolders: string[] = []): Program[] {
	const path = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
	const folders = [...path, ...otherFolders.flatMap((one) => globSync(one))];
	return names
		.flatMap((name) => folders.map((folder) => join(folder, name)))
		.filter(existsSync)
		.map(asItIs);
}

/** The first that starts: one that is there may be for another system or lack a library. */
export function firstThatRuns(programs: Program[]): Program | undefined {
	return programs.find(({ file, env }) => {
		const { status } = spawnSync(file, ['--version'], {
			env: { ...process.env, ...env },
			stdio: 'ignore',
			timeout: 60_000,
		});
		return status === 0;
	});
}

/** Fills a folder once, under another name, so that there is all of it or none. */
export async function makeOnce(folder: string, fill: (unfinished: string) => Promise<void>) {
	if (existsSync(folder)) return;
	const unfinished = `${folder}.${process.pid}`;
	await mkdir(unfinished, { recursive: true });
	try {
		await fill(unfinished);
		await rename(unfinished, folder);
	} catch (error) {
		// Another process may have been faster.
		if (!existsSync(folder)) throw error;
	} finally {
		await rm(unfinished, { recursive: true, force: true });
	}
}
