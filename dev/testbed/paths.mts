import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** The folder with n8n's package.json, lock and node_modules, and no code of our own. */
export const installationFolder = join(import.meta.dirname, 'installation');

export const loadOfN8n = createRequire(join(installationFolder, 'package.json'));

export const examplesFolder = join(root, 'examples');

/** The files of a demo or test run, outside the linters' reach, because n8n brings its own code. */
export const runsFolder = join(root, 'node_modules', '.cache', 'runs');

export const compileCacheFolder = join(root, 'node_modules', '.cache', 'compiled');

/** A path as a person at the root of the clone would type it. */
export function fromRoot(path: string): string {
	return relative(root, path) || '.';
}
