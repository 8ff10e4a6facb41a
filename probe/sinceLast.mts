/**
 * What changed between two reports, for the nightly run (docs/probe.md#every-night).
 *
 *   node probe/sinceLast.mts report.json last/known.json changes.md known.json
 *
 * Writes the page only when a verdict or a correction changed, and what is known of each endpoint
 * since its last trial. Without a last report, everything counts as confirmed until then.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { EndpointReport, Report } from './model.mts';
import { code, instead } from './phrases.mts';
import { deviationsOf } from './report.mts';

/** What is known of an endpoint, and for how many reports in a row it could not be tried since. */
type Known = EndpointReport & { notTriedFor?: number };
type KnownReport = Omit<Report, 'endpoints'> & { endpoints: Known[] };

/** After so many reports without a trial, that is news. */
const NEWS = 3;

/** A report in which what could not be tried has what was known of it before. */
export function knownSince(last: KnownReport | undefined, now: Report): KnownReport {
	const before = new Map(last?.endpoints.map((one) => [one.operation, one]));
	const endpoints = now.endpoints.map((one): Known => {
		const known = before.get(one.operation);
		if (one.verdict !== 'not tried' || isUnknown(known)) return one;
		return { ...known, notTriedFor: (known.notTriedFor ?? 0) + 1 };
	});
	return { ...now, endpoints };
}

const isUnknown = (one: Known | undefined): one is undefined =>
	one === undefined || one.verdict === 'not tried';

/** The page; undefined when nothing changed. */
export function changesSince(last: KnownReport | undefined, now: Report): string | undefined {
	const before = new Map(last?.endpoints.map((one) => [one.operation, one]));
	const changed = now.endpoints.filter((one) => isChanged(before.get(one.operation), one));
	if (changed.length === 0) return undefined;
	const operations = new Set(changed.map(({ operation }) => operation));
	const since = last === undefined ? 'what this package expects' : `the report of ${dayOf(last)}`;
	return [
		`The probe of ${code(now.service)} on ${dayOf(now)} differs from ${since}.`,
		'',
		'| operation | was | is | send |',
		'|---|---|---|---|',
		...changed.map((one) => rowOf(before.get(one.operation), one)),
		'',
		...changesOfThese(now, operations),
		`${deviationsOf(now).length} endpoints differ in all. The whole report is the artifact of the run.`,
		'',
	].join('\n');
}

const dayOf = ({ startedAt }: Pick<Report, 'startedAt'>) => startedAt.slice(0, 10);

/** What could not be tried once says nothing: it is news when it stays like that. */
function isChanged(before: Known | undefined, now: EndpointReport): boolean {
	if (now.verdict === 'not tried') {
		return !isUnknown(before) && (before.notTriedFor ?? 0) + 1 === NEWS;
	}
	const verdict = isUnknown(before) ? 'confirmed' : before.verdict;
	const correctionOf = (one?: EndpointReport) => JSON.stringify(one?.correction ?? null);
	return verdict !== now.verdict || correctionOf(before) !== correctionOf(now);
}

function rowOf(before: EndpointReport | undefined, now: EndpointReport): string {
	const { operation, verdict, correction } = now;
	const what = correction === undefined ? '' : instead(now, correction);
	return `| ${operation} | ${before?.verdict ?? ''} | ${verdict} | ${what} |`;
}

/** The lines of what to change that are about these operations. */
function changesOfThese({ changes, endpoints }: Report, operations: Set<string>): string[] {
	const paths = endpoints
		.filter(({ operation }) => operations.has(operation))
		.flatMap(({ operation, method, path }) => [code(`${method} ${path}`), code(operation)]);
	const lines = changes.filter((line) => paths.some((path) => line.includes(path)));
	return lines.length === 0 ? [] : ['What to change:', '', ...lines.map((line) => `- ${line}`), ''];
}

if (import.meta.main) {
	const [nowFile = '', lastFile = '', target = '', knownFile = ''] = process.argv.slice(2);
	const read = (file: string): Report => JSON.parse(readFileSync(file, 'utf8'));
	const last = existsSync(lastFile) ? read(lastFile) : undefined;
	const now = read(nowFile);
	const page = changesSince(last, now);
	if (page !== undefined) writeFileSync(target, page);
	writeFileSync(knownFile, JSON.stringify(knownSince(last, now)));
}
