/** The service's clock: the machine's clock plus an offset that a test can set. */
export class Clock {
	#offsetMs = 0;

	/** Sets how far the service's clock is ahead of the machine's (negative: behind), in seconds. */
	setOffset(seconds: number): void {
		this.#offsetMs = seconds * 1000;
	}

	/** The service's time in milliseconds since 1970. */
	now(): number {
		return Date.now() + this.#offsetMs;
	}

	/** The service's time in the format of its responses: ISO 8601, UTC, milliseconds. */
	iso(): string {
		return new Date(this.now()).toISOString();
	}
}
