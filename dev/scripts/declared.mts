/** Lists the operations as the node declares them, with the example values for the docs. */
import type { INodeProperties } from 'n8n-workflow';
import { selectSentIds, type Operation } from '../../nodes/PortalIo/operation/operation.ts';
import { simplifiedNames } from '../../nodes/PortalIo/operation/output.ts';
import { registry } from '../../nodes/PortalIo/resources/index.ts';
import type { JsonType, Shape } from '../../nodes/shared/simplify.ts';
import { plainValues, recordRequests } from './recordedCall.mts';
import { findExample, type Parameters } from './examples.mts';

export type Declared = Awaited<ReturnType<typeof declaredOperations>>[number];

export async function declaredOperations() {
	const all = Object.entries(registry).flatMap(([resource, { name: resourceName, operations }]) =>
		Object.entries(operations).map(async ([operation, declaration]) => {
			const {
				example: parameters,
				forAgents = '',
				returns,
			} = findExample(`${resource}.${operation}`);
			const example = toStoredValue(declaration.fields, parameters);
			/** Returns the changing requests in order, or the reads if there are no changes. */
			const steps = async (parameters: Parameters) => {
				const values = await plainValues(declaration, parameters);
				const sent = await recordRequests(declaration, values);
				const changes = sent.filter(({ method }) => method !== 'GET');
				return changes.length > 0 ? changes : sent;
			};
			const exampleSteps = await steps(example);
			return {
				resource,
				resourceName,
				operation,
				declaration,
				example,
				forAgents,
				returns,
				exampleSteps,
				page: `${resource}.md#${declaration.name.toLowerCase().replaceAll(' ', '-')}`,
				completeSteps: await steps(completed(declaration.fields, example)),
				output: await recordOutput(declaration, example),
				furtherFields: furtherFields(declaration),
			};
		}),
	);
	return await Promise.all(all);
}

function furtherFields({ output }: Operation): string[] {
	if (!('flat' in output)) return [];
	const simplified = simplifiedNames(output);
	return Object.keys(output.flat).filter((name) => !simplified.includes(name));
}

async function recordOutput(
	declaration: Operation,
	example: Parameters,
): Promise<Record<string, JsonType>> {
	const { output } = declaration;
	if (!('confirms' in output)) {
		const types = readTypes('asIs' in output ? output.asIs : output.flat);
		return Object.fromEntries(simplifiedNames(output).map((name) => [name, types[name]!]));
	}
	const ids = Object.entries(
		selectSentIds(declaration, await plainValues(declaration, example)),
	).map(([name, value]) => [name, Array.isArray(value) ? 'array' : 'integer'] as const);
	return { [output.confirms]: 'boolean', ...Object.fromEntries(ids) };
}

/** Returns the types of an output's fields by name. */
export const readTypes = (shape: Shape<never>): Record<string, JsonType> =>
	Object.fromEntries(
		Object.entries(shape).map(([name, field]) => [
			name,
			typeof field === 'string' ? field : field[0],
		]),
	);

/** Returns the fields that can be added to a collection, or that a row has. */
export function innerFields({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	return options.flatMap((group) => ('values' in group ? group.values : []));
}

/** Converts an example to the node's stored form, with records as resource locators. */
function toStoredValue(fields: INodeProperties[], parameters: Parameters): Parameters {
	const entries = Object.entries(parameters).map(([name, value]) => {
		const field = fields.find((one) => one.name === name);
		if (field === undefined) throw new Error(`No operation has a field ${name} there`);
		const inner = (one: unknown) => toStoredValue(innerFields(field), one as Parameters);
		if (field.type === 'resourceLocator') {
			return [name, { __rl: true, mode: 'id', value: String(value) }];
		}
		if (field.type === 'collection') return [name, inner(value)];
		if (field.type !== 'fixedCollection') return [name, value];
		const groups = Object.entries(value as Record<string, unknown[]>);
		return [name, Object.fromEntries(groups.map(([group, rows]) => [group, rows.map(inner)]))];
	});
	return Object.fromEntries(entries);
}

/** Adds a value for every field that an example omits. */
function completed(fields: INodeProperties[], parameters: Parameters): Parameters {
	// Skip options that require a different output.
	const visibleFields = fields.filter(({ displayOptions }) => !displayOptions?.show?.['/output']);
	const entries = visibleFields.map((field) => {
		const value = parameters[field.name];
		return field.type === 'collection'
			? [field.name, completed(innerFields(field), (value ?? {}) as Parameters)]
			: [field.name, value ?? createValue(field)];
	});
	return Object.fromEntries(entries);
}

function createValue(field: INodeProperties): unknown {
	const { type, options: [first] = [], placeholder = 'e.g. any' } = field;
	const values: Record<string, unknown> = {
		boolean: true,
		number: field.typeOptions?.minValue ?? 1,
		resourceLocator: 1,
		dateTime: '2026-11-01',
		multiOptions: [first !== undefined && 'value' in first ? first.value : 1],
		string: placeholder.replace('e.g. ', ''),
	};
	return type in values ? values[type] : field.default;
}
