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

class OperationGate implements Gate {
	readonly operationId: string;
	readonly when: HoldTime;
	isOpen = false;
	#held: (() => void)[] = [];
	#count = 0;
	#awaited: { count: number; resolve: () => void }[] = [];

	constructor(operationId: string, when: HoldTime) {
		this.operationId = operationId;
		this.when = when;
	}

	get waiting(): number {
		return this.#held.length;
	}

	async arrived(count: number): Promise<void> {
		await new Promise<void>((resolve) => {
			this.#awaited.push({ count, resolve });
			this.#tell();
		});
	}

	release(count?: number): void {
		this.isOpen ||= count === undefined;
		for (const goOn of this.#held.splice(0, count ?? this.#held.length)) goOn();
	}

	async pass(): Promise<void> {
		await new Promise<void>((resolve) => {
			this.#held.push(resolve);
			this.#count++;
			this.#tell();
		});
	}

	#tell(): void {
		const told = this.#awaited.filter(({ count }) => count <= this.#count);
		this.#awaited = this.#awaited.filter((one) => !told.includes(one));
		for (const { resolve } of told) resolve();
	}
}

/** The gates of a simulator. */
export class Gates {
	#gates: OperationGate[] = [];

	/** Holds every request to an operation from now on. */
	hold(operationId: string, when: HoldTime): Gate {
		const gate = new OperationGate(operationId, when);
		this.#gates.push(gate);
		return gate;
	}

	/** Waits at the gate of an operation, if there is one. */
	async pass(operationId: string, when: HoldTime): Promise<void> {
		this.#gates = this.#gates.filter(({ isOpen }) => !isOpen);
		const gate = this.#gates.find((one) => one.operationId === operationId && one.when === when);
		await gate?.pass();
	}
}
