import type { Spoil } from './spoil.mts';

/** A failure to be had on purpose. */
export interface Fault {
	/** Only for this operation (`proposal.get`); its alternate path counts too. Default: any. */
	operationId?: string;
	/** How many requests fail so; default 1. */
	times?: number;
	/** Status of the answer. Default 500. */
	status?: number;
	headers?: Record<string, string>;
	/** Text is sent as it is, anything else as JSON; default: an HttpError body for the status. */
	body?: unknown;
	/**
	 * `before` (default): the request has no effect. `after`: it has, only its answer is lost, which
	 * is what a time-out at the wrong moment looks like from outside.
	 */
	when?: 'before' | 'after';
	/** Close the connection without an answer. */
	disconnect?: boolean;
	/** Hold the answer back, milliseconds. */
	delayMs?: number;
	/** The request has its effect, and something is wrong with its answer. */
	spoil?: Spoil;
	/** Nothing fails, but every user key given so far ends as the request comes in. */
	expireKeys?: boolean;
}

/** The faults that are still to be had, first come, first served. */
export class Faults {
	#planned: (Fault & { left: number })[] = [];

	/** Plans a fault. */
	plan(fault: Fault): void {
		this.#planned.push({ ...fault, left: fault.times ?? 1 });
	}

	/** The fault for a request to an operation, counted as had; undefined: none. */
	take(operationName: string): Fault | undefined {
		const fault = this.#planned.find(
			(one) => one.operationId === undefined || one.operationId === operationName,
		);
		if (fault && --fault.left <= 0) {
			this.#planned = this.#planned.filter((one) => one !== fault);
		}
		return fault;
	}

	/** Drops everything planned. */
	clear(): void {
		this.#planned = [];
	}
}
