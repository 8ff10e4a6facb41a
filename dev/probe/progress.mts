/** Shows what is being asked: a line that changes on a terminal, a line for each step elsewhere. */
export function startProgress(stream: NodeJS.WriteStream) {
	let requests = 0;
	let step = '';
	const count = () => `${requests} ${requests === 1 ? 'request' : 'requests'}`;
	/** Clears the line, so that something else can be written. */
	const clear = () => {
		if (!stream.isTTY) return;
		stream.cursorTo(0);
		stream.clearLine(0);
	};
	return {
		clear,
		step(what: string) {
			step = what;
			if (!stream.isTTY) stream.write(`  ${count()} so far. Now: ${what}\n`);
		},
		request(method: string, path: string) {
			requests++;
			if (!stream.isTTY) return;
			clear();
			const line = `  ${count()}. ${step}: ${method} ${path.replace(/(?<=\/)\d+(?=\/|$)/g, '…')}`;
			// A line wider than the terminal would wrap, and leave its beginning behind.
			stream.write(line.slice(0, (stream.columns || 80) - 1));
		},
	};
}
