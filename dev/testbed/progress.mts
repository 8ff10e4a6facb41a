/** Tells a person what is going on: a line at the start and the end of a step, and while it takes long. */

/** Does one step and reports it. `work` may call `note` to say what it is busy with right now. */
export type Step = <T>(
	title: string,
	work: (note: (text: string) => void) => Promise<T>,
) => Promise<T>;

const signOfLifeMs = 15_000;

export function startProgress(): Step {
	return async (title, work) => {
		const started = performance.now();
		let busyWith = '';
		const say = (mark: string) => {
			const seconds = ((performance.now() - started) / 1000).toFixed(1);
			console.log(`${mark} ${title}${busyWith && ` (${busyWith})`} ${seconds} s`);
		};
		console.log(`  ${title}`);
		const timer = setInterval(() => say('  …'), signOfLifeMs);
		try {
			const result = await work((text) => {
				busyWith = text;
			});
			say('✓');
			return result;
		} catch (error) {
			say('✗');
			throw error;
		} finally {
			clearInterval(timer);
		}
	};
}
