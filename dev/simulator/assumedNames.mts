/** The service whose fields have other names than this package assumes, where none are documented. */
import type { Call } from './context.mts';
import type { Operation } from './openapi.mts';
import { invalid } from './errors.mts';
import type { Json } from './json.mts';
import type { Settings } from './settings.mts';

/** What the service calls a field instead. */
export const theirName = (field: string) => `Their${field}`;

const DEFAULTS: Record<string, Json> = { number: 0, boolean: false, string: '' };

/** What is left of an entry to add whose quantity and parent have other names. */
const withoutDetails = ({ itemId, itemType }: Json) => ({ itemId, itemType });

/** The value of a schema from the text that a form has. */
function toType({ type, items }: Json, value: Json): Json {
	if (type === 'array') return [value].flat().map((one: Json) => toType(items, one));
	if (type === 'boolean') return String(value) === 'true';
	return type === 'number' || type === 'integer' ? Number(value) : value;
}

/** @returns the call with the fields that are known; undefined when nothing is done without one */
export function withKnownFields(
	call: Call,
	{ form = {}, hasAssumedBody }: Operation,
	names: Settings['assumedNames'],
): Call | undefined {
	if (names === 'known' || !hasAssumedBody) return call;
	const body: Record<string, Json> = {};
	for (const [field, schema] of Object.entries<Json>(form)) {
		const theirs = theirName(field);
		if (theirs in call.body) {
			body[field] = toType(schema, call.body[theirs]);
		} else if (names === 'refused') {
			throw invalid(theirs, `${theirs} is required.`);
		} else if (names === 'reset' && field === 'Items') {
			const { Items: items, AreaOptionId } = call.body;
			body.AreaOptionId = AreaOptionId;
			body.Items = (typeof items === 'string' ? JSON.parse(items) : items).map(withoutDetails);
		} else if (names === 'reset' && schema.type in DEFAULTS) {
			body[field] = DEFAULTS[schema.type];
		} else if (!(names === 'reset' && 'Items' in form)) {
			return undefined;
		}
	}
	return { ...call, body };
}
