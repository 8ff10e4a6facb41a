/** Runs a step. `work` can call `note` to report its current activity. */
export type Step = <T>(
	title: string,
	work: (note: (text: string) => void) => Promise<T>,
) => Promise<T>;

const signOfLifeMs = 15_000;

/** Reports a step to a person: a line at its start and end, and updates if the step takes a long time. */
export const reportStep: Step = async (title, work) => {
	const started = performance.now();
	let busyWith = '';
	const say = (mark: string) => {
		const seconds = ((performance.now() - started) / 1000).toFixed(1);
		console.log(`${mark} ${title}${busyWith && ` (${busyWith})`} ${seconds} s`);
	};
	console.log(`  ${title}`);
	const timer = setInterval(() => say('  …'), signOfLifeMs);
	try {
		const result = await work((text) => (busyWith = text));
		say('✓');
		return result;
	} catch (error) {
		say('✗');
		throw error;
	} finally {
		clearInterval(timer);
	}
};
