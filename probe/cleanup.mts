/** What the probe makes at the service and removes again at its end. */
import { Ended } from './service.mts';

interface Task {
	what: string;
	undo: () => Promise<boolean>;
}

/** Everything that has to be removed, whatever happens in between. */
export class Cleanup {
	private readonly tasks: Task[] = [];

	/**
	 * Remembers something to remove.
	 *
	 * @param what it is, as the beginning of a sentence
	 * @param undo removes it, and says whether that worked
	 */
	add(what: string, undo: () => Promise<boolean>): void {
		this.tasks.push({ what, undo });
	}

	/**
	 * Removes the rest, the latest first.
	 *
	 * @returns what could not be removed
	 */
	async run(): Promise<string[]> {
		const left: string[] = [];
		let isEnded = false;
		for (const { what, undo } of [...this.tasks].reverse()) {
			const isGone =
				!isEnded &&
				(await undo().catch((error: Error) => {
					// What is left is not worth waiting for a service that is gone.
					isEnded = error instanceof Ended;
					return false;
				}));
			if (!isGone) left.push(`${what} could not be removed.`);
		}
		return left;
	}
}
