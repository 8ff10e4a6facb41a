/** From a report to what to change in this package. */
import { endpointOf } from './contract.mts';
import { declarationOf } from './declarations.mts';
import { factChanges } from './factChanges.mts';
import type { EndpointReport, Report } from './model.mts';
import { code, instead, joined } from './phrases.mts';

const CONTRACT = 'simulator/openapi.yaml';

const requestOf = ({ method, path }: EndpointReport) => code(`${method} ${path}`);

/** The lines that say what to change, each beginning with the file. */
export function changesOf(report: Report): string[] {
	const corrected = report.endpoints.filter(({ correction }) => correction !== undefined);
	const operations = corrected.map(({ operation }) => code(operation));
	return [
		...report.endpoints.flatMap((one) => requestChange(one, report) ?? []),
		...report.endpoints.flatMap(ignoredChange),
		...(operations.length === 0
			? []
			: [`${CONTRACT}: the same for ${joined(operations)}, so that the simulator does it too`]),
		...responseChanges(report),
		...factChanges(report),
	];
}

function requestChange(one: EndpointReport, { endpoints }: Report): string | undefined {
	const { operation, verdict, correction, response } = one;
	const { file } = declarationOf(operation);
	if (correction !== undefined) return `${file}: ${instead(one, correction)} (${requestOf(one)})`;
	if (verdict === 'missing') return `${file}: ${withoutPath(one, endpoints)}`;
	const isAccepted = response !== undefined && response.status < 300;
	const isExplained = one.ignored !== undefined;
	if (
		verdict === 'differs' &&
		!isExplained &&
		response?.absent.length === 0 &&
		response.types.length === 0
	) {
		return `${file}: ${requestOf(one)} is accepted without effect, whatever was tried`;
	}
	// Who lacks a permission learns nothing about the request.
	if (verdict !== 'refused' || isAccepted || [401, 402, 403].includes(response?.status ?? 0)) {
		return undefined;
	}
	const status = response === undefined ? '' : ` with status ${response.status}`;
	return `${file}: ${requestOf(one)} is refused${status}, whatever was tried`;
}

function ignoredChange(one: EndpointReport): string[] {
	const { operation, ignored = [] } = one;
	if (ignored.length === 0) return [];
	const verb = ignored.length === 1 ? 'has' : 'have';
	return [
		`${declarationOf(operation).file}: ${joined(ignored.map(code))} ${verb} no effect in the query of ${requestOf(one)}`,
	];
}

/** The service does not have a path; perhaps it has the other documented one. */
function withoutPath(one: EndpointReport, endpoints: EndpointReport[]): string {
	const { isAlternate } = endpointOf(one.operation);
	const name = one.operation.replace(/\.alternate$/, '');
	const other = endpoints.find(
		({ operation }) => operation === (isAlternate ? name : `${name}.alternate`),
	);
	const isThere = other !== undefined && !['missing', 'not tried'].includes(other.verdict);
	if (!isThere) return `the service does not have ${requestOf(one)}`;
	return isAlternate
		? `leave out the second path, which the service does not have: ${requestOf(one)}`
		: `make ${requestOf(other)} the only path; the service does not have ${requestOf(one)}`;
}

/** Each field that differs stands once, with the operations whose responses have it so. */
function responseChanges({ endpoints }: Report): string[] {
	const inWords = {
		absent: (field: string) => `${code(field)} is not in the response`,
		types: (field: string) => `${code(field)} in the response`,
		added: (field: string) => `${code(field)} is also in the response`,
	};
	return (['absent', 'types', 'added'] as const).flatMap((kind) => {
		const found = endpoints.flatMap(({ operation, response }) =>
			(response?.[kind] ?? []).map((field) => ({ field, operation })),
		);
		return Object.entries(Object.groupBy(found, ({ field }) => field)).map(([field, all]) => {
			const operations = all!.map(({ operation }) => operation);
			const readers = kind === 'added' ? '' : `; read by ${readersOf(operations)}`;
			return `${CONTRACT}: ${inWords[kind](field)} of ${some(operations.map(code))}${readers}`;
		});
	});
}

const readersOf = (operations: string[]) =>
	some([...new Set(operations.map((operation) => declarationOf(operation).file))]);

/** As many as a line can hold; the table of responses has all. */
const some = (names: string[]) =>
	names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : joined(names);
