import { mediaType } from '../body.mts';
import { readContract, type Operation } from '../contract.mts';
import { itemProperties } from '../itemsField.mts';
import type { Json } from '../json.mts';
import type { PracticeService } from './services.mts';

const isList = (schema: Json) => schema.type === 'array';

/** What a service calls a field of an operation. */
export const theirName = ({ names }: PracticeService, { name }: Operation, field: string) =>
	names?.[name]?.[field] ?? field.slice(field.lastIndexOf('.') + 1);

/** The fields of a body by lower-case name, as a service with this tolerance for names reads them. */
function readBody(
	service: PracticeService,
	contentType: string,
	body: string,
): Map<string, Json[]> {
	const isJson = mediaType(contentType) === 'application/json';
	if (service.isJsonOnly && !isJson) return new Map();
	const fields = new Map<string, Json[]>();
	const pairs: [string, Json][] = isJson
		? Object.entries(JSON.parse(body || '{}')).map(([name, value]) => [name, value])
		: [...new URLSearchParams(body)];
	for (const [name, value] of pairs) {
		const key = name.toLowerCase();
		fields.set(key, [...(fields.get(key) ?? []), ...(Array.isArray(value) ? value : [value])]);
	}
	return fields;
}

/** The entries of `Items` under the contract's names, without those that the service does not know. */
function readEntries(service: PracticeService, operation: Operation, sent: Json[]): Json[] {
	const entries: Json = typeof sent[0] === 'string' ? JSON.parse(sent[0]) : sent;
	// The simulator refuses what is no list.
	if (!Array.isArray(entries)) return entries;
	return entries.map((entry) =>
		Object.fromEntries(
			itemProperties.flatMap((own) => {
				const theirs = theirName(service, operation, `Items[].${own}`).toLowerCase();
				const [found] = Object.entries(entry).filter(([name]) => name.toLowerCase() === theirs);
				return found === undefined ? [] : [[own, found[1]]];
			}),
		),
	);
}

/** The form of the contract for what was sent. */
export function toContract(
	service: PracticeService,
	operation: Operation,
	contentType: string,
	body: string,
): string {
	const fields = readBody(service, contentType, body);
	const form = new URLSearchParams();
	for (const [field, schema] of Object.entries(operation.form ?? {})) {
		const sent = fields.get(theirName(service, operation, field).toLowerCase());
		if (sent === undefined) continue;
		if (schema.contentSchema) {
			form.set(field, JSON.stringify(readEntries(service, operation, sent)));
			continue;
		}
		const isText = sent.length === 1 && typeof sent[0] === 'string';
		const values = !isList(schema)
			? sent.slice(-1)
			: service.hasCommas && isText
				? sent[0].split(',')
				: service.hasCommas && mediaType(contentType) !== 'application/json'
					? sent.slice(-1)
					: sent;
		for (const value of values) form.append(field, String(value));
	}
	return String(form);
}

/** An error body of the contract under the names of the service. */
export function theirErrors(service: PracticeService, operation: Operation, body: Json): Json {
	const errors: Json[] = body.responseStatus?.errors ?? [];
	for (const error of errors) {
		const [list = '', inner] = error.fieldName.split(/\[\d+\]\./);
		const place = error.fieldName.slice(list.length, inner && -inner.length);
		const name = theirName(service, operation, list) + place;
		error.fieldName = inner ? name + theirName(service, operation, `${list}[].${inner}`) : name;
	}
	return body;
}

const contract = readContract();

/** The names in the query of an operation. */
const queryOf = ({ path, method }: Operation): string[] =>
	(contract.paths[path][method.toLowerCase()].parameters ?? [])
		.map((one: Json) => contract.components.parameters[one.$ref?.split('/').at(-1)] ?? one)
		.filter((one: Json) => one.in === 'query')
		.map((one: Json) => one.name);

/** What a service says of itself: its operations with the names of their fields. */
export function describe(service: PracticeService, operations: readonly Operation[]): string {
	const typeOf = (operation: Operation) => {
		const fields = [...queryOf(operation), ...Object.keys(operation.form ?? {})].map(
			(field) => `\t${theirName(service, operation, field)}?: unknown;\n`,
		);
		return `// ${operation.method} ${operation.path}\nexport class ${operation.name.replace('.', '_')} {\n${fields.join('')}}\n`;
	};
	return operations
		.filter(({ isAlternate }) => !isAlternate)
		.map(typeOf)
		.join('\n');
}
