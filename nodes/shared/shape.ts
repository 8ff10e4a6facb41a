/** Flat records: one table gives the values of an output and the schema that n8n's editor reads. */
import type { IDataObject } from 'n8n-workflow';

/** The types that JSON Schema has for the fields of an output; `integer?` is an ID that may be missing. */
export type JsonType =
	| 'array'
	| 'boolean'
	| 'integer'
	| 'integer?'
	| 'number'
	| 'object'
	| 'string';

/** A path such as `customer.id`, paths to join such as `firstName + lastName`, or a function. */
type Source<R> = string | ((record: R) => unknown);

/**
 * The fields of a flat record, in the order of the output, each with its type. A field that the
 * record has under another name also has its sources: the first one with a value counts.
 */
export type Shape<R = object> = Record<string, JsonType | readonly [JsonType, ...Array<Source<R>>]>;

/** Returns exactly the fields of the shape; null if the record has no value. */
export function simplifyTo<R>(shape: Shape<R>, record: R): IDataObject {
	const simple: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(shape)) {
		const [, ...sources] = typeof field === 'string' ? ([field, name] as const) : field;
		simple[name] = firstValue(record, sources) ?? null;
	}
	return simple as IDataObject;
}

/** The first value that is present and no object; '' if there is only an empty text. */
function firstValue<R>(record: R, sources: Array<Source<R>>): unknown {
	let value: unknown;
	for (const source of sources) {
		const found = typeof source === 'function' ? source(record) : valueAt(record, source);
		if (found === undefined || typeof found === 'object') continue;
		if (found !== '') return found;
		value = found;
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
