import { sleep } from 'n8n-workflow';

/**
 * How fast this process may send to a service. When the service throttles, all requests to it wait,
 * not only the one that was told, and go out with a distance that shrinks again as they succeed.
 */
interface Pace {
	/** When the next request may start, in milliseconds since 1970. */
	next: number;
	/** The least time between the starts of two requests, in milliseconds. */
	distance: number;
	/** When the distance last grew: what is throttled at one time counts as once. */
	grewAt: number;
}

const SHORTEST_DISTANCE = 25;
const LONGEST_DISTANCE = 1000;
const ONE_TIME = 1000;

/** By base URL. */
const paces = new Map<string, Pace>();

/** Waits until a request may start. Without throttling there is nothing to wait for. */
export async function turn(baseUrl: string, signal: AbortSignal | undefined): Promise<void> {
	const pace = paces.get(baseUrl);
	if (pace === undefined) return;
	const now = Date.now();
	const start = Math.max(now, pace.next);
	pace.next = start + pace.distance;
	if (start > now) await pause(start - now, signal);
}

/** The service asked for fewer requests: nothing starts for a while, and then further apart. */
export function slowDown(baseUrl: string, milliseconds: number): void {
	const now = Date.now();
	const pace = paces.get(baseUrl) ?? { next: 0, distance: 0, grewAt: 0 };
	pace.next = Math.max(pace.next, now + milliseconds);
	if (now - pace.grewAt > ONE_TIME) {
		pace.distance = Math.min(LONGEST_DISTANCE, Math.max(SHORTEST_DISTANCE, pace.distance * 2));
		pace.grewAt = now;
	}
	paces.set(baseUrl, pace);
}

/** A request succeeded: the next ones may follow a little closer. */
export function speedUp(baseUrl: string): void {
	const pace = paces.get(baseUrl);
	if (pace === undefined) return;
	pace.distance *= 0.8;
	if (pace.distance < 5 && pace.next <= Date.now()) paces.delete(baseUrl);
}

/** Waits, but not beyond the stop of the execution. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal?.aborted) return;
	let stop: (() => void) | undefined;
	const stopped = new Promise<void>((resolve) => {
		stop = resolve;
		signal?.addEventListener('abort', resolve as () => void);
	});
	await Promise.race([sleep(milliseconds), stopped]);
	if (stop !== undefined) signal?.removeEventListener('abort', stop);
}
