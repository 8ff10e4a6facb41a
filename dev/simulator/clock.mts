type Work = () => Promise<void> | void;

/** Maximum timeout in Node (31 bits of milliseconds). Waking early does no harm, because the clock then waits again. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** A simulator's clock and timers. It follows the machine's clock, but can be set forward or back. */
export class Clock {
	private aheadMs = 0;
	/** Time at which each task is due, in milliseconds since 1970. */
	private readonly due = new Map<Work, number>();
	private timeout: NodeJS.Timeout | undefined;
	private isStopped = false;

	now(): number {
		return Date.now() + this.aheadMs;
	}

	/** Returns the service's time in the format of its responses: ISO 8601 in UTC, with milliseconds. */
	iso(): string {
		return new Date(this.now()).toISOString();
	}

	/** Schedules `work`, and replaces its previous time. Infinity cancels it. */
	at(time: number, work: Work): void {
		this.due.set(work, time);
		this.wait();
	}

	/** Sets the clock forward by seconds (back if negative), and performs everything that is due by then. */
	async advance(seconds: number): Promise<void> {
		const end = this.now() + seconds * 1000;
		for (let next; (next = this.next()) !== undefined && next[1] <= end;) {
			this.aheadMs += Math.max(0, next[1] - this.now());
			await this.run(next[0]);
		}
		this.aheadMs += end - this.now();
		this.wait();
	}

	/** Stops all timers, including those set later. */
	stop(): void {
		this.isStopped = true;
		clearTimeout(this.timeout);
	}

	private next(): [work: Work, time: number] | undefined {
		return [...this.due].sort(([, one], [, other]) => one - other)[0];
	}

	private async run(work: Work): Promise<void> {
		this.due.delete(work);
		await work();
	}

	private wait(): void {
		clearTimeout(this.timeout);
		const next = this.next();
		if (this.isStopped || next === undefined) return;
		const [work, time] = next;
		const wait = Math.min(Math.max(0, time - this.now()), LONGEST_TIMEOUT_MS);
		this.timeout = setTimeout(() => {
			if (time <= this.now()) void this.run(work);
			this.wait();
		}, wait);
		this.timeout.unref();
	}
}
