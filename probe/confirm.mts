/**
 * `--confirm FILE`: marks in the contract what a report confirms. The contract is the one place of
 * these marks; `npm run docs` writes the pages from it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { UsageError } from './options.mts';

const CONTRACT = new URL('../simulator/openapi.yaml', import.meta.url);

/** What a report says, as far as marks go. */
interface Verdicts {
	service: string;
	endpoints: { operation: string; verdict: string }[];
}

/** The contract with its new marks, and which of them are new. */
export interface Marked {
	contract: string;
	/** What is marked `confirmed` now and was not before. */
	confirmed: string[];
	/** What is marked `confirmed`, but is not confirmed by this report. */
	doubtful: string[];
}

/**
 * Reads a report.
 *
 * @throws UsageError for what is no report, or one of another service than Portal.io
 */
export function readVerdicts(file: string): Verdicts {
	let report: Partial<Verdicts> | null;
	try {
		report = JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		throw new UsageError('The file of --confirm cannot be read, or is not JSON.');
	}
	const { service, endpoints } = report ?? {};
	if (typeof service !== 'string' || !URL.canParse(service) || !Array.isArray(endpoints)) {
		throw new UsageError('The file of --confirm is not a report of the probe.');
	}
	if (!/(^|\.)portal\.io$/.test(new URL(service).hostname)) {
		throw new UsageError('This report is not about Portal.io: a stand-in confirms nothing.');
	}
	return { service, endpoints };
}

/** Changes the marks of a contract, and no other character of it. */
export function markConfirmed(contract: string, { endpoints }: Verdicts): Marked {
	const verdicts = new Map(endpoints.map(({ operation, verdict }) => [operation, verdict]));
	const changes: { operation: string; from: number; to: number }[] = [];
	const doubtful: string[] = [];
	for (const entry of entriesOf(contract)) {
		const operation = String(entry.get('operationId'));
		const mark = entry.get('x-mark', true);
		const verdict = verdicts.get(operation);
		if (!isScalar(mark) || !mark.range || verdict === undefined) continue;
		const isMarked = mark.value === 'confirmed';
		if (verdict === 'confirmed' && !isMarked) {
			changes.push({ operation, from: mark.range[0], to: mark.range[1] });
		} else if (isMarked && !['confirmed', 'not tried'].includes(verdict)) {
			doubtful.push(operation);
		}
	}
	let text = contract;
	for (const { from, to } of [...changes].reverse()) {
		text = `${text.slice(0, from)}confirmed${text.slice(to)}`;
	}
	return { contract: text, confirmed: changes.map(({ operation }) => operation), doubtful };
}

/** The operations of a contract, in its order. */
function entriesOf(contract: string): YAMLMap[] {
	const paths = parseDocument(contract, { merge: true }).get('paths') as YAMLMap;
	return paths.items
		.flatMap(({ value }) => (isMap(value) ? value.items : []))
		.map(({ value }) => value)
		.filter((value) => isMap(value))
		.filter((value) => value.has('operationId'));
}

/** Marks what a report confirms, and says what changed and what to do next. */
export function confirm(file: string): string {
	const marked = markConfirmed(readFileSync(CONTRACT, 'utf8'), readVerdicts(file));
	writeFileSync(CONTRACT, marked.contract);
	const { confirmed, doubtful } = marked;
	const lines = [
		confirmed.length === 0
			? 'The report confirms nothing that was not marked as confirmed already.'
			: `Marked as confirmed in simulator/openapi.yaml: ${confirmed.join(', ')}.\nRun \`npm run docs\`, which writes it into the pages.`,
		...(doubtful.length === 0
			? []
			: [`Marked as confirmed, but not so in this report: ${doubtful.join(', ')}.`]),
	];
	return lines.join('\n');
}
