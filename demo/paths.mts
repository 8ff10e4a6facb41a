/** Where things lie in the clone. */
import { join, relative, resolve } from 'node:path';

/** The root of the clone. */
export const root = resolve(import.meta.dirname, '..');

/** The folder with n8n's own package.json and lock. */
export const demoFolder = import.meta.dirname;

/** The example workflows. */
export const examplesFolder = join(root, 'examples');

/** What a run of the demo or of the tests writes; git ignores it. */
export const runsFolder = join(root, '.demo');

/** A path as a person at the root of the clone would type it. */
export function fromRoot(path: string): string {
	return relative(root, path) || '.';
}
