/** The report as a page: what differs first, everything else to look up. */
import { meanwhileOf } from './meanwhile.mts';
import type { EndpointReport, Report } from './model.mts';
import { factRows } from './factPage.mts';
import { capital, code, differencesInWords, instead, joined, text } from './phrases.mts';
import { countsOf, deviationsOf } from './report.mts';

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
		...section('What differs', deviationsOf(report).flatMap(deviation)),
		...section('Responses', responses(report)),
		...section('Facts', facts(report)),
		...section('What was left behind', left(report)),
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
		...(deviationsOf(report).length > 0 || endedEarly !== undefined
			? []
			: ['', 'Nothing that was tried differs from what this package sends and expects.']),
	];
}

function deviation(one: EndpointReport): string[] {
	const { method, path, operation, verdict, correction, note, request } = one;
	const meanwhile = meanwhileOf(one);
	const lines = [
		...(correction === undefined ? [] : [`**${sentence(instead(one, correction))}**`]),
		...(note === undefined ? [] : [text(sentence(note))]),
		...(one.response === undefined ? [] : differencesInWords(one.response).map(sentence)),
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

function responses({ endpoints }: Report): string[] {
	const names = (all: string[]) => all.map(code).join(', ');
	const rows = endpoints.flatMap(({ operation, response }) => {
		if (response === undefined) return [];
		const { added, absent, types, status } = response;
		if (added.length + absent.length + types.length === 0) return [];
		return [[operation, String(status), names(absent), names(types), names(added)]];
	});
	if (rows.length === 0) return [];
	return table(['operation', 'status', 'missing', 'other values', 'not in the contract'], rows);
}

const facts = (report: Report) => {
	const rows = factRows(report.facts);
	return rows.length === 0 ? [] : table(['', ''], rows);
};

const left = (report: Report) =>
	report.left.length === 0
		? ['Nothing.']
		: ['No endpoint deletes these:', '', ...list(report.left.map(text))];

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
