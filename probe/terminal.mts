/** The report in short, for whoever ran the probe. */
import { meanwhileOf } from './meanwhile.mts';
import type { EndpointReport, Report } from './model.mts';
import { capital, instead } from './phrases.mts';
import { countsOf, leftIn, untriedOf } from './report.mts';
import { ownDeviations, sharedIn, sharedInWords, type Deviation } from './shared.mts';

/** Without the marks of Markdown, as nothing renders it here. */
const bare = (markdown: string) => markdown.replace(/[*`]/g, '');

const block = (heading: string, lines: string[]) =>
	lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `  ${line}`)];

/** What the command prints at its end. */
export function summaryOf(report: Report): string {
	const { requests, seconds, endedEarly, changes } = report;
	const { lasting, failed } = leftIn(report);
	const shared = sharedIn(report).map((one) => bare(capital(sharedInWords(one))));
	return [
		...(endedEarly === undefined ? [] : [`The probe did not reach its end: ${endedEarly}`, '']),
		`${report.endpoints.length} endpoints: ${countsOf(report)}.`,
		`${requests} requests in ${Math.round(seconds)} seconds.`,
		...block('What differs', [...shared, ...ownDeviations(report).flatMap(deviation)]),
		...block('What could not be tried', untried(report)),
		...block('What to change', changes.map(bare)),
		...block('What was left behind, as no endpoint deletes it', lasting),
		...block('What should be gone and is not', failed),
		'',
	].join('\n');
}

/** After an early end, that is the reason for all of them. */
const untried = (report: Report) =>
	report.endedEarly === undefined ? untriedOf(report).map(reasonOf) : [];

const reasonOf = ({ operation, note = '' }: EndpointReport) => `${operation}: ${note}`;

function deviation({ one, differences }: Deviation): string[] {
	const { operation, verdict, method, path, correction, note } = one;
	const meanwhile = meanwhileOf(one);
	return [
		`${operation}: ${verdict} (${method} ${path})`,
		...(correction === undefined ? [] : [`  ${bare(instead(one, correction))}`]),
		...(note === undefined ? [] : [`  ${note}`]),
		...differences.map((line) => `  ${bare(line)}`),
		...(meanwhile === undefined ? [] : [`  until then, ${bare(meanwhile)}`]),
	];
}
