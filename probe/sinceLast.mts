/**
 * What changed between two reports, for the nightly run (docs/probe.md#every-night).
 *
 *   node probe/sinceLast.mts report.json last/report.json changes.md
 *
 * Writes the page only when a verdict or a correction changed. Without a last report, everything
 * counts as confirmed until then.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { EndpointReport, Report } from './model.mts';
import { code, instead } from './phrases.mts';
import { deviationsOf } from './report.mts';

/** The page; undefined when nothing changed. */
export function changesSince(last: Report | undefined, now: Report): string | undefined {
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

const dayOf = ({ startedAt }: Report) => startedAt.slice(0, 10);

/** What could not be tried says nothing: neither is it news, nor is it news that it is fine. */
function isChanged(before: EndpointReport | undefined, now: EndpointReport): boolean {
	if (now.verdict === 'not tried') return false;
	const verdict =
		before === undefined || before.verdict === 'not tried' ? 'confirmed' : before.verdict;
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
	const [now = '', last = '', target = ''] = process.argv.slice(2);
	const read = (file: string): Report => JSON.parse(readFileSync(file, 'utf8'));
	const page = changesSince(existsSync(last) ? read(last) : undefined, read(now));
	if (page !== undefined) writeFileSync(target, page);
}
