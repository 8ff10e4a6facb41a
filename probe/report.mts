/** The report as a file, and what the command says of it. */
import { changesOf } from './changes.mts';
import { contradictionsOf } from './factChanges.mts';
import { withoutAccount, type Private } from './guard.mts';
import { isUntried } from './leftOut.mts';
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

/** The endpoints that the options allow and that could not be tried. */
export const untriedOf = ({ endpoints }: Report): EndpointReport[] => endpoints.filter(isUntried);

/**
 * 0: everything that the options allow was tried and is confirmed; 1: something differs or could not
 * be tried; 2: the probe did not reach its end.
 */
export function exitCodeOf(report: Report): 0 | 1 | 2 {
	if (report.endedEarly !== undefined) return 2;
	const isConfirmed = deviationsOf(report).length === 0 && untriedOf(report).length === 0;
	return isConfirmed && contradictionsOf(report.facts).length === 0 ? 0 : 1;
}

/** What was made and is there still: what no endpoint deletes, and what should be gone. */
export function leftIn({ left }: Report): { lasting: string[]; failed: string[] } {
	const isFailed = (line: string) => line.endsWith('could not be removed.');
	return {
		lasting: left.filter((line) => !isFailed(line)),
		failed: left.filter(isFailed),
	};
}

/** The report that may be shown to anybody, with what it means for this package. */
export function publicReport(report: Report, values: Private): Report {
	const safe = withoutAccount(report, values);
	return { ...safe, changes: [...safe.changes, ...changesOf(safe)] };
}

/** The file for `--json`. */
export const toJson = (report: Report) => `${JSON.stringify(report, undefined, '\t')}\n`;
