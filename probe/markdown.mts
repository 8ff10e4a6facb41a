/** The report as a page: what differs first, everything else to look up. */
import { meanwhileOf } from './meanwhile.mts';
import type { Report } from './model.mts';
import { factRows } from './factPage.mts';
import { capital, code, instead, joined, text } from './phrases.mts';
import { countsOf, exitCodeOf, leftIn, untriedOf } from './report.mts';
import { ownDeviations, sharedIn, sharedInWords, type Deviation } from './shared.mts';

const cell = (markdown: string) => markdown.replaceAll('\n', ' ').replace(/(?<!\\)\|/g, '\\|');

const row = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;

const table = (heads: string[], rows: string[][]) => [
	row(...heads),
	`|${heads.map(() => '---').join('|')}|`,
	...rows.map((cells) => row(...cells)),
];

const section = (heading: string, lines: string[]) =>
	lines.length === 0 ? [] : [`## ${heading}`, '', ...lines, ''];

const list = (lines: string[]) => lines.map((line) => `- ${line}`);

const sentence = (words: string) => (/[.!?…]$/.test(words) ? capital(words) : `${capital(words)}.`);

/** The file for `--markdown`. */
export function toMarkdown(report: Report): string {
	return [
		'# What the Portal.io API does',
		'',
		...summary(report),
		'',
		...section('What differs', deviations(report)),
		...section('What could not be tried', untried(report)),
		...section('Responses', responses(report)),
		...section('Facts', facts(report)),
		...section('What was left behind', left(report)),
		...section('What should be gone and is not', list(leftIn(report).failed.map(text))),
		...section('What to change', list(report.changes)),
		...section('All endpoints', endpoints(report)),
		'The report holds names, types and statuses, and no value of the account. How to read it and what to do with it: `docs/probe.md`.',
		'',
	].join('\n');
}

function summary(report: Report): string[] {
	const { service, startedAt, requests, seconds, endedEarly } = report;
	const begun = `${startedAt.slice(0, 10)} at ${startedAt.slice(11, 16)} UTC`;
	return [
		`**${report.endpoints.length} endpoints: ${countsOf(report)}.**`,
		'',
		`Asked ${code(service)} on ${begun}: ${requests} requests in ${Math.round(seconds)} seconds.`,
		...(endedEarly === undefined
			? []
			: [
					'',
					`**The probe did not reach its end:** ${text(sentence(endedEarly))} What it had learned until then is below.`,
				]),
		...(exitCodeOf(report) === 0
			? ['', 'All that the options of this run allow was tried, and nothing differs.']
			: []),
	];
}

/** What several responses have alike stands once; the table of responses names them. */
function deviations(report: Report): string[] {
	const shared = sharedIn(report).map((one) => sentence(sharedInWords(one)));
	return [
		...(shared.length === 0 ? [] : ['### Several responses', '', ...list(shared), '']),
		...ownDeviations(report).flatMap(deviation),
	];
}

/** After an early end, that is the reason for all of them. */
const untried = (report: Report) =>
	report.endedEarly === undefined
		? list(untriedOf(report).map(({ operation, note = '' }) => `${operation}: ${text(note)}`))
		: [];

function deviation({ one, differences }: Deviation): string[] {
	const { method, path, operation, verdict, correction, note, request } = one;
	const meanwhile = meanwhileOf(one);
	const lines = [
		...(correction === undefined ? [] : [`**${sentence(instead(one, correction))}**`]),
		...(note === undefined ? [] : [text(sentence(note))]),
		...differences.map(sentence),
		...(request === undefined || Object.keys(request.fields).length === 0
			? []
			: [
					`Tried first, as ${request.format === 'form' ? 'a form' : request.format === 'json' ? 'JSON' : request.format}: ${fieldsInWords(request.fields)}.`,
				]),
		...(meanwhile === undefined
			? []
			: [`Until then, ${sentence(meanwhile).replace(/^./, (first) => first.toLowerCase())}`]),
	];
	return [`### ${operation}: ${verdict}`, '', code(`${method} ${path}`), '', ...list(lines), ''];
}

const fieldsInWords = (fields: Record<string, string>) =>
	joined(Object.entries(fields).map(([name, type]) => `${code(name)} (${text(type)})`));

/** Each difference stands once, with the operations whose responses have it. */
function responses({ endpoints }: Report): string[] {
	const kinds = { absent: 'missing', types: 'other values', added: 'not in the contract' };
	const rows = Object.entries(kinds).flatMap(([kind, words]) => {
		const found = endpoints.flatMap(({ operation, response }) =>
			(response?.[kind as keyof typeof kinds] ?? []).map((field) => ({ field, operation })),
		);
		const groups = Object.groupBy(found, ({ field }) => field);
		return Object.entries(groups).map(([field, all]) => [
			code(field),
			words,
			String(all!.length),
			all!.map(({ operation }) => operation).join(', '),
		]);
	});
	if (rows.length === 0) return [];
	return table(['field', '', 'responses', 'of'], rows);
}

const facts = (report: Report) => {
	const rows = factRows(report.facts);
	return rows.length === 0 ? [] : table(['', ''], rows);
};

function left(report: Report): string[] {
	const { lasting } = leftIn(report);
	if (report.left.length === 0) return ['Nothing.'];
	return lasting.length === 0 ? [] : ['No endpoint deletes these:', '', ...list(lasting.map(text))];
}

const endpoints = ({ endpoints: all }: Report) =>
	table(
		['endpoint', 'operation', 'verdict', ''],
		all.map(({ method, path, operation, verdict, note = '' }) => [
			code(`${method} ${path}`),
			operation,
			verdict === 'confirmed' ? verdict : `**${verdict}**`,
			text(note),
		]),
	);
