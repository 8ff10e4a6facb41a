/** The report: what it has, its notes, and how it is shown on the terminal and as a page for an issue. */
import { safeName, type Differences } from './compare.mts';
import { lastPart, type Correction, type Variant } from './request.mts';
import type { Answer } from './session.mts';

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
	/** How what the service says of itself differs; absent when it says nothing. */
	description?: string[];
	/** What the service has now that was not there before. */
	left: string[];
}

// ------------------------------------------------------------------ notes

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
 * @param missing what was sent and is not in what is read back
 * @param tried every variant that was tried, beginning with that of the package
 */
export function reasonFor(answer: Answer, missing: string[], tried: Variant[]): string {
	const { status, isSuccess, isMissingRoute, errorCode, errorFields } = answer;
	if (isFinal(answer)) return FINAL[status] ?? `The service failed with status ${status}.`;
	if (isMissingRoute) {
		const paths = tried.slice(1).map(({ path }) => path);
		const others = paths.length === 0 ? '' : ` Nor has it ${paths.join(', ')}.`;
		return `The service does not have this path: status ${status}.${others}`;
	}
	const sentences = [];
	if (isSuccess) {
		const what = missing.length === 0 ? 'no effect' : `another value for ${missing.join(', ')}`;
		sentences.push(`Accepted with status ${status}, but reading back shows ${what}.`);
	} else {
		const code = errorCode === '' ? '' : ` (${safeName(errorCode)})`;
		const fields = [...new Set(errorFields.map((one) => one.replace(/\[\d*\]/g, '[]')))]
			.filter((one) => /^[\w[\].]+$/.test(one))
			.join(', ');
		const about = fields === '' ? '' : `; the error names ${fields}`;
		sentences.push(`Refused with status ${status}${code}${about}.`);
	}
	if (tried.length > 1) sentences.push(`Tried ${describeTried(tried)}.`);
	return sentences.join(' ');
}

const LISTS = { repeated: 'repeated fields', commas: 'one text with commas', brackets: '[1,2,3]' };
const FORMATS = { form: 'a form', json: 'JSON', none: 'no body' };

function describeTried(variants: Variant[]): string {
	const formats = new Set(variants.map(({ format }) => FORMATS[format]));
	const lists = new Set(variants.map((variant) => LISTS[variant.lists]));
	const names: Record<string, Set<string>> = {};
	for (const [field, theirs] of variants.flatMap((one) => Object.entries(one.names))) {
		for (const name of theirs) {
			if (name !== lastPart(field)) (names[field] ??= new Set()).add(name);
		}
	}
	return [
		`as ${[...formats].join(' and ')}`,
		...(lists.size > 1 ? [`lists as ${[...lists].join(', ')}`] : []),
		...Object.entries(names).map(([field, others]) => `${field} also as ${[...others].join(', ')}`),
	].join('; ');
}

// ------------------------------------------------------------------ the whole

const isDeviation = ({ verdict }: EndpointReport) =>
	verdict === 'differs' || verdict === 'no effect';

/** 0 when no request deviates, 1 when one does, 2 when the probe did not reach its end. */
export function exitCodeOf({ endedEarly, endpoints }: Report): number {
	if (endedEarly !== undefined) return 2;
	return endpoints.some(isDeviation) ? 1 : 0;
}

/** What to send instead, and why an endpoint is not confirmed. */
function remarkOn({ correction, note = '' }: EndpointReport): string {
	if (correction === undefined) return note;
	const { format, names = {}, lists, path } = correction;
	const changes = [
		format && `as ${FORMATS[format]}`,
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
	const namesOf = (some: EndpointReport[]) => some.map(({ operation }) => operation).join(', ');
	const section = (heading: string, lines: string[]) =>
		lines.length === 0 ? [] : ['', `## ${heading}`, '', ...lines.map((line) => `- ${line}`)];
	return [
		`# Probe of ${service}`,
		'',
		`${startedAt}, ${requests} requests in ${seconds} seconds.`,
		...(endedEarly === undefined ? [] : [`The probe did not reach its end. ${endedEarly}`]),
		`${endpoints.length} endpoints: ${counts.join(', ')}.`,
		...section('Requests that differ or have no effect', deviations),
		...section(
			'Requests that were not tried, or whose effect cannot be seen',
			[...untried].map(([note, some]) => `${namesOf(some)}: ${note}`),
		),
		...section('Requests that are confirmed', [namesOf(withVerdict('confirmed'))]),
		...section('Responses that differ from the contract', differences),
		...section('The description of the service', report.description ?? []),
		...section('Left at the service', report.left),
		'',
	].join('\n');
}
