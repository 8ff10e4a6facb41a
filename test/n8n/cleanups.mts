/**
 * Cleans up after each test file that starts an n8n. Vitest loads this module before the test file, so everything that
 * the test file imports shares the list.
 */
import { afterAll } from 'vitest';

/** Cleanups that run in reverse order after the file's tests. */
export const cleanups: (() => Promise<void>)[] = [];

afterAll(async () => {
	for (const stop of cleanups.toReversed()) await stop();
});
