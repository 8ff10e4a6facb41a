/** Writes the report: one page of Markdown without the account's values. */
import { questions, type Finding, type Question } from './ask.mts';
import type { Result } from './run.mts';

const isSame = (one: string) => (other: string) => one.toLowerCase() === other.toLowerCase();

/** Returns the names in the metadata that belong neither to the path nor to another question. */
function otherMembers({ endpoint, members = [] }: Finding, name: string): string[] {
	const others = Object.entries(questions[endpoint.id]!).filter(([one]) => one !== name);
	const otherNames = others.flatMap(([, { sent, candidates }]) => [...sent, ...candidates]);
	const usedNames = [...endpoint.fields.map((field) => field.name), ...otherNames];
	return members.filter((member) => !usedNames.some(isSame(member)));
}

function verdictOn(finding: Finding, name: string, question: Question) {
	const { status, errorCode, requestType, members } = finding;
	const { sent, candidates, isText } = question;
	const result = (verdict: string, known: string[] = [], isDeviation = sent.length > 0) => {
		return { verdict, known, isDeviation };
	};
	if (status === 404 || status === 405) return result(`no such endpoint (${status})`);
	if (requestType === '')
		return result(`not rejected as expected: status ${status} ${errorCode}`.trim());
	const names = [...finding.known, ...(members ?? [])];
	const findUsed = (list: string[]) => list.filter((one) => names.some(isSame(one)));
	if (findUsed(sent).length > 0) return result('agrees', findUsed(sent), false);
	if (findUsed(candidates).length > 0) return result('another name', findUsed(candidates));
	if (members !== undefined)
		return result('another name, see the metadata', otherMembers(finding, name));
	if (isText) return result('text, which cannot be probed this way; add --try', [], false);
	return result('not among the candidates');
}

/** Writes the answer to each question. A deviation means that the package needs a correction. */
export const writeLines = (findings: Finding[]) =>
	findings.flatMap((finding) =>
		Object.entries(questions[finding.endpoint.id]!).map(([name, question]) => ({
			endpoint: finding.endpoint.id,
			question: name,
			requestType: finding.requestType,
			...verdictOn(finding, name, question),
		})),
	);

const table = (head: string[], rows: string[][]) =>
	[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

export function writeReport({ baseUrl, findings, pages, effects }: Result): string {
	const lines = writeLines(findings);
	const count = lines.filter(({ isDeviation }) => isDeviation).length;
	const frameworks = [...new Set(findings.map(({ framework }) => framework || 'none'))];
	const rows = lines.map(({ endpoint, question, requestType, known, verdict }) => {
		return [endpoint, question, requestType, known.join(', '), verdict];
	});
	const tried = effects.map(({ operation, result }) => [operation, result]);
	return [
		`# Probe of ${baseUrl}`,
		`Of ${lines.length} questions, ${count} need a correction.`,
		`Headers of the framework: ${frameworks.join('; ')}. Metadata: ${pages.join(', ')}.`,
		table(['endpoint', 'question', 'request type', 'known to the service', 'verdict'], rows),
		...(tried.length > 0 ? [table(['operation', 'result'], tried)] : []),
	].join('\n\n');
}

/** Returns 0 if the service does what this package expects, otherwise 1. */
export const chooseExitCode = ({ findings, effects }: Result): number =>
	Number(
		writeLines(findings).some(({ isDeviation }) => isDeviation) ||
			effects.some(({ hasFailed }) => hasFailed),
	);
