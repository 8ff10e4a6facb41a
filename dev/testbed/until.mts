import { setTimeout as sleep } from 'node:timers/promises';

/** First and longest pause between two checks. The first is short, so that quick results are seen quickly. */
const FIRST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 250;

/** Repeats `check` until it returns a value. On a timeout, fails with a description of what it waited for. */
export async function until<T>(
	what: string,
	check: () => Promise<T | undefined> | T | undefined,
	timeoutMs = 90_000,
): Promise<T> {
	const end = Date.now() + timeoutMs;
	let pauseMs = FIRST_PAUSE_MS;
	while (Date.now() < end) {
		const result = await check();
		if (result !== undefined) return result;
		await sleep(pauseMs);
		pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
	}
	throw new Error(`Timed out after ${timeoutMs / 1000} s waiting for ${what}.`);
}
