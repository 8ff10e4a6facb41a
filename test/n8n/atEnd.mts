/** Loaded before each file that starts an n8n, which all that the file imports share. */
import { afterAll } from 'vitest';

/** What to stop when all tests of the file have ended, the last one first. */
export const atEnd: (() => Promise<void>)[] = [];

afterAll(async () => {
	for (const stop of atEnd.toReversed()) await stop();
});
