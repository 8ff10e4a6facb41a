import { pause } from './concurrency';
import type { Failure } from './errors';
import { MAX_WAIT_MS } from './retry';

/** Interval at which waiting requests start. If all of them started together, they would exceed the limit again. */
const START_INTERVAL_MS = 50;

/** The rate limit of an account. Its times come from `performance.now()`, because the system clock can be set back. */
export class RateLimit {
	private pauseEnd = 0;
	private nextStart = 0;
	/** Failure that started the pause. */
	private cause: Failure = {};

	/** Pauses the account's requests after a failure. */
	holdRequests(cause: Failure, milliseconds: number): void {
		const end = performance.now() + milliseconds;
		if (end <= this.pauseEnd) return;
		this.pauseEnd = end;
		this.nextStart = end;
		this.cause = cause;
	}

	/**
	 * Waits until a request can start, or until the signal aborts. If the pause is too long to wait for, returns the
	 * failure that caused the pause, with the remaining time.
	 */
	async waitForStart(signal?: AbortSignal): Promise<Failure | undefined> {
		let awaitedEnd: number;
		do {
			const now = performance.now();
			awaitedEnd = this.pauseEnd;
			const remainingMs = awaitedEnd - now;
			if (remainingMs <= 0) return undefined;
			if (remainingMs > MAX_WAIT_MS) return { ...this.cause, retryAfterMs: remainingMs };
			const start = this.nextStart;
			this.nextStart += START_INTERVAL_MS;
			await pause(start - now, signal);
			// Wait again if another request has extended the pause.
		} while (this.pauseEnd > awaitedEnd && signal?.aborted !== true);
		return undefined;
	}
}
