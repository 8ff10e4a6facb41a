import { mediaType } from '../body.mts';
import type { Operation } from '../contract.mts';
import { invalid, ServiceError } from '../errors.mts';
import type { Json } from '../json.mts';
import { choicesFor } from './names.mts';
import { pathValues } from './routes.mts';
import type { Format, OtherService } from './settings.mts';

/** A request as it was sent. */
export interface SentRequest {
	path: string;
	query: string;
	contentType: string | undefined;
	bodyText: string;
}

/** What was sent under each name, in lower case; a repeated field has several values. */
export type Values = ReadonlyMap<string, unknown[]>;

function collect(entries: Iterable<[string, unknown]>): Values {
	const found = new Map<string, unknown[]>();
	for (const [name, value] of entries) {
		const key = name.toLowerCase();
		found.set(key, [...(found.get(key) ?? []), value]);
	}
	return found;
}

const formats: Record<string, Format> = {
	'application/x-www-form-urlencoded': 'form',
	'application/json': 'json',
};

function readJson(text: string): [string, unknown][] {
	let value: Json;
	try {
		value = text === '' ? {} : JSON.parse(text);
	} catch {
		throw invalid('body', 'The request body is not valid JSON.');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw invalid('body', 'The request body must be a JSON object.');
	}
	// null is as good as absent; a list is the values of a repeated field
	return Object.entries(value).flatMap(([name, one]): [string, unknown][] =>
		one === null ? [] : [[name, one]],
	);
}

function readBody(service: OtherService, operation: Operation, sent: SentRequest): Values {
	const type = mediaType(sent.contentType);
	const format = formats[type];
	const read = choicesFor(service.formats, operation, ['form', 'json']);
	if (format !== undefined && read.includes(format)) {
		return collect(
			format === 'json' ? readJson(sent.bodyText) : new URLSearchParams(sent.bodyText),
		);
	}
	if (service.otherFormat === 'refused' && type !== '') {
		throw new ServiceError(415, `Content type ${type} is not supported.`);
	}
	return new Map();
}

/** The places from which fields are filled, the first one wins. */
export function readSources(
	service: OtherService,
	operation: Operation,
	sent: SentRequest,
	hasBody: boolean,
): { sources: Values[]; error?: unknown } {
	const others = [
		collect(new URLSearchParams(sent.query)),
		collect(pathValues(operation, sent.path)),
	];
	if (!hasBody) return { sources: others };
	try {
		return { sources: [readBody(service, operation, sent), ...others] };
	} catch (error) {
		return { sources: others, error };
	}
}
