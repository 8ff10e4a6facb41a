/** The files that the report goes into. */
import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { UsageError } from './options.mts';

/**
 * Finds out that a file can be written before anything is asked, and leaves it as it is.
 *
 * @throws UsageError saying why not
 */
export function checkWritable(option: string, file: string): void {
	const wasThere = existsSync(file);
	try {
		closeSync(openSync(file, 'a'));
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new UsageError(`The file of --${option} cannot be written: ${REASONS[code!] ?? code}.`);
	}
	if (!wasThere) rmSync(file);
}

const REASONS: Record<string, string> = {
	EACCES: 'permission denied',
	EISDIR: 'it is a folder',
	ENOENT: 'its folder does not exist',
	ENOTDIR: 'its folder is a file',
	EROFS: 'the disk is read-only',
	ENOSPC: 'the disk is full',
};

/** @returns whether it could be written; what was learned must not be lost with it */
export function write(file: string, content: string): boolean {
	try {
		writeFileSync(file, content);
		return true;
	} catch {
		return false;
	}
}
