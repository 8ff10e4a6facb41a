/**
 * Works on many things, a few at a time.
 *
 * After a failure nothing new is begun; what has begun is waited for, and then the failure of the
 * foremost thing is thrown. So nobody is told that all is over while something still goes on.
 *
 * @param most how many at a time
 * @returns the results, in the order of the things
 */
export async function sideBySide<T, R>(
	things: readonly T[],
	most: number,
	work: (thing: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results = new Array<R>(things.length);
	const failures: Array<{ index: number; error: unknown }> = [];
	let next = 0;
	const worker = async () => {
		while (next < things.length && failures.length === 0) {
			const index = next++;
			await work(things[index]!, index).then(
				(result) => (results[index] = result),
				(error: unknown) => failures.push({ index, error }),
			);
		}
	};
	await Promise.all(Array.from({ length: Math.min(most, things.length) }, worker));
	const [foremost] = failures.sort((a, b) => a.index - b.index);
	if (foremost !== undefined) throw foremost.error as Error;
	return results;
}

/**
 * Lets what bears the same name happen one after the other, in the order in which it was asked for;
 * different names do not wait for each other.
 */
export class Queues {
	private readonly last = new Map<string, Promise<unknown>>();

	/** Does the work after all that was asked for under this name before. */
	async after<R>(name: string, work: () => Promise<R>): Promise<R> {
		const before = this.last.get(name) ?? Promise.resolve();
		const done = before.then(work, work);
		this.last.set(name, done);
		return await done.finally(() => {
			if (this.last.get(name) === done) this.last.delete(name);
		});
	}
}
