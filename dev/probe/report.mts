/** The report: what it has, its notes, and how it is shown on the terminal and as a page for an issue. */
import { safeName, type Differences } from './contract.mts';
import type { Answer } from './session.mts';
import type { Correction } from './variants.mts';

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

/**
 * Why a request is not confirmed.
 *
 * @param sent the names of its fields in the contract
 */
export function reasonFor(answer: Answer, sent: string[]): string {
	const { status, isSuccess, isMissingRoute, errorCode, errorFields } = answer;
	if (isFinal(answer)) return FINAL[status] ?? `The service failed with status ${status}.`;
	if (isMissingRoute) return `The service does not have this path: status ${status}.`;
	const tried = `in any format and under any name that was tried for ${sent.join(', ') || 'it'}`;
	if (isSuccess) return `Accepted with status ${status}, but without effect ${tried}.`;
	const code = errorCode === '' ? '' : ` (${safeName(errorCode)})`;
	const fields = [...new Set(errorFields.map((one) => one.replace(/\[\d*\]/g, '[]')))]
		.filter((one) => /^[\w[\].]+$/.test(one))
		.join(', ');
	const about = fields === '' ? '' : ` The error names ${fields}.`;
	return `Refused with status ${status}${code} ${tried}.${about}`;
}

// ------------------------------------------------------------------ the whole

const isDeviation = ({ verdict }: EndpointReport) =>
	verdict === 'differs' || verdict === 'no effect';

/** 0 when no request deviates, 1 when one does, 2 when the probe did not reach its end. */
export function exitCodeOf({ endedEarly, endpoints }: Report): number {
	if (endedEarly !== undefined) return 2;
	return endpoints.some(isDeviation) ? 1 : 0;
}

const LISTS = { repeated: 'repeated fields', commas: 'one text with commas', brackets: '[1,2,3]' };

/** What to send instead, and why an endpoint is not confirmed. */
function remarkOn({ correction, note = '' }: EndpointReport): string {
	if (correction === undefined) return note;
	const { format, names = {}, lists, path } = correction;
	const changes = [
		format && `as ${format === 'json' ? 'JSON' : format}`,
		...Object.entries(names).map(([ours, theirs]) => `\`${theirs}\` instead of \`${ours}\``),
		lists && `lists as ${LISTS[lists]}`,
		path && `to \`${path}\``,
	];
	return `Send ${changes.filter(Boolean).join(', ')}. ${note}`.trim();
}

/** The report as a page, for the terminal and for an issue. */
export function toMarkdown(report: Report): string {
	const { service, startedAt, seconds, requests, endedEarly, endpoints, records } = report;
	const withVerdict = (verdict: Verdict) => endpoints.filter((one) => one.verdict === verdict);
	const counts = (['confirmed', 'differs', 'no effect', 'not tried'] as const)
		.map((verdict) => `${withVerdict(verdict).length} ${verdict}`)
		.filter((count) => !count.startsWith('0 '));
	const deviations = endpoints.filter(isDeviation).map((one) => {
		const { operation, method, path, verdict } = one;
		return `${operation} (\`${method} ${path}\`): ${verdict}. ${remarkOn(one)}`;
	});
	const untried = Map.groupBy(withVerdict('not tried'), ({ note = '' }) => note);
	const differences = Object.entries(records).flatMap(([record, fields]) =>
		Object.entries(fields).map(([field, difference]) => `${record}, ${field}: ${difference}`),
	);
	const facts = Object.entries(report.facts).map(
		([name, fact]) => `${name}: \`${JSON.stringify(fact)}\``,
	);
	const namesOf = (some: EndpointReport[]) => some.map(({ operation }) => operation).join(', ');
	const section = (heading: string, lines: string[]) =>
		lines.length === 0 ? [] : ['', `## ${heading}`, '', ...lines.map((line) => `- ${line}`)];
	return [
		`# Probe of ${service}`,
		'',
		`${startedAt}, ${requests} requests in ${seconds} seconds.`,
		...(endedEarly === undefined ? [] : [`The probe did not reach its end: ${endedEarly}`]),
		`${endpoints.length} endpoints: ${counts.join(', ')}.`,
		...section('Requests that differ or have no effect', deviations),
		...section(
			'Requests that were not tried',
			[...untried].map(([note, some]) => `${namesOf(some)}: ${note}`),
		),
		...section('Requests that are confirmed', [namesOf(withVerdict('confirmed'))]),
		...section('Responses that differ from the contract', differences),
		...section('Facts', facts),
		...section('Left at the service', report.left),
		'',
	].join('\n');
}
