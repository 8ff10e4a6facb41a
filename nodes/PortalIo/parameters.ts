import type { IExecuteFunctions, INodeProperties, INodePropertyMode } from 'n8n-workflow';
import { utcOf } from './shared/dates';
import type { Operation, Parameters } from './shared/operation';

/**
 * Reads the fields of an operation for one input, and makes plain values of what n8n wraps.
 *
 * @throws FieldError for a date that is none
 */
export function readParameters(
	context: IExecuteFunctions,
	operation: Operation,
	itemIndex: number,
): Parameters {
	const timezone = context.getTimezone();
	return Object.fromEntries(
		operation.fields.map((field) => [
			field.name,
			plain(context.getNodeParameter(field.name, itemIndex, field.default), field, timezone),
		]),
	);
}

function plain(value: unknown, field: INodeProperties, timezone: string): unknown {
	if (field.type === 'resourceLocator') return locatedId(value, field.modes ?? []);
	if (field.type === 'dateTime' && value !== undefined && value !== null && value !== '') {
		return utcOf(value, field.displayName, timezone);
	}
	if (field.type === 'collection' && typeof value === 'object' && value !== null) {
		const inner = (field.options ?? []) as INodeProperties[];
		return Object.fromEntries(
			Object.entries(value).map(([name, entry]) => {
				const option = inner.find((one) => one.name === name);
				return [name, option === undefined ? entry : plain(entry, option, timezone)];
			}),
		);
	}
	return value;
}

/**
 * The ID behind a resource locator. Templates, expressions and AI agents give a plain ID, and people
 * paste the address of a page where an ID is asked for: all of them are understood.
 */
function locatedId(value: unknown, modes: INodePropertyMode[]): unknown {
	const isLocator = typeof value === 'object' && value !== null && 'value' in value;
	const id = isLocator ? value.value : value;
	if (typeof id !== 'string' || !/^\s*https?:/i.test(id)) return id;
	for (const { extractValue } of modes) {
		if (extractValue?.type !== 'regex') continue;
		const [, found] = new RegExp(String(extractValue.regex)).exec(id) ?? [];
		if (found !== undefined) return found;
	}
	return id;
}
