/** The report: what it has, its notes, and how it is shown on the terminal and as a page for an issue. */
import { safeName, type Differences } from './contract.mts';
import type { Answer } from './session.mts';
import type { Correction } from './ways.mts';

export type Verdict = 'confirmed' | 'differs' | 'no effect' | 'not tried';

export interface EndpointReport {
	/** Its `operationId` in the contract. */
	operation: string;
	method: string;
	path: string;
	verdict: Verdict;
	correction?: Correction;
	note?: string;
}

/** What the probe found out. It has no value of the account by construction. */
export interface Report {
	/** The base URL of the service. */
	service: string;
	startedAt: string;
	seconds: number;
	requests: number;
	/** Why the probe stopped before its end; absent when it did not. */
	endedEarly?: string;
	endpoints: EndpointReport[];
	/** How responses differ from the contract. */
	records: Differences;
	/** Plain values that cannot hold one of the account. */
	facts: Record<string, unknown>;
	/** What the service has now that was not there before. */
	left: string[];
}

// ------------------------------------------------------------------ notes

export const READ_ONLY = 'It changes something, and --read-only allows only reads.';
export const NEEDS_AI = 'It needs the option --ai.';

/** Statuses that no other name or format changes. */
const FINAL: Record<number, string> = {
	0: 'The response could not be read.',
	401: 'Refused with status 401, also with a new key.',
	403: 'Refused with status 403: this user does not have the permission.',
	409: 'Refused with status 409: the state of the proposal does not allow it.',
};

export const isFinal = ({ status }: Answer) => status in FINAL || status >= 500;

/** Why a request is not confirmed. */
export function reasonFor(answer: Answer): string {
	const { status, isSuccess, isMissingRoute, errorCode, errorFields } = answer;
	if (isFinal(answer)) return FINAL[status] ?? `The service failed with status ${status}.`;
	if (isMissingRoute) return `The service does not have this path: status ${status}.`;
	if (isSuccess) return `Accepted with status ${status}, but nothing changed, whatever was tried.`;
	const code = errorCode === '' ? '' : ` (${safeName(errorCode)})`;
	const fields = [...new Set(errorFields.map((one) => one.replace(/\[\d*\]/g, '[]')))]
		.filter((one) => /^[\w[\].]+$/.test(one))
		.join(', ');
	const about = fields === '' ? '' : ` The error names ${fields}.`;
	return `Refused with status ${status}${code}, whatever was tried.${about}`;
}

// ------------------------------------------------------------------ the whole

const isDeviation = ({ verdict }: EndpointReport) =>
	verdict === 'differs' || verdict === 'no effect';

/** 0 when no request deviates, 1 when one does, 2 when the probe did not reach its end. */
export function exitCodeOf({ endedEarly, endpoints }: Report): number {
	if (endedEarly !== undefined) return 2;
	return endpoints.some(isDeviation) ? 1 : 0;
}

const code = (text: string) => `\`${text}\``;

const LISTS = { repeated: 'repeated fields', commas: 'one text with commas', brackets: '[1,2,3]' };

/** What to send instead, and why an endpoint is not confirmed. */
function remarkOn({ correction, note = '' }: EndpointReport): string {
	if (correction === undefined) return note;
	const { format, names = {}, lists, path } = correction;
	const changes = [
		...(format === undefined ? [] : [`as ${format === 'json' ? 'JSON' : format}`]),
		...Object.entries(names).map(([ours, theirs]) => `${code(theirs)} instead of ${code(ours)}`),
		...(lists === undefined ? [] : [`lists as ${LISTS[lists]}`]),
		...(path === undefined ? [] : [`to ${code(path)}`]),
	];
	return `Send ${changes.join(', ')}. ${note}`.trim();
}

function headlineOf({ endedEarly, endpoints }: Report): string {
	const counts = (['confirmed', 'differs', 'no effect', 'not tried'] as const)
		.map((verdict) => ({ verdict, of: endpoints.filter((one) => one.verdict === verdict).length }))
		.filter((count) => count.of > 0)
		.map((count) => `${count.of} ${count.verdict}`);
	const end = endedEarly === undefined ? '' : `The probe did not reach its end: ${endedEarly} `;
	return `${end}${endpoints.length} endpoints: ${counts.join(', ')}.`;
}

const recordLines = ({ records }: Report): string[] =>
	Object.entries(records).flatMap(([record, fields]) =>
		Object.entries(fields).map(([field, difference]) => `${record}, ${field}: ${difference}`),
	);

/** What the command prints at its end. */
export function summaryOf(report: Report): string {
	const { endpoints, endedEarly, left, requests, seconds } = report;
	const isLeftOut = ({ note }: EndpointReport) => [READ_ONLY, NEEDS_AI, endedEarly].includes(note);
	const untried = endpoints.filter((one) => one.verdict === 'not tried' && !isLeftOut(one));
	const lineOf = (one: EndpointReport) =>
		`${one.operation}: ${one.verdict}. ${remarkOn(one).replaceAll('`', '')}`;
	const block = (heading: string, lines: string[]) =>
		lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `  ${line}`)];
	return [
		headlineOf(report),
		`${requests} requests in ${seconds} seconds.`,
		...block('Requests that differ or have no effect', endpoints.filter(isDeviation).map(lineOf)),
		...block('Could not be tried', untried.map(lineOf)),
		...block('Responses that differ from the contract', recordLines(report)),
		...block('Left at the service', left),
		'',
	].join('\n');
}

/** The page for an issue. */
export function toMarkdown(report: Report): string {
	const rows = report.endpoints.map(
		(one) =>
			`| ${one.operation} | ${code(`${one.method} ${one.path}`)} | ${one.verdict} | ${remarkOn(one)} |`,
	);
	const facts = Object.entries(report.facts).map(
		([name, fact]) => `${name}: ${code(JSON.stringify(fact))}`,
	);
	const section = (heading: string, lines: string[]) =>
		lines.length === 0 ? [] : ['', `## ${heading}`, '', ...lines.map((line) => `- ${line}`)];
	return [
		`# Probe of ${report.service}`,
		'',
		`${report.startedAt}, ${report.requests} requests. ${headlineOf(report)}`,
		'',
		'## Endpoints',
		'',
		'| operation | request | verdict | remark |',
		'|---|---|---|---|',
		...rows,
		...section('Responses that differ from the contract', recordLines(report)),
		...section('Facts', facts),
		...section('Left at the service', report.left),
		'',
	].join('\n');
}
