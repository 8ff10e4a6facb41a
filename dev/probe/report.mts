/** The report in words: for the terminal, and as a page to paste into an issue. */
import type { Correction, EndpointReport, Report } from './model.mts';
import { LEFT_OUT } from './reasons.mts';

const VERDICTS = ['confirmed', 'differs', 'no effect', 'not tried'] as const;

const code = (text: string) => `\`${text}\``;

export const isDeviation = ({ verdict }: EndpointReport) =>
	verdict === 'differs' || verdict === 'no effect';

/** 0 when no request deviates, 1 when one does, 2 when the probe did not reach its end. */
export function exitCodeOf({ endedEarly, endpoints }: Report): number {
	if (endedEarly !== undefined) return 2;
	return endpoints.some(isDeviation) ? 1 : 0;
}

const LISTS = { repeated: 'repeated fields', commas: 'one text with commas', brackets: '[1,2,3]' };

/** What to send instead, in a sentence without a period. */
export function inWords({ format, names = {}, lists, path }: Correction): string {
	const renamed = Object.entries(names).map(
		([ours, theirs]) => `${code(theirs)} instead of ${code(ours)}`,
	);
	return [
		...(format === undefined ? [] : [format === 'json' ? 'as JSON' : `as ${code(format)}`]),
		...renamed,
		...(lists === undefined ? [] : [`lists as ${LISTS[lists]}`]),
		...(path === undefined ? [] : [`to ${code(path)}`]),
	].join(', ');
}

/** What an endpoint needs, or why it is not confirmed. */
export const remarkOn = ({ correction, note }: EndpointReport): string =>
	[...(correction === undefined ? [] : [`Send ${inWords(correction)}.`]), note ?? '']
		.join(' ')
		.trim();

function countsOf({ endpoints }: Report): string {
	const counts = VERDICTS.map(
		(verdict) => [verdict, endpoints.filter((one) => one.verdict === verdict).length] as const,
	);
	return counts
		.filter(([, count]) => count > 0)
		.map(([verdict, count]) => `${count} ${verdict}`)
		.join(', ');
}

const headline = (report: Report) => [
	...(report.endedEarly === undefined
		? []
		: [`The probe did not reach its end: ${report.endedEarly}`]),
	`${report.endpoints.length} endpoints: ${countsOf(report)}.`,
];

const recordLines = ({ records }: Report): string[] =>
	Object.entries(records).flatMap(([record, fields]) =>
		Object.entries(fields).map(([field, difference]) => `${record}.${field}: ${difference}`),
	);

const block = (heading: string, lines: string[]) =>
	lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `  ${line}`)];

const endpointLine = (one: EndpointReport) =>
	`${one.operation}: ${one.verdict}. ${remarkOn(one).replaceAll('`', '')}`;

/** What options did not leave out, unless an early end is the reason for all of it. */
const untriedIn = ({ endpoints, endedEarly }: Report) =>
	endedEarly !== undefined
		? []
		: endpoints.filter(
				({ verdict, note = '' }) => verdict === 'not tried' && !LEFT_OUT.includes(note),
			);

/** What the command prints at its end. */
export const summaryOf = (report: Report): string =>
	[
		...headline(report),
		`${report.requests} requests in ${report.seconds} seconds.`,
		...block(
			'Requests that differ or have no effect',
			report.endpoints.filter(isDeviation).map(endpointLine),
		),
		...block('Could not be tried', untriedIn(report).map(endpointLine)),
		...block('Responses that differ from the contract', recordLines(report)),
		...block('Left at the service', report.left),
		'',
	].join('\n');

const section = (heading: string, lines: string[]) =>
	lines.length === 0 ? [] : ['', `## ${heading}`, '', ...lines];

/** The page for an issue. */
export function toMarkdown(report: Report): string {
	const rows = report.endpoints.map(
		(one) =>
			`| ${one.operation} | ${code(`${one.method} ${one.path}`)} | ${one.verdict} | ${remarkOn(one)} |`,
	);
	const facts = Object.entries(report.facts).map(
		([name, fact]) => `- ${name}: ${code(JSON.stringify(fact))}`,
	);
	return [
		`# Probe of ${report.service}`,
		'',
		`${report.startedAt}, ${report.requests} requests. ${headline(report).join(' ')}`,
		...section('Endpoints', [
			'| operation | request | verdict | remark |',
			'|---|---|---|---|',
			...rows,
		]),
		...section(
			'Responses',
			recordLines(report).map((line) => `- ${line}`),
		),
		...section('Facts', facts),
		...section(
			'Left at the service',
			report.left.map((line) => `- ${line}`),
		),
		'',
	].join('\n');
}
