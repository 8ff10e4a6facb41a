/** Names of fields: ours, which are the contract's, and theirs. */

import type { Operation } from '../contract.mts';
import { fieldsOf, type Field } from './fields.mts';
import type { ByOperation, OtherService } from './settings.mts';

/** The entry of an operation by its ID, else by its name, which both of its paths share. */
export function ofOperation<Value>(
	table: Record<string, Value> | undefined,
	{ id, name }: Operation,
): Value | undefined {
	return table?.[id] ?? table?.[name];
}

const isForAll = <Choice,>(choices: ByOperation<Choice>): choices is readonly Choice[] =>
	Array.isArray(choices);

/** The choices for an operation; `fallback` without a setting. */
export function choicesFor<Choice>(
	choices: ByOperation<Choice> | undefined,
	operation: Operation,
	fallback: readonly Choice[],
): readonly Choice[] {
	if (choices === undefined) return fallback;
	if (isForAll(choices)) return choices;
	return ofOperation(choices, operation) ?? choices['*'] ?? fallback;
}

/** What the service calls a field. Entries of lists are named as `Items[].itemId`. */
export function theirName(service: OtherService, operation: Operation, ours: string): string {
	const names = ofOperation(service.names, operation);
	const own = ours.slice(ours.lastIndexOf('.') + 1);
	return names?.[ours] ?? own;
}

/** The contract's name of a field in a body; undefined when the service does not know it. */
export function ourName(
	service: OtherService,
	operation: Operation,
	theirs: string,
): string | undefined {
	const isIt = ({ name, in: place }: Field) =>
		place === 'body' && theirName(service, operation, name).toLowerCase() === theirs.toLowerCase();
	return fieldsOf(operation).find(isIt)?.name;
}

/** The service's name of a field in an error: `Items[0].itemId` can become `Parts[0].partId`. */
export function theirPlace(service: OtherService, operation: Operation, ours: string): string {
	const parts = ours.split('.');
	return parts
		.map((part, index) => {
			const [, name, place] = /^([^[]*)(.*)$/.exec(part)!;
			const path = [...parts.slice(0, index), name].join('.').replaceAll(/\[\d+\]/g, '[]');
			return theirName(service, operation, path) + place;
		})
		.join('.');
}
