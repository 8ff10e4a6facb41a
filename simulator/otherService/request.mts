/** Translates requests: what this service calls and writes one way, the contract another. */

import { typed } from '../body.mts';
import type { Operation } from '../contract.mts';
import { invalid } from '../errors.mts';
import type { Json } from '../json.mts';
import { readEntries } from './entries.mts';
import { contentTypeOf, fieldsOf, type Field } from './fields.mts';
import { readList } from './lists.mts';
import { choicesFor, theirName } from './names.mts';
import { contractPath } from './routes.mts';
import { readSources, type SentRequest, type Values } from './sources.mts';
import type { ListForm, OtherService } from './settings.mts';

/** A request in the form of the contract. */
export interface OurRequest {
	/** Path and query. */
	url: string;
	/** Undefined when the operation takes no body, or reads it as a stream. */
	body: Record<string, unknown> | undefined;
	contentType: string | undefined;
	/** Why the request is refused, once its sender is known. */
	error: unknown;
}

const everyListForm: readonly ListForm[] = ['repeated', 'commas', 'brackets'];

/** How the events of a subscription are read, where that is not as other lists. */
function eventForms({ events }: OtherService, sent: unknown[]): readonly ListForm[] | undefined {
	const { several } = events ?? {};
	if (several === undefined || several === 'commas') return several && [several];
	const values = sent.flat();
	if (several === 'one' && values.length > 1) throw invalid('Events', 'Events must be one event.');
	// the handler would read them as several
	const withComma = values.find((one) => String(one).includes(','));
	if (withComma !== undefined) throw invalid('Events', `Unknown event: ${withComma}.`);
	return ['repeated'];
}

/** The contract's value for one of this service; its own values are unknown where they differ. */
function ourValue(service: OtherService, name: string, value: unknown): unknown {
	const values = service.values?.[name];
	if (values === undefined) return value;
	const found = Object.entries(values).find(([, theirs]) => theirs === value);
	if (found) return found[0];
	if (Object.hasOwn(values, String(value))) throw invalid(name, `${value} is not known.`);
	return value;
}

function convert(value: unknown, schema: Json): unknown {
	if (typeof value === 'string') {
		return typed(schema?.type === 'boolean' ? value.toLowerCase() : value, schema);
	}
	return schema?.type === 'string' && typeof value !== 'object' ? String(value) : value;
}

function readField(
	service: OtherService,
	operation: Operation,
	{ name, schema }: Field,
	sources: Values[],
): unknown {
	const key = theirName(service, operation, name).toLowerCase();
	const sent = sources.map((values) => values.get(key)).find((found) => found !== undefined);
	if (sent === undefined) return undefined;
	if (schema.contentSchema) {
		return readEntries(service, operation, name, sent.length > 1 ? sent : sent[0]);
	}
	if (schema.type !== 'array') return ourValue(service, name, convert(sent.at(-1), schema));
	const forms =
		(name === 'Events' ? eventForms(service, sent) : undefined) ??
		choicesFor(service.lists, operation, everyListForm);
	return readList(name, sent, forms).map((one) =>
		ourValue(service, name, convert(one, schema.items)),
	);
}

/** The query of the contract: lists as repeated parameters. */
function queryOf(fields: [string, unknown][]): string {
	const pairs = fields.flatMap(([name, value]) =>
		[value].flat().map((one): [string, string] => [name, String(one)]),
	);
	return new URLSearchParams(pairs).toString();
}

/** The contract's form of a request to an operation of this service. */
export function translate(
	service: OtherService,
	operation: Operation,
	sent: SentRequest,
): OurRequest {
	const type = contentTypeOf(operation);
	const hasBody = type !== undefined && !operation.isStreamed;
	const { sources, error: unreadable } = readSources(service, operation, sent, hasBody);
	let error = unreadable;
	const read = (place: Field['in']) =>
		fieldsOf(operation)
			.filter((field) => field.in === place)
			.flatMap((field): [string, unknown][] => {
				try {
					const value = readField(service, operation, field, sources);
					if (value === undefined && place === 'path') {
						throw invalid(field.name, `${field.name} must not be empty.`);
					}
					return value === undefined ? [] : [[field.name, value]];
				} catch (one) {
					error ??= one;
					return [];
				}
			});
	const path = Object.fromEntries(read('path').map(([name, value]) => [name, String(value)]));
	const query = queryOf(read('query'));
	return {
		url: contractPath(operation, path) + (query && `?${query}`),
		body: hasBody ? Object.fromEntries(read('body')) : undefined,
		contentType: hasBody ? type : undefined,
		error,
	};
}
