import { describe } from 'vitest';

/** Makes the tests of several files, by their names, those of the one that calls this: they share an n8n. */
export function together(files: Record<string, () => Promise<unknown>>): void {
	for (const [name, load] of Object.entries(files)) {
		describe(name, async () => {
			await load();
		});
	}
}
