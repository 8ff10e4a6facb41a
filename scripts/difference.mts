/** Where two texts differ. */

/** The first line that differs, for a message that does not show whole files; undefined if none does. */
export function firstDifference(written: string, expected: string): string | undefined {
	if (written === expected) return undefined;
	const [lines, others] = [written.split('\n'), expected.split('\n')];
	const at = others.findIndex((line, index) => line !== lines[index]);
	const line = at < 0 ? others.length : at;
	const shown = (text: string | undefined) => (text === undefined ? 'nothing' : `'${text}'`);
	return `line ${line + 1} is ${shown(lines[line])} and should be ${shown(others[line])}`;
}
