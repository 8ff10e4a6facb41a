import type { BrokenResponse } from './brokenResponses.mts';

/** A failure on purpose. */
export interface Fault {
	/** Only for this operation (`proposal.get`), on either of its paths. Default: any. */
	operationId?: string;
	/** How many requests fail this way; default 1. */
	times?: number;
	/** Status of the response. Default 500. */
	status?: number;
	headers?: Record<string, string>;
	/** Text is sent unchanged, anything else as JSON. Default: an HttpError body for the status. */
	body?: unknown;
	/**
	 * `before` (default): the request has no effect. `after`: it is processed, but its response is
	 * lost, as in a timeout at the wrong moment.
	 */
	when?: 'before' | 'after';
	/** Close the connection without a response. */
	disconnect?: boolean;
	/** Process the request, but send a broken response. */
	brokenResponse?: BrokenResponse;
	/** Nothing fails, but all user keys expire when the request arrives. */
	expireKeys?: boolean;
}

/** The planned faults, in order. */
export class Faults {
	private planned: (Fault & { left: number })[] = [];

	/** Plans a fault. */
	plan(fault: Fault): void {
		this.planned.push({ ...fault, left: fault.times ?? 1 });
	}

	/**
	 * Returns the fault for a request to an operation and counts it as used; undefined without one.
	 */
	take(operationName: string): Fault | undefined {
		const fault = this.planned.find(
			(one) => one.operationId === undefined || one.operationId === operationName,
		);
		if (fault && --fault.left <= 0) {
			this.planned = this.planned.filter((one) => one !== fault);
		}
		return fault;
	}

	/** Drops all planned faults. */
	clear(): void {
		this.planned = [];
	}
}
