/** Runs requests with Vitest's fake timers. */
import { vi } from 'vitest';

export const request = { method: 'GET', path: '/x' } as const;
export const ok = { statusCode: 200, headers: {}, body: { id: 1 } };
export const unauthorized = { statusCode: 401, headers: {}, body: '' };

/** Lets pending promises settle, except those that wait for a timer. */
export async function runPromises(): Promise<void> {
	for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

/** Advances the clock until no timer is left. Returns the response or the error. */
export async function outcomeOf(sending: Promise<unknown>): Promise<unknown> {
	const outcome = sending.catch((error: Error) => error);
	await vi.runAllTimersAsync();
	return await outcome;
}
