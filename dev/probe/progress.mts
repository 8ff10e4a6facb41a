/** Shows what is being asked: a line that changes on a terminal, a line for each step elsewhere. */

/** Shows steps and requests as they begin. */
export interface Progress {
	step(what: string): void;
	request(method: string, path: string): void;
	/** Clears the line, so that something else can be written. */
	clear(): void;
}

/** A path without the IDs in it. */
const withoutIds = (path: string) => path.replace(/(?<=\/)\d+(?=\/|$)/g, '…');

export function startProgress(stream: NodeJS.WriteStream): Progress {
	let requests = 0;
	let step = '';
	const count = () => `${requests} ${requests === 1 ? 'request' : 'requests'}`;
	const clear = () => {
		if (!stream.isTTY) return;
		stream.cursorTo(0);
		stream.clearLine(0);
	};
	return {
		clear,
		step(what) {
			step = what;
			if (!stream.isTTY) stream.write(`  ${count()} so far. Now: ${what}\n`);
		},
		request(method, path) {
			requests++;
			if (!stream.isTTY) return;
			clear();
			const line = `  ${count()}. ${step}: ${method} ${withoutIds(path)}`;
			// A line wider than the terminal would wrap, and leave its beginning behind.
			stream.write(line.slice(0, (stream.columns || 80) - 1));
		},
	};
}
