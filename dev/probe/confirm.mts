/**
 * `--confirm FILE`: marks in the contract what a report confirms. The contract is the one place of
 * these marks; `npm run docs` writes the pages from it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { contractFile } from './contract.mts';
import { UsageError } from './options.mts';
import type { Report } from './report.mts';

/** What a report says, as far as marks go. */
interface Verdicts {
	endpoints: { operation: string; verdict: string }[];
}

/** @throws UsageError for what is no report, or one of another service than Portal.io */
export function readVerdicts(text: string): Verdicts {
	let report: Partial<Report> | null;
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
 * @returns the contract, what is newly marked, and what is marked but deviates in this report
 */
export function markConfirmed(contract: string, { endpoints }: Verdicts) {
	const confirmed: string[] = [];
	const doubtful: string[] = [];
	const marked = contract.replace(
		/(?<=^ +operationId: (\S+)\n +x-mark: )\w+$/gm,
		(mark: string, operation: string) => {
			const verdict = endpoints.find((one) => one.operation === operation)?.verdict;
			if (mark === 'confirmed') {
				if (verdict === 'differs' || verdict === 'no effect') doubtful.push(operation);
			} else if (verdict === 'confirmed') {
				confirmed.push(operation);
				return 'confirmed';
			}
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
	const before = readFileSync(contractFile, 'utf8');
	const { contract, confirmed, doubtful } = markConfirmed(before, readVerdicts(report));
	writeFileSync(contractFile, contract);
	return [
		`Marked as confirmed: ${confirmed.join(', ') || 'nothing new'}.`,
		...(confirmed.length === 0 ? [] : ['Run `npm run docs`, which writes it into the pages.']),
		...(doubtful.length === 0
			? []
			: [`Confirmed before, but not by this report: ${doubtful.join(', ')}.`]),
	].join('\n');
}
