/** The table of docs/dev/faults.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { kindTitles, type Kind } from '../wire/calls.mts';
import { faultCases, type Outcome } from './faults.mts';

const file = new URL('../../docs/dev/faults.md', import.meta.url);
const block = /(<!-- matrix:[^]*?-->\n)([^]*?)(\n<!-- matrix end -->)/;

/** Requests sent, with logins; then what the user sees, what the service holds, and the warning. */
function cell({ sees, sent, logins, held, doubt }: Outcome): string {
	const requests = logins === 0 ? `${sent}` : `${sent}+${logins}`;
	const isGood = sees === 'a result';
	const warning = { '': '', harmless: ' ↻', twice: ' ⚠' }[doubt];
	return `${isGood ? '✓' : '✗'} ${requests} ${held === 'done' ? '●' : held === 'nothing' ? '○' : '?'}${warning}`;
}

/** The table of what is expected: the tests hold every operation to what is expected of its kind. */
function table(): string {
	const kinds = Object.keys(kindTitles) as Kind[];
	const results = faultCases.map(({ name, row = name, expected }) => {
		return { row, result: kinds.map((kind) => cell(expected[kind])).join(' | ') };
	});
	// Faults with the same result share a row.
	const rows = Object.entries(Object.groupBy(results, ({ result }) => result)).map(
		([result, faults]) =>
			`| ${[...new Set(faults!.map(({ row }) => row))].join('; ')} | ${result} |`,
	);
	const head = ['fault', ...kinds.map((kind) => kindTitles[kind])];
	return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows].join('\n');
}

/** The table as it stands in the document, and as it should, in lines. */
export function readTable(): { written: string[]; expected: string[] } {
	const written = block.exec(readFileSync(file, 'utf8'))?.[2] ?? '';
	return { written: written.split('\n'), expected: table().split('\n') };
}

/** Writes the table into the document. */
export function writeTable(): void {
	const text = readFileSync(file, 'utf8');
	const replace = (_all: string, start: string, _old: string, end: string) => start + table() + end;
	writeFileSync(file, text.replace(block, replace));
}
