import { describe } from 'vitest';

/** Runs the tests of several files as part of the calling file, so they share an n8n. */
export function combineFiles(files: Record<string, () => Promise<unknown>>): void {
	for (const [name, load] of Object.entries(files)) {
		describe(name, async () => {
			await load();
		});
	}
}
