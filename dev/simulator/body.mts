import { invalid, ServiceError } from './errors.mts';
import type { Operation } from './openapi.mts';
import type { Json } from './json.mts';

/** The media type of a Content-Type header, lower case and without parameters; '' for none. */
export const mediaType = (header: string | undefined): string =>
	(header ?? '').split(';')[0]!.trim().toLowerCase();

/** Converts a form value to the type of its schema; a value of another type stays text. */
function typed(value: string, schema: Json): unknown {
	switch (schema?.type) {
		case 'integer':
			return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
		case 'number':
			return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
		case 'boolean':
			return value === 'true' ? true : value === 'false' ? false : value;
		default:
			return value;
	}
}

/**
 * Parses an `application/x-www-form-urlencoded` body. Fields get the types of the contract,
 * repeated fields become arrays. A value that does not fit stays text, and validation refuses it
 * later.
 */
function parseForm(text: string, operation: Operation): Record<string, unknown> {
	const fields = new URLSearchParams(text);
	const entries = [...new Set(fields.keys())].map((name): [string, unknown] => {
		const schema = operation.form?.[name];
		const values = fields.getAll(name);
		if (schema?.type === 'array') return [name, values.map((value) => typed(value, schema.items))];
		return [name, values.length === 1 ? typed(values[0]!, schema) : values];
	});
	return Object.fromEntries(entries);
}

/** Parses the body of a request for validation; undefined when there is none. */
export function parseBody(
	text: string,
	contentType: string | undefined,
	operation: Operation,
): unknown {
	switch (mediaType(contentType)) {
		case 'application/x-www-form-urlencoded':
			return parseForm(text, operation);
		case 'application/json':
			try {
				return text === '' ? undefined : JSON.parse(text);
			} catch {
				throw invalid('body', 'The request body is not valid JSON.');
			}
		case '':
			return undefined;
		default:
			// Where a body is expected, the validator responds with 415 itself.
			if (operation.form || text === '') return undefined;
			throw new ServiceError(415, `Content type ${mediaType(contentType)} is not supported.`);
	}
}
