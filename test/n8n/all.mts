/**
 * All files of this folder as one. Vitest would spread them over its workers, and each worker would
 * start an n8n, which takes longer than most tests.
 */
import { describe } from 'vitest';

const files = import.meta.glob('./**/*.test.mts');
for (const [name, load] of Object.entries(files)) {
	describe(name, async () => {
		await load();
	});
}
