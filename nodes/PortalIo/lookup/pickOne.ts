import type { IDataObject } from 'n8n-workflow';
import { ValueError } from '../fields/fieldError';
import { wholeNumber } from '../fields/parsers';

/** Returns advice for a search with more matches than can be read. */
export const adviseId = (text: string) =>
	`The search for '${text}' has too many results. Enter the ID instead.`;

export const USE_ID = 'Use the ID of one of them.';

export function requireId({ id }: { id?: unknown }): number {
	const number = wholeNumber(id);
	if (number !== undefined) return number;
	throw new ValueError('was found, but Portal.io did not return its ID');
}

/** Returns the ID of the only record. Throws a ValueError if there is none, or if there are several. */
export function requireOnlyId(
	records: IDataObject[],
	{ ifNone, ifSeveral }: { ifNone: string; ifSeveral: string },
): number {
	if (records.length === 1) return requireId(records[0]!);
	throw new ValueError(records.length === 0 ? `was not found: ${ifNone}` : ifSeveral);
}

const MAX_CANDIDATES = 5;

/** Returns up to five names with IDs, such as `Sonos AMPG1US1 (ID 5), Sonos AMPG1US2 (ID 6)`. */
export function formatCandidates(
	records: IDataObject[],
	nameOf: (record: IDataObject) => string | undefined,
): string {
	const names = new Set(records.map((record) => `${nameOf(record)} (ID ${String(record.id)})`));
	return [...names].slice(0, MAX_CANDIDATES).join(', ');
}
