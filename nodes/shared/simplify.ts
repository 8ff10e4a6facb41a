/** Flattens records. One shape defines both the values of an output and the schema that n8n's editor reads. */
import type { IDataObject } from 'n8n-workflow';

/** Type in JSON Schema, or `integer?` for an ID that can be missing. */
export type JsonType =
	| 'array'
	| 'boolean'
	| 'integer'
	| 'integer?'
	| 'number'
	| 'object'
	| 'string';

/** Path such as `customer.id`, paths to join such as `firstName + lastName`, or a function. */
type Source<R> = string | ((record: R) => unknown);

/**
 * Fields of a flat record in output order, each with its type. If Portal.io uses another name for a field, sources
 * follow the type, and the first source with a value is used.
 */
export type Shape<R = object> = Record<string, JsonType | readonly [JsonType, ...Array<Source<R>>]>;

/** Returns the fields of a shape, or only those in `names`. A field is null if the record has no value for it. */
export function simplifyTo<R>(
	shape: Shape<R>,
	record: R,
	names: readonly string[] = Object.keys(shape),
): IDataObject {
	const simple: Record<string, unknown> = {};
	for (const name of names) {
		const field = shape[name]!;
		const [, ...sources] = typeof field === 'string' ? ([field, name] as const) : field;
		simple[name] = firstValue(record, sources) ?? null;
	}
	return simple as IDataObject;
}

/** Returns the first value that is not missing, empty, or an object; '' if there is only empty text. */
function firstValue<R>(record: R, sources: Array<Source<R>>): unknown {
	let value: unknown;
	for (const source of sources) {
		const candidate = typeof source === 'function' ? source(record) : valueAt(record, source);
		if (candidate === undefined || typeof candidate === 'object') continue;
		if (candidate !== '') return candidate;
		value = candidate;
	}
	return value;
}

function valueAt(record: unknown, source: string): unknown {
	const values: unknown[] = [];
	for (const path of source.split(' + ')) {
		let value = record as Record<string, unknown> | null | undefined;
		for (const name of path.split('.')) value = value?.[name] as typeof value;
		values.push(value);
	}
	return values.length === 1 ? values[0] : values.filter(Boolean).join(' ') || undefined;
}
