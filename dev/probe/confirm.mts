/**
 * `--confirm FILE`: marks in the contract what a report confirms. The contract is the one place of
 * these marks; `npm run docs` writes the pages from it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { contractFile } from './contract.mts';
import { UsageError } from './options.mts';

/** What a report says, as far as marks go. */
interface Verdicts {
	endpoints: { operation: string; verdict: string }[];
}

/** @throws UsageError for what is no report, or one of another service than Portal.io */
export function readVerdicts(text: string): Verdicts {
	let report: { service?: string; endpoints?: Verdicts['endpoints'] } | null;
	try {
		report = JSON.parse(text);
	} catch {
		throw new UsageError('The file of --confirm is not JSON.');
	}
	const { service = '', endpoints } = report ?? {};
	if (!URL.canParse(service) || !Array.isArray(endpoints)) {
		throw new UsageError('The file of --confirm is not a report of the probe.');
	}
	if (!/(^|\.)portal\.io$/.test(new URL(service).hostname)) {
		throw new UsageError('This report is not about Portal.io: a stand-in confirms nothing.');
	}
	return { endpoints };
}

/**
 * Changes the marks of a contract, and no other character of it.
 *
 * @returns the contract, what is newly marked, and what is marked but not confirmed by this report
 */
export function markConfirmed(contract: string, { endpoints }: Verdicts) {
	const verdicts = new Map(endpoints.map(({ operation, verdict }) => [operation, verdict]));
	const confirmed: string[] = [];
	const doubtful: string[] = [];
	const marked = contract.replace(
		/(?<=^ +operationId: (\S+)\n +x-mark: )\w+$/gm,
		(mark: string, operation: string) => {
			const verdict = verdicts.get(operation) ?? 'not tried';
			if (mark !== 'confirmed' && verdict === 'confirmed') {
				confirmed.push(operation);
				return 'confirmed';
			}
			const isDoubtful = mark === 'confirmed' && !['confirmed', 'not tried'].includes(verdict);
			if (isDoubtful) doubtful.push(operation);
			return mark;
		},
	);
	return { contract: marked, confirmed, doubtful };
}

/** Marks what a report confirms, and says what changed and what to do next. */
export function confirm(file: string): string {
	let report: string;
	try {
		report = readFileSync(file, 'utf8');
	} catch {
		throw new UsageError('The file of --confirm cannot be read.');
	}
	const marked = markConfirmed(readFileSync(contractFile, 'utf8'), readVerdicts(report));
	writeFileSync(contractFile, marked.contract);
	const { confirmed, doubtful } = marked;
	const news = `Marked as confirmed: ${confirmed.join(', ') || 'nothing new'}.`;
	const next =
		confirmed.length === 0 ? '' : '\nRun `npm run docs`, which writes it into the pages.';
	const doubt = `\nConfirmed before, but not by this report: ${doubtful.join(', ')}.`;
	return news + next + (doubtful.length === 0 ? '' : doubt);
}
