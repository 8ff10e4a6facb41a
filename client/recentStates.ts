/**
 * Time after which an unused state is dropped. It exceeds the longest usual polling interval, which is a day, and the
 * time for which Portal.io retries an event.
 */
const UNUSED_MS = 25 * 60 * 60_000;

/**
 * States in this process, by key. Nothing reports that a workflow or account is gone, so each use of any state drops
 * the states that have not been used for a day.
 */
export class RecentStates<T> {
	/** States in the order of their last use, with the time of that use by `performance.now()`. */
	private readonly states = new Map<string, { state: T; usedAt: number }>();
	private readonly create: () => T;

	constructor(create: () => T) {
		this.create = create;
	}

	/** Returns the state for a key, and creates the state if necessary. */
	get(key: string): T {
		const now = performance.now();
		for (const [unusedKey, { usedAt }] of this.states) {
			if (now - usedAt < UNUSED_MS) break;
			this.states.delete(unusedKey);
		}
		const { state } = this.states.get(key) ?? { state: this.create() };
		// Delete the entry first, so it moves to the end.
		this.states.delete(key);
		this.states.set(key, { state, usedAt: now });
		return state;
	}

	delete(key: string): void {
		this.states.delete(key);
	}
}
