import { EventEmitter, once } from 'node:events';
import type { BrokenResponse } from './brokenResponses.mts';

export interface Fault {
	/** Only for this operation (`proposal.get`), on either of its paths. Default: any. */
	operationId?: string;
	/** Number of requests that fail this way; default 1. */
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

export class Faults {
	private planned: (Fault & { left: number })[] = [];

	plan(fault: Fault): void {
		this.planned.push({ ...fault, left: fault.times ?? 1 });
	}

	/** Returns the fault for a request to an operation and counts it as used; undefined without one. */
	take(operationName: string): Fault | undefined {
		const fault = this.planned.find(
			(one) => one.operationId === undefined || one.operationId === operationName,
		);
		if (fault && --fault.left <= 0) {
			this.planned = this.planned.filter((one) => one !== fault);
		}
		return fault;
	}

	clear(): void {
		this.planned = [];
	}
}

/** Holds requests, so that a test decides their order instead of waiting. */
export interface Gate {
	readonly waiting: number;
	/** Resolves when so many requests have arrived, those that went on included. */
	arrived(count: number): Promise<void>;
	/** Lets so many requests go on, in order of arrival; without a count all, and the gate is gone. */
	release(count?: number): void;
}

/** When a request is held: before it has any effect, or when only its response is missing. */
export type HoldTime = 'before' | 'after';

/** The gates of a simulator, one for an operation at a time. */
export class Gates {
	private readonly arrivals = new Map<string, (goOn: () => void) => void>();

	hold(operationId: string, when: HoldTime): Gate {
		const place = `${when} ${operationId}`;
		const held: (() => void)[] = [];
		const arrivals = new EventEmitter();
		let count = 0;
		this.arrivals.set(place, (goOn) => {
			held.push(goOn);
			count++;
			arrivals.emit('arrival');
		});
		return {
			get waiting() {
				return held.length;
			},
			async arrived(wanted) {
				while (count < wanted) await once(arrivals, 'arrival');
			},
			release: (many) => {
				if (many === undefined) this.arrivals.delete(place);
				for (const goOn of held.splice(0, many ?? held.length)) goOn();
			},
		};
	}

	async pass(operationId: string, when: HoldTime): Promise<void> {
		const arrive = this.arrivals.get(`${when} ${operationId}`);
		if (arrive) await new Promise<void>(arrive);
	}
}
