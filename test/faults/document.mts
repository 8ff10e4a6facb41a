/** The table of docs/reliability.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { KINDS, type Call, type Kind } from '../wire/calls.mts';
import { faultCases, type Outcome } from './faults.mts';

type Outcomes = Map<string, { call: Call; outcomes: Outcome[] }>;

const file = new URL('../../docs/reliability.md', import.meta.url);
const block = /(<!-- matrix:[^]*?-->\n)([^]*?)(\n<!-- matrix end -->)/;

const TITLES: Record<Kind, string> = {
	read: 'reads',
	set: 'sets a value',
	delete: 'deletes',
	create: 'creates',
	upload: 'uploads',
};

/** Requests sent, with logins; then what the user sees, what the service holds, and the warning. */
function cell({ sees, sent, logins, held, doubt }: Outcome): string {
	const requests = logins === 0 ? `${sent}` : `${sent}+${logins}`;
	const isGood = sees === 'a result';
	const warning = { '': '', harmless: ' ↻', twice: ' ⚠' }[doubt];
	return `${isGood ? '✓' : '✗'} ${requests} ${held === 'done' ? '●' : held === 'nothing' ? '○' : '?'}${warning}`;
}

function table(outcomes: Outcomes): string {
	const all = [...outcomes.entries()].sort(([left], [right]) => (left < right ? -1 : 1));
	const ofKind = (kind: Kind) => all.filter(([, { call }]) => call.kind === kind);
	const members = KINDS.map(
		(kind) =>
			`- **${TITLES[kind]}** (${ofKind(kind).length}): ${ofKind(kind)
				.map(([name]) => `\`${name}\``)
				.join(', ')}`,
	);
	const rows = faultCases.map(({ name }, index) => {
		const cells = KINDS.map((kind) => {
			const cellsOfKind = ofKind(kind).map(([, one]) => cell(one.outcomes[index]!));
			// Operations of a kind behave alike, or the difference is shown.
			return [...new Set(cellsOfKind)].join('; ');
		});
		const messages = new Set(
			all.map(([, one]) => one.outcomes[index]!.sees).filter((sees) => sees !== 'a result'),
		);
		return `| ${[name, ...cells, [...messages].sort().join('; ')].join(' | ')} |`;
	});
	const head = ['fault', ...KINDS.map((kind) => TITLES[kind]), 'message'];
	return [
		...members,
		'',
		`| ${head.join(' | ')} |`,
		`|${head.map(() => '---').join('|')}|`,
		...rows,
	].join('\n');
}

/** The table as it stands in the document, and as it came out of this run. */
export function readTable(outcomes: Outcomes): { written: string; current: string } {
	const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
	return { written: block.exec(text)?.[2] ?? '', current: table(outcomes) };
}

/** Writes what came out of this run into the document. */
export function writeTable(outcomes: Outcomes): void {
	const text = readFileSync(file, 'utf8');
	const current = table(outcomes);
	writeFileSync(
		file,
		text.replace(block, (_all, start: string, _old, end: string) => start + current + end),
	);
}
