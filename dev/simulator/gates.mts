import { EventEmitter, once } from 'node:events';

/** Holds requests, so that a test decides their order instead of waiting. */
export interface Gate {
	/** How many requests are held. */
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

	/** Holds every request to an operation from now on. */
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

	/** Waits at the gate of an operation, if there is one. */
	async pass(operationId: string, when: HoldTime): Promise<void> {
		const arrive = this.arrivals.get(`${when} ${operationId}`);
		if (arrive) await new Promise<void>(arrive);
	}
}
