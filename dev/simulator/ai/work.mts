import type { Row } from '../database.mts';
import type { AiSchedule, Context } from '../context.mts';
import { steps } from './steps.mts';

/**
 * Moves contents, outlines and builds through their statuses as time passes. When the next step is
 * due is stored in the database (`next_step_at`).
 */
export class AiWork implements AiSchedule {
	private readonly context: Context;
	private cancelTimer = () => {};
	private isStopped = false;
	private readonly failing = new Set<string>();

	constructor(context: Context) {
		this.context = context;
	}

	/** When a step that begins now ends: milliseconds since 1970. */
	nextStepAt(): number {
		const { clock, settings } = this.context;
		return clock.now() + settings.aiStepSeconds * 1000;
	}

	/** Makes the next outline (`outlines`) or build (`builds`) that starts fail. */
	failNext(what: 'outlines' | 'builds'): void {
		this.failing.add(what);
	}

	/** Whether the one that starts now fails on purpose. Counts that failure as used. */
	takeFailure(what: 'outlines' | 'builds'): boolean {
		return this.failing.delete(what);
	}

	/** Does the steps that are due and sets the timer for the next one. */
	wake(): void {
		this.cancelTimer();
		if (this.isStopped) return;
		const { clock } = this.context;
		this.doSteps(clock.now());
		const times = this.pending().map(({ row }) => Number(row.next_step_at));
		if (times.length > 0) this.cancelTimer = clock.at(Math.min(...times), () => this.wake());
	}

	/** Does all pending steps at once, up to the last one. Returns how many there were. */
	finish(): number {
		let count = 0;
		for (let done = -1; done !== 0; count += done) done = this.doSteps(Infinity);
		this.wake();
		return count;
	}

	stop(): void {
		this.isStopped = true;
		this.cancelTimer();
	}

	private pending(): { table: string; row: Row }[] {
		return Object.keys(steps).flatMap((table) =>
			this.context.database
				.all(`SELECT * FROM ${table} WHERE next_step_at IS NOT NULL ORDER BY id`)
				.map((row) => ({ table, row })),
		);
	}

	private doSteps(until: number): number {
		const due = this.pending().filter(({ row }) => Number(row.next_step_at) <= until);
		for (const { table, row } of due) {
			this.context.database.transaction(() => this.step(table, row));
		}
		return due.length;
	}

	private step(table: string, row: Row): void {
		const { database, settings } = this.context;
		const proposal = database.get('SELECT * FROM proposals WHERE id = ?', row.proposal_id!)!;
		const after = steps[table]!(this.context, row, proposal, this.nextStepAt());
		database.update(table, row.id!, after);
		settings.log(`${table} ${row.id} of proposal ${proposal.id}: ${after.status}`);
	}
}
