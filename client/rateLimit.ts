import { pause } from './concurrency';
import { MAX_WAIT_MS } from './retry';

/** Requests that waited for a rate limit would exceed it again if they started together. */
const START_INTERVAL_MS = 50;

/** The rate limit of an account. Its times come from `performance.now()`, because a clock can be set back. */
export class RateLimit {
	private pauseEnd = 0;
	private nextStart = 0;

	/** Lets no request of the account start for some time. */
	holdRequests(milliseconds: number): void {
		const end = performance.now() + milliseconds;
		if (end <= this.pauseEnd) return;
		this.pauseEnd = end;
		this.nextStart = end;
	}

	/**
	 * Waits until a request may start, or the signal aborts. Returns 0, or the remaining milliseconds
	 * without waiting if Portal.io requires too long a pause.
	 */
	async waitForStart(signal?: AbortSignal): Promise<number> {
		let awaitedEnd: number;
		do {
			const now = performance.now();
			awaitedEnd = this.pauseEnd;
			if (awaitedEnd <= now) return 0;
			if (awaitedEnd - now > MAX_WAIT_MS) return awaitedEnd - now;
			const start = this.nextStart;
			this.nextStart += START_INTERVAL_MS;
			await pause(start - now, signal);
			// Another request may have met the rate limit in the meantime.
		} while (this.pauseEnd > awaitedEnd && signal?.aborted !== true);
		return 0;
	}
}
