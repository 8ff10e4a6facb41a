import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ServiceRequest } from '../../../client/request';
import type { FieldValue } from '../../../client/encoding';
import type { PagedList } from '../../../client/pages';
import type { PortalError } from '../../../client/errors';
import type { Upload } from '../../../client/upload';
import { propertiesOf, readFields, type Fields, type Reading, type Values } from '../fields/field';
import { withOutput, type Output, type Result } from './output';

/** Sends the requests of an operation for one input. Every error names the input. */
export interface Call<V = unknown> {
	/** The values of the fields. */
	readonly values: V;
	/** Where the service is. */
	readonly baseUrl: string;
	/** When its first change was sent, by the clock of the service. */
	readonly sentAt: number;
	/** The change that was sent last. */
	readonly lastChange?: ServiceRequest;
	/**
	 * @returns the response: an object, an array, text, or `''` for an empty one
	 * @throws PortalError in the user's words
	 */
	send(request: ServiceRequest): Promise<unknown>;
	/**
	 * Reads a list that comes in pages.
	 *
	 * @param limit the largest number of records; when absent, what the user gave as *Limit*
	 */
	readList(list: PagedList, limit?: number): Promise<IDataObject[]>;
	/** Streams a file of the input to the service. */
	upload(upload: Upload): Promise<unknown>;
	/** @throws PortalError when the execution is stopped */
	pause(seconds: number): Promise<void>;
	/** Shows a hint next to the output, in an n8n that has hints. */
	hint(message: string): void;
	/** Reports next to the output and in the log which data are missing and why. */
	warn(message: string): void;
	/** An error in the user's words. */
	error(message: string, advice?: string): PortalError;
}

/** The work of an operation with the values of its fields. */
interface Behavior<V> {
	/** As the list of operations shows it. */
	name: string;
	/** As the nodes panel shows it, with the resource and without articles. */
	action: string;
	/** The description in the list of operations; AI agents get the action. */
	description: string;
	/**
	 * Called with the values of each input before anything is sent for the first one.
	 *
	 * @throws FieldError where the values do not go together
	 */
	validate?(values: V): void;
	/** Sends what an input needs, in order. */
	run(call: Call<V>): Promise<Result>;
	/** Inputs with the same key wait for each other; when absent, changes of the same record do. */
	queue?(values: V): string | undefined;
	/**
	 * The fields of the records; when absent, the output is a confirmation with the IDs that were
	 * sent.
	 */
	output?: Output;
}

/** The values of the fields of one input, for any operation. */
export type AnyValues = Values<Fields>;

/** The values of the fields of one input. */
export interface ReadValues {
	values: AnyValues;
	/**
	 * Where a field names what an earlier input of the step may create: reads that field, when the
	 * changes of the earlier inputs are made, and returns all values.
	 */
	readInTurn?: () => Promise<AnyValues>;
}

/** One operation of the node. */
export interface Operation extends Behavior<AnyValues> {
	/** Without `resource` and `operation` in their display options: the registry adds them. */
	fields: INodeProperties[];
	/**
	 * Reads what a user gave, by the names of the fields, and finds the records that it names.
	 *
	 * @throws FieldError naming the field
	 */
	read(given: Record<string, unknown>, reading: Reading): Promise<ReadValues>;
	/** The names of the fields that hold IDs. */
	idFields: string[];
}

/** The IDs among the values: the output where the service returns no record. */
export const sentIds = ({ idFields }: Operation, values: AnyValues): IDataObject =>
	Object.fromEntries(
		idFields
			.map((name) => [name, values[name]] as const)
			.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
	) as IDataObject;

/** Declares an operation: each function gets the values of the fields as they are read. */
export function operation<F extends Fields>(
	declaration: Behavior<Values<F>> & { fields: F },
): Operation {
	const { fields: own, ...behavior } = declaration;
	const fields = withOutput(own, behavior.output);
	return {
		...(behavior as unknown as Behavior<AnyValues>),
		fields: propertiesOf(fields),
		read: async (given, reading) => {
			const now: Fields = {};
			const later: Fields = {};
			for (const [name, field] of Object.entries(fields)) {
				(field.isInTurn?.(given) ? later : now)[name] = field;
			}
			const values = await readFields(now, given, reading);
			declaration.validate?.(values as Values<F>);
			if (Object.keys(later).length === 0) return { values };
			const readInTurn = async () => ({
				...values,
				...(await readFields(later, given, { ...reading, earlier: values })),
			});
			return { values, readInTurn };
		},
		idFields: Object.keys(fields).filter((name) => fields[name]!.isId),
	};
}

/** The operations of a resource, by parameter value, and how the resource is shown. */
export interface Resource {
	name: string;
	/** As the list of resources shows it. */
	description: string;
	operations: Record<string, Operation>;
}

/**
 * Values under the names of forms and queries, which are those of the parameters in PascalCase:
 * `salesPersonId` is sent as `SalesPersonId`.
 */
export const toPascalCase = (values: Record<string, FieldValue>): Record<string, FieldValue> =>
	Object.fromEntries(
		Object.entries(values).map(([name, value]) => [
			name.charAt(0).toUpperCase() + name.slice(1),
			value,
		]),
	);
