/** A node may poll once a day, and Portal.io repeats an event for less than a day. */
const UNUSED_MS = 25 * 60 * 60_000;

/**
 * States of this process by key. Nothing tells it that a workflow or an account is gone, so each use drops
 * the states that were not used for a day.
 */
export class RecentStates<T> {
	/** The states in the order of their last use, whose time comes from `performance.now()`. */
	private readonly states = new Map<string, { state: T; usedAt: number }>();
	private readonly create: () => T;

	constructor(create: () => T) {
		this.create = create;
	}

	/** Returns the state of a key, which is new if there is none. */
	get(key: string): T {
		const now = performance.now();
		for (const [unusedKey, { usedAt }] of this.states) {
			if (now - usedAt < UNUSED_MS) break;
			this.states.delete(unusedKey);
		}
		const { state } = this.states.get(key) ?? { state: this.create() };
		// Deleting it first moves the entry to the end.
		this.states.delete(key);
		this.states.set(key, { state, usedAt: now });
		return state;
	}

	delete(key: string): void {
		this.states.delete(key);
	}
}
