/** The report as a file, and what the command says of it. */
import { changesOf } from './changes.mts';
import { withoutAccount, type Private } from './guard.mts';
import type { EndpointReport, Report, Verdict } from './model.mts';

/** In the order in which they are counted. */
export const VERDICTS: readonly Verdict[] = [
	'confirmed',
	'differs',
	'missing',
	'refused',
	'not tried',
];

/** How many endpoints have each verdict, without those that none has: `51 confirmed, 2 differ`. */
export function countsOf({ endpoints }: Report): string {
	const groups = Object.groupBy(endpoints, ({ verdict }) => verdict);
	return VERDICTS.filter((verdict) => groups[verdict] !== undefined)
		.map((verdict) => {
			const count = groups[verdict]!.length;
			return `${count} ${verdict === 'differs' && count > 1 ? 'differ' : verdict}`;
		})
		.join(', ');
}

/** The endpoints at which the service is not as this package expects. */
export const deviationsOf = ({ endpoints }: Report): EndpointReport[] =>
	endpoints.filter(({ verdict }) => verdict !== 'confirmed' && verdict !== 'not tried');

/** 0: all that was tried is confirmed; 1: something differs; 2: the probe did not reach its end. */
export function exitCodeOf(report: Report): 0 | 1 | 2 {
	if (report.endedEarly !== undefined) return 2;
	return deviationsOf(report).length > 0 ? 1 : 0;
}

/** The report that may be shown to anybody, with what it means for this package. */
export function publicReport(report: Report, values: Private): Report {
	const safe = withoutAccount(report, values);
	return { ...safe, changes: [...safe.changes, ...changesOf(safe)] };
}

/** The file for `--json`. */
export const toJson = (report: Report) => `${JSON.stringify(report, undefined, '\t')}\n`;
