/**
 * `--confirm FILE`: marks in the contract what a report confirms. The contract is the one place of
 * these marks; `npm run docs` writes the pages from it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { contractFile } from './contract.mts';
import { UsageError } from './options.mts';

/** What a report says, as far as marks go. */
interface Verdicts {
	endpoints: { operation: string; verdict: string }[];
}

/** @throws UsageError for what is no report, or one of another service than Portal.io */
export function readVerdicts(text: string): Verdicts {
	let report: (Verdicts & { service: string }) | undefined;
	try {
		report = JSON.parse(text);
	} catch {
		// As what is JSON and no report.
	}
	if (!URL.canParse(report?.service ?? '') || !Array.isArray(report?.endpoints)) {
		throw new UsageError('The file of --confirm is not a report of the probe in JSON.');
	}
	if (!/(^|\.)portal\.io$/.test(new URL(report.service).hostname)) {
		throw new UsageError('This report is not about Portal.io: a stand-in confirms nothing.');
	}
	return report;
}

/**
 * Changes the marks of a contract, and no other character of it.
 *
 * @returns the contract, what is newly marked, and what is marked but deviates in this report
 */
export function markConfirmed(contract: string, { endpoints }: Verdicts) {
	const confirmed: string[] = [];
	const doubtful: string[] = [];
	const marked = contract.replace(
		/(?<=^ +operationId: (\S+)\n +x-mark: )\w+$/gm,
		(mark: string, operation: string) => {
			const verdict = endpoints.find((one) => one.operation === operation)?.verdict;
			const isDeviation = verdict === 'differs' || verdict === 'no effect';
			if (mark === 'confirmed' && isDeviation) doubtful.push(operation);
			if (mark === 'confirmed' || verdict !== 'confirmed') return mark;
			confirmed.push(operation);
			return 'confirmed';
		},
	);
	return { contract: marked, confirmed, doubtful };
}

/** Marks what a report confirms, and says what changed and what to do next. */
export function confirm(file: string): string {
	const verdicts = readVerdicts(existsSync(file) ? readFileSync(file, 'utf8') : '');
	const marked = markConfirmed(readFileSync(contractFile, 'utf8'), verdicts);
	const { contract, confirmed, doubtful } = marked;
	writeFileSync(contractFile, contract);
	return [
		`Marked as confirmed: ${confirmed.join(', ') || 'nothing new'}.`,
		`Confirmed before, but not by this report: ${doubtful.join(', ') || 'nothing'}.`,
		'Run `npm run docs`, which writes it into the pages.',
	].join('\n');
}
