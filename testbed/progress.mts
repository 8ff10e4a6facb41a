/**
 * Tells a person what is going on: one line for each step, with the time it took, and a sign of
 * life while a step is silent for long.
 */

/** Does one step and reports it. `work` may call `note` to say what it is busy with right now. */
export type Step = <T>(
	title: string,
	work: (note: (text: string) => void) => Promise<T>,
) => Promise<T>;

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const signOfLifeMs = 15_000;

/** A reporter that writes to the stream: a moving line on a terminal, plain lines elsewhere. */
export function startProgress(stream: NodeJS.WriteStream = process.stdout): Step {
	return async (title, work) => {
		const started = performance.now();
		let busyWith = '';
		const label = () => `${title}${busyWith && ` (${busyWith})`}`;
		const timer = stream.isTTY
			? setInterval(() => rewrite(stream, `${tick(started)} ${label()} ${since(started)}`), 120)
			: setInterval(() => stream.write(`  … ${label()} ${since(started)}\n`), signOfLifeMs);
		if (!stream.isTTY) stream.write(`  ${title}\n`);
		try {
			const result = await work((text) => {
				busyWith = text;
			});
			finish(stream, `✓ ${label()} ${since(started)}`);
			return result;
		} catch (error) {
			finish(stream, `✗ ${label()} ${since(started)}`);
			throw error;
		} finally {
			clearInterval(timer);
		}
	};
}

function tick(started: number): string {
	return spinner[Math.floor((performance.now() - started) / 120) % spinner.length]!;
}

function since(started: number): string {
	const seconds = (performance.now() - started) / 1000;
	if (seconds < 60) return `${seconds.toFixed(1)} s`;
	return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

function rewrite(stream: NodeJS.WriteStream, line: string) {
	stream.clearLine(0);
	stream.cursorTo(0);
	// A line wider than the terminal would wrap, and clearing one line would leave its head behind.
	stream.write(line.slice(0, (stream.columns || 80) - 1));
}

function finish(stream: NodeJS.WriteStream, line: string) {
	if (stream.isTTY) {
		stream.clearLine(0);
		stream.cursorTo(0);
	}
	stream.write(`${line}\n`);
}
