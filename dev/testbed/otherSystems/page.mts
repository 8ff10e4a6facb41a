/** The page on which a person sees what the stand-in of another system holds. */
import { Eta } from 'eta';

const eta = new Eta({ views: import.meta.dirname, cache: true });

/** Writes the page: a table for each kind of record. */
export function recordsPage(name: string, records: Record<string, object[]>): string {
	const tables = Object.entries(records).map(([kind, list]) => ({
		kind,
		columns: [...new Set(list.flatMap((record) => Object.keys(record)))],
		rows: list.toReversed().map(readable),
	}));
	return eta.render('./page', { name, tables });
}

const readable = (record: object) =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => [key, textOf(value)]));

/** A list has a line for each entry, an object its fields with their names. */
function textOf(value: unknown): string {
	if (Array.isArray(value)) return value.map(textOf).join('\n');
	if (value === undefined || value === null) return '';
	if (typeof value !== 'object') return String(value);
	return Object.entries(value)
		.map(([key, inner]) => `${key}: ${textOf(inner)}`)
		.join(', ');
}
