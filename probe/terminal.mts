/** The report in short, for whoever ran the probe. */
import { meanwhileOf } from './meanwhile.mts';
import type { EndpointReport, Report } from './model.mts';
import { differencesInWords, instead } from './phrases.mts';
import { countsOf, deviationsOf } from './report.mts';

/** Without the marks of Markdown, as nothing renders it here. */
const bare = (markdown: string) => markdown.replace(/[*`]/g, '');

const block = (heading: string, lines: string[]) =>
	lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `  ${line}`)];

/** What the command prints at its end. */
export function summaryOf(report: Report): string {
	const { requests, seconds, endedEarly, left, changes } = report;
	return [
		...(endedEarly === undefined ? [] : [`The probe did not reach its end: ${endedEarly}`, '']),
		`${report.endpoints.length} endpoints: ${countsOf(report)}.`,
		`${requests} requests in ${Math.round(seconds)} seconds.`,
		...block('What differs', deviationsOf(report).flatMap(deviation)),
		...block('What to change', changes.map(bare)),
		...block('What was left behind, as no endpoint deletes it', left),
		'',
	].join('\n');
}

function deviation(one: EndpointReport): string[] {
	const { operation, verdict, method, path, correction, note, response } = one;
	const meanwhile = meanwhileOf(one);
	return [
		`${operation}: ${verdict} (${method} ${path})`,
		...(correction === undefined ? [] : [`  ${bare(instead(one, correction))}`]),
		...(note === undefined ? [] : [`  ${note}`]),
		...(response === undefined
			? []
			: differencesInWords(response).map((line) => `  ${bare(line)}`)),
		...(meanwhile === undefined ? [] : [`  until then, ${bare(meanwhile)}`]),
	];
}
