import { sleep } from 'n8n-workflow';

/**
 * The speed of this process toward one account. When Portal.io reports that a rate limit is reached,
 * all requests of that account wait, not only the one that was refused. They then start with an
 * interval between them that shrinks as they succeed.
 */
interface Pace {
	/** When the next request may start, in milliseconds since 1970. */
	nextStart: number;
	/** The least time between the starts of two requests, in milliseconds. */
	interval: number;
	/** Until when the service asked not to be asked, in milliseconds since 1970. */
	restsUntil: number;
	/** When the interval last grew. Requests that are refused together count once. */
	grewAt: number;
}

const MIN_INTERVAL_MS = 25;
const MAX_INTERVAL_MS = 1000;
const SAME_INCIDENT_MS = 1000;

/** By account ID. An account that was never throttled has no entry. */
const paces = new Map<string, Pace>();

/** How long an account still rests because the service asked for it, in milliseconds. */
export const restOf = (accountId: string) =>
	Math.max(0, (paces.get(accountId)?.restsUntil ?? 0) - Date.now());

/** Waits until a request of an account may start; returns at once without throttling. */
export async function waitForSlot(
	accountId: string,
	signal: AbortSignal | undefined,
): Promise<void> {
	const pace = paces.get(accountId);
	if (pace === undefined) return;
	const now = Date.now();
	const start = Math.max(now, pace.nextStart);
	pace.nextStart = start + pace.interval;
	if (start > now) await pause(start - now, signal);
}

/**
 * Slows an account down after Portal.io reported a rate limit.
 *
 * @param milliseconds no request starts for so long
 */
export function throttle(accountId: string, milliseconds: number): void {
	const now = Date.now();
	const pace = paces.get(accountId) ?? { nextStart: 0, interval: 0, restsUntil: 0, grewAt: 0 };
	pace.restsUntil = Math.max(pace.restsUntil, now + milliseconds);
	pace.nextStart = Math.max(pace.nextStart, pace.restsUntil);
	if (now - pace.grewAt > SAME_INCIDENT_MS) {
		const doubled = Math.max(MIN_INTERVAL_MS, pace.interval * 2);
		pace.interval = Math.min(MAX_INTERVAL_MS, doubled);
		pace.grewAt = now;
	}
	paces.set(accountId, pace);
}

/** Speeds an account up a little after a request succeeded. */
export function recover(accountId: string): void {
	const pace = paces.get(accountId);
	if (pace !== undefined) pace.interval *= 0.8;
}

/** Waits; returns early when the execution is stopped. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal?.aborted) return;
	let stop = () => {};
	const stopped = new Promise<void>((resolve) => (stop = resolve));
	signal?.addEventListener('abort', stop);
	await Promise.race([sleep(milliseconds), stopped]);
	signal?.removeEventListener('abort', stop);
}
