import type { Json } from './json.mts';
import { resolved, type Operation } from './openapi.mts';

/**
 * What becomes of the optional fields of responses: there as far as they have a value, left out, or
 * null; `…Inside` keeps those that are objects and lists, so that it reaches what is in them.
 */
export type OptionalFields = 'present' | 'absent' | 'null' | 'absentInside' | 'nullInside';

/** In this contract, one of several is a record or null. */
const recordIn = (schema: Json): Json => resolved(schema.oneOf?.[0] ?? schema);

/** The response to an operation with its optional fields as the setting has them. */
export function reduceResponse(operation: Operation, body: unknown, kept: OptionalFields): unknown {
	return reduce(operation.response, body, kept);
}

function reduce(schema: Json, value: Json, kept: OptionalFields): Json {
	if (typeof value !== 'object' || value === null) return value;
	const { items, properties = {}, required = [] } = recordIn(schema);
	if (Array.isArray(value)) return value.map((entry) => reduce(items, entry, kept));
	const fields = Object.entries<Json>(value).map(([name, inner]) => {
		const isKept = typeof inner === 'object' && inner !== null && kept.endsWith('Inside');
		if (isKept || required.includes(name) || properties[name] === undefined) {
			return [name, reduce(properties[name] ?? {}, inner, kept)];
		}
		return [name, kept.startsWith('null') ? null : undefined];
	});
	return Object.fromEntries(fields.filter(([, inner]) => inner !== undefined));
}
