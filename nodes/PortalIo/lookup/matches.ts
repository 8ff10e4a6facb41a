import type { IDataObject } from 'n8n-workflow';
import type { Found } from '../fields/field';
import { wholeNumber } from '../fields/values';

/** Advice for a search of which not all matches could be read. */
export const enterId = (text: string) =>
	`The search for '${text}' finds too much. Enter the ID instead.`;

export const idOf = ({ id }: { id?: unknown }): Found =>
	wholeNumber(id) ?? 'was found, but Portal.io did not return its ID';

/** @param none and `several` are the ends of a sentence about the field */
export function onlyOne(found: Array<{ id?: unknown }>, none: string, several: string): Found {
	if (found.length === 1) return idOf(found[0]!);
	return found.length === 0 ? `was not found: ${none}` : several;
}

const MAX_CANDIDATES = 5;

export function candidates(records: IDataObject[]): string {
	const names = records.map(
		({ id, brand, model, name }) =>
			`${[brand, model].filter(Boolean).join(' ') || String(name ?? '')} (ID ${String(id)})`,
	);
	return [...new Set(names)].slice(0, MAX_CANDIDATES).join(', ');
}
