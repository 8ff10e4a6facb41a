/**
 * `--confirm FILE`: marks in the contract what a report confirms. The contract is the one place of
 * these marks; `npm run docs` writes the pages from it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { contractFile } from './contract.mts';
import { isOfPortal, UsageError } from './options.mts';
import type { EndpointReport } from './report.mts';

/** What a report says, as far as marks go. */
interface Verdicts {
	service: string;
	endpoints: Pick<EndpointReport, 'operation' | 'verdict'>[];
}

/** @throws UsageError for what is no report, or one of another service than Portal.io */
function readVerdicts(file: string): Verdicts {
	let report: Verdicts | undefined;
	try {
		report = JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		// As what is JSON and no report.
	}
	if (!Array.isArray(report?.endpoints)) {
		throw new UsageError('The file of --confirm is not a report of the probe in JSON.');
	}
	if (!isOfPortal(report.service)) {
		throw new UsageError('This report is not about Portal.io: a stand-in confirms nothing.');
	}
	return report;
}

/** Changes the marks of a contract, and no other character of it. */
export function markConfirmed(contract: string, { endpoints }: Verdicts) {
	const confirmed: string[] = [];
	const marked = contract.replace(
		/(?<=^ +operationId: (\S+)\n +x-mark: )\w+$/gm,
		(mark: string, operation: string) => {
			const verdict = endpoints.find((one) => one.operation === operation)?.verdict;
			if (mark === 'confirmed' || verdict !== 'confirmed') return mark;
			confirmed.push(operation);
			return 'confirmed';
		},
	);
	return { contract: marked, confirmed };
}

/** Marks what a report confirms, and says what changed and what to do next. */
export function confirm(file: string): string {
	const verdicts = readVerdicts(file);
	const { contract, confirmed } = markConfirmed(readFileSync(contractFile, 'utf8'), verdicts);
	writeFileSync(contractFile, contract);
	return `Marked as confirmed: ${confirmed.join(', ') || 'nothing new'}.
Run \`npm run docs\`, which writes it into the pages.`;
}
