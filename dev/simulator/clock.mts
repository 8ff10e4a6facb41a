interface Timer {
	time: number;
	work: () => Promise<void> | void;
}

/** A timeout of Node is limited to 31 bits of milliseconds; waking early does no harm. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The clock of a simulator with its timers. It runs with the machine's, and can be moved. */
export class Clock {
	private aheadMs = 0;
	private timers: Timer[] = [];
	private timeout: NodeJS.Timeout | undefined;
	private isStopped = false;

	now(): number {
		return Date.now() + this.aheadMs;
	}

	/** The service's time in the format of its responses: ISO 8601, UTC, milliseconds. */
	iso(): string {
		return new Date(this.now()).toISOString();
	}

	/** Runs `work` at a time, in milliseconds since 1970. Returns what cancels it. */
	at(time: number, work: Timer['work']): () => void {
		const timer = { time, work };
		this.timers.push(timer);
		this.wait();
		return () => {
			this.timers = this.timers.filter((one) => one !== timer);
			this.wait();
		};
	}

	async sleep(milliseconds: number): Promise<void> {
		await new Promise<void>((resolve) => this.at(this.now() + milliseconds, resolve));
	}

	/** Moves the clock by seconds (negative: back), and does what is due on the way. */
	async advance(seconds: number): Promise<void> {
		const end = this.now() + seconds * 1000;
		for (let next; (next = this.next()) !== undefined && next.time <= end;) {
			this.aheadMs += Math.max(0, next.time - this.now());
			await this.run(next);
		}
		this.aheadMs += end - this.now();
		this.wait();
	}

	/** Ends all timers, those that are set afterwards too. */
	stop(): void {
		this.isStopped = true;
		clearTimeout(this.timeout);
	}

	private next(): Timer | undefined {
		return this.timers.toSorted((one, other) => one.time - other.time)[0];
	}

	private async run(timer: Timer): Promise<void> {
		this.timers = this.timers.filter((one) => one !== timer);
		await timer.work();
	}

	private wait(): void {
		clearTimeout(this.timeout);
		const next = this.next();
		if (this.isStopped || next === undefined) return;
		const wait = Math.min(Math.max(0, next.time - this.now()), LONGEST_TIMEOUT_MS);
		this.timeout = setTimeout(() => {
			if (next.time <= this.now()) void this.run(next);
			this.wait();
		}, wait);
		this.timeout.unref();
	}
}
