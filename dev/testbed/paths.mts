import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** Folder with n8n's package.json, lock file, and node_modules, without any of our own code. */
export const installationFolder = join(import.meta.dirname, 'installation');

export const loadOfN8n = createRequire(join(installationFolder, 'package.json'));

export const examplesFolder = join(root, 'examples');

/**
 * Folder for the files of a demo or test run. It is in node_modules, so linters ignore the code that n8n writes there.
 */
export const runsFolder = join(root, 'node_modules', '.cache', 'runs');

export const compileCacheFolder = join(root, 'node_modules', '.cache', 'compiled');

/** Returns a path relative to the clone's root. */
export function fromRoot(path: string): string {
	return relative(root, path) || '.';
}
