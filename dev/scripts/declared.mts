/** The operations as the node declares them, with what the documentation fills their fields with. */
import type * as requestOptions from '../../nodes/PortalIo/run/requestOptions.ts';
import type * as resources from '../../nodes/PortalIo/resources/index.ts';
import type * as operations from '../../nodes/PortalIo/operation/operation.ts';
import type * as outputs from '../../nodes/PortalIo/operation/output.ts';
import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../nodes/PortalIo/operation/operation.ts';
import type { JsonType } from '../../nodes/shared/shape.ts';
import { recordRequests, type Recorded } from './recordedCall.mts';
import { exampleValues, shownInCollections } from './exampleValues.mts';

/** What the documentation is written from: a script takes it from the build, a test from the source. */
export type Declarations = Pick<typeof resources, 'registry'> &
	Pick<typeof operations, 'sentIds'> &
	Pick<typeof outputs, 'schemaOf'> &
	Pick<typeof requestOptions, 'requestOptions'>;

/** Values of fields as the node stores them. */
export type Parameters = Record<string, unknown>;

/** One operation, by its parameter values. */
export interface Declared {
	resource: string;
	operation: string;
	resourceName: string;
	declaration: Operation;
	/** Its section below `docs/operations/`. */
	page: string;
	/** What the example is filled in with. */
	example: Parameters;
	/** A value for every field. */
	complete: Parameters;
	/** What the example sends: its changes in order, or the reads where it makes none. */
	exampleSteps: Recorded[];
	/** As `exampleSteps`, with a value for every field. */
	completeSteps: Recorded[];
	/** Every request that it may send for values of the fields, whatever the service has. */
	requests(parameters: Parameters): Promise<Recorded[]>;
	/** The fields of the output, simplified where the operation can be. */
	output: Record<string, JsonType>;
}

/** Every operation, in the order of the editor. */
export async function declaredOperations(declarations: Declarations): Promise<Declared[]> {
	const all = Object.entries(declarations.registry).flatMap(([resource, { name, operations }]) =>
		Object.entries(operations).map(async ([operation, declaration]) => {
			const key = `${resource}.${operation}`;
			const example = exampleOf(key, declaration);
			const complete = completeOf(key, declaration);
			const record = async (parameters: Parameters, exists: boolean) =>
				await recordRequests(
					declaration,
					declaration.read(parameters, { timezone: 'UTC' }),
					exists,
				);
			const steps = async (parameters: Parameters) => {
				const sent = await record(parameters, false);
				const changes = sent.filter(({ method }) => method !== 'GET');
				return changes.length > 0 ? changes : sent;
			};
			return {
				resource,
				operation,
				resourceName: name,
				declaration,
				page: `${resource}.md#${declaration.name.toLowerCase().replaceAll(' ', '-')}`,
				example,
				complete,
				exampleSteps: await steps(example),
				completeSteps: await steps(complete),
				requests: async (parameters: Parameters) => {
					const sent = [...(await record(parameters, false)), ...(await record(parameters, true))];
					return [...new Map(sent.map((one) => [JSON.stringify(one), one])).values()];
				},
				output: runItem(declarations, declaration, example),
			};
		}),
	);
	return await Promise.all(all);
}

function runItem(
	{ sentIds, schemaOf }: Declarations,
	declaration: Operation,
	example: Parameters,
): Record<string, JsonType> {
	if (declaration.output !== undefined) return schemaOf(declaration.output);
	const values = declaration.read(example, { timezone: 'UTC' });
	const isDeletion = declaration.request?.(values).method === 'DELETE';
	const ids = Object.entries(sentIds(declaration, values)).map(
		([name, value]) => [name, Array.isArray(value) ? 'array' : 'integer'] as const,
	);
	return { [isDeletion ? 'deleted' : 'success']: 'boolean', ...Object.fromEntries(ids) };
}

/** The fields that can be added to a collection, or that a row has. */
export function innerFields({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	if (type === 'fixedCollection') {
		return options.flatMap((group) => ('values' in group ? group.values : []));
	}
	return [];
}

function exampleOf(key: string, { fields }: Operation): Parameters {
	const isShown = ({ displayOptions }: INodeProperties) =>
		Object.entries(displayOptions?.show ?? {}).every(([name, values]) =>
			values?.includes(fields.find((one) => one.name === name)?.default as string),
		);
	const shown = fields.filter(
		(field) => isShown(field) && !['returnAll', 'limit', 'simplify'].includes(field.name),
	);
	return valuesOf(key, shown, ({ name }) => shownInCollections[key]?.includes(name) ?? false);
}

const completeOf = (key: string, { fields }: Operation): Parameters =>
	valuesOf(key, fields, () => true);

/** Values of fields, and of those in collections that are to have one. */
function valuesOf(
	key: string,
	fields: INodeProperties[],
	isWanted: (inner: INodeProperties) => boolean,
): Parameters {
	const entries = fields
		.filter(({ type }) => type !== 'notice')
		.map((field) => {
			const inner = innerFields(field);
			if (inner.length === 0) return [field.name, valueOf(key, field)] as const;
			const wanted = inner.filter(isWanted).map((one) => [one.name, valueOf(key, one)] as const);
			if (wanted.length === 0) return undefined;
			const value = Object.fromEntries(wanted);
			const group = field.type === 'fixedCollection' ? field.options![0]!.name : undefined;
			return [field.name, group === undefined ? value : { [group]: [value] }] as const;
		});
	return Object.fromEntries(entries.filter((entry) => entry !== undefined));
}

function valueOf(key: string, field: INodeProperties): unknown {
	const { name, type, default: byDefault } = field;
	const value = exampleValues[`${key}.${name}`] ?? exampleValues[name];
	if (value === undefined) {
		if (type === 'boolean') return true;
		if (['options', 'number', 'fixedCollection'].includes(type) && byDefault !== '') {
			return byDefault;
		}
		throw new Error(`Add to dev/scripts/exampleValues.mts a value for ${key}.${name}`);
	}
	return type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;
}
