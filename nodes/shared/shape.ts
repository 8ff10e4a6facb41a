/** Simplified outputs: the same declaration gives the values and the schema that n8n's editor reads. */
import type { IDataObject } from 'n8n-workflow';

/** The types that JSON Schema has for the fields of an output; `integer?` is an ID that may be missing. */
export type JsonType =
	'array' | 'boolean' | 'integer' | 'integer?' | 'number' | 'object' | 'string';

/** A field of a simplified record: its type, and how its value is read. */
export interface ShapeField<R> {
	type: JsonType;
	of(record: R): unknown;
}

/** The flat fields that a record is simplified to, in the order of the output. */
export type Shape<R> = Record<string, ShapeField<R>>;

const fieldOf =
	(type: JsonType) =>
	<R>(of: (record: R) => unknown): ShapeField<R> => ({ type, of });

export const boolean = fieldOf('boolean');
export const integer = fieldOf('integer');
/** An ID that not every record has. */
export const optionalId = fieldOf('integer?');
export const number = fieldOf('number');
export const object = fieldOf('object');
export const text = fieldOf('string');

/** A record with the fields of a shape and no others; null where it has no value. */
export const simplifyTo = <R>(shape: Shape<R>, record: R): IDataObject =>
	Object.fromEntries(
		Object.entries(shape).map(([name, { of }]) => [name, of(record) ?? null]),
	) as IDataObject;

/** The fields of a shape, read from something that holds the record. */
export const shapeOf = <S, R>(recordOf: (source: S) => R, shape: Shape<R>): Shape<S> =>
	Object.fromEntries(
		Object.entries(shape).map(([name, { type, of }]) => [
			name,
			{ type, of: (source: S) => of(recordOf(source)) },
		]),
	);
