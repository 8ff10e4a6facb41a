import { camelCase, type Operation } from '../contract.mts';
import type { Json } from '../json.mts';
import { ofOperation } from './names.mts';
import type { AnswerChanges, Names, OtherService } from './settings.mts';

/** Calls `change` with each object that has the last field of a path, and that field's name. */
function atPath(value: Json, path: string, change: (owner: Json, field: string) => void): void {
	if (Array.isArray(value)) {
		for (const one of value) atPath(one, path, change);
		return;
	}
	if (typeof value !== 'object' || value === null) return;
	const [first, ...rest] = path.split('.');
	if (rest.length === 0) change(value, first!);
	else atPath(value[first!], rest.join('.'), change);
}

const converters: Record<string, (value: unknown) => unknown> = {
	text: (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)),
	number: (value) => Number(value) || 0,
	boolean: Boolean,
	list: (value) => [value],
	null: () => null,
};

/** Renamings in an order in which every path still has its original names. */
export const deepestFirst = (rename: Names = {}): [string, string][] =>
	Object.entries(rename).sort(
		([left], [right]) => right.split('.').length - left.split('.').length,
	);

function applyChanges(body: Json, { rename, remove, add, types }: AnswerChanges): void {
	for (const [path, type] of Object.entries(types ?? {})) {
		atPath(body, path, (owner, field) => {
			if (field in owner) owner[field] = converters[type]!(owner[field]);
		});
	}
	for (const path of remove ?? [])
		atPath(body, path, (owner, field) => Reflect.deleteProperty(owner, field));
	for (const [path, value] of Object.entries(add ?? {})) {
		atPath(body, path, (owner, field) => (owner[field] = value));
	}
	for (const [path, name] of deepestFirst(rename)) {
		atPath(body, path, (owner, field) => {
			if (!(field in owner)) return;
			owner[name] = owner[field];
			Reflect.deleteProperty(owner, field);
		});
	}
}

/** Writes the service's own values into every field of the name, at any depth. */
function writeValues(body: Json, values: Record<string, Record<string, string>>): void {
	if (typeof body !== 'object' || body === null) return;
	for (const [name, value] of Object.entries(body)) {
		if (typeof value === 'string') body[name] = values[name]?.[value] ?? value;
		else writeValues(value, values);
	}
}

/** A response of the contract as this service sends it. */
export function theirAnswer(service: OtherService, operation: Operation, answer: unknown): unknown {
	const body = structuredClone(answer);
	const values = Object.entries(service.values ?? {}).map(([name, one]) => [camelCase(name), one]);
	if (values.length > 0) writeValues(body, Object.fromEntries(values));
	for (const changes of [service.answers?.['*'], ofOperation(service.answers, operation)]) {
		if (changes) applyChanges(body, changes);
	}
	return body;
}
