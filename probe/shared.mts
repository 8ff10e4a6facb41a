/** What differs in the responses of several endpoints alike, such as a field of the proposal. */
import type { EndpointReport, Report } from './model.mts';
import { code, differencesInWords } from './phrases.mts';
import { deviationsOf } from './report.mts';

/** One difference, and the operations whose responses have it. */
export interface Shared {
	kind: 'absent' | 'types';
	field: string;
	operations: string[];
}

/** The differences that more than one response has. */
export const sharedIn = ({ endpoints }: Report): Shared[] =>
	(['absent', 'types'] as const).flatMap((kind) => {
		const found = new Map<string, string[]>();
		for (const { operation, response } of endpoints) {
			for (const field of response?.[kind] ?? []) {
				found.set(field, [...(found.get(field) ?? []), operation]);
			}
		}
		return [...found]
			.filter(([, operations]) => operations.length > 1)
			.map(([field, operations]) => ({ kind, field, operations }));
	});

/** A difference in a sentence, with how many endpoints have it. */
export const sharedInWords = ({ kind, field, operations }: Shared): string =>
	kind === 'absent'
		? `the responses of ${operations.length} endpoints do not have ${code(field)}`
		: `the responses of ${operations.length} endpoints have another value: ${code(field)}`;

/** An endpoint that differs, with the differences that are its own. */
export interface Deviation {
	one: EndpointReport;
	/** In sentences. */
	differences: string[];
}

/** What differs, without the endpoints of which the shared differences say everything. */
export function ownDeviations(report: Report): Deviation[] {
	const shared = sharedIn(report);
	const isOwn = (kind: Shared['kind']) => (field: string) =>
		!shared.some((one) => one.kind === kind && one.field === field);
	return deviationsOf(report).flatMap((one) => {
		const { response, verdict, correction, note } = one;
		if (response === undefined) return [{ one, differences: [] }];
		const absent = response.absent.filter(isOwn('absent'));
		const types = response.types.filter(isOwn('types'));
		const differences = differencesInWords({ added: [], absent, types });
		const hasShared = absent.length + types.length < response.absent.length + response.types.length;
		const isSaid = verdict === 'differs' && hasShared && differences.length === 0;
		const isAll = isSaid && correction === undefined && note === undefined;
		if (isAll) return [];
		const also = hasShared ? ['the response differs as several do'] : [];
		return [{ one, differences: [...differences, ...also] }];
	});
}
