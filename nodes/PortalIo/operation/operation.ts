import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { requireList } from '../../../client/guards';
import type { PagedList, PageShape } from '../../../client/lists';
import type { ServiceRequest } from '../../../client/request';
import type { Upload } from '../../../client/upload';
import {
	propertiesOf,
	readFields,
	type Field,
	type FieldMap,
	type Reading,
	type Values,
} from '../fields/field';
import { withDefaults, withOutput, type Output, type OutputChoice, type Result } from './output';

/** Sends the requests of an operation for one input. Every error names the input. */
export interface Call<V = unknown> {
	readonly values: V;
	readonly baseUrl: string;
	/** True if the model of an AI agent reads the errors. */
	readonly isTool: boolean;
	readonly lastChange?: ServiceRequest;
	/** The options of areas that were created for this input. */
	readonly newOptionIds: ReadonlySet<number>;
	/** Returns an object, an array, text, or `''` for an empty response; throws a PortalError. */
	send(request: ServiceRequest): Promise<unknown>;
	/** Returns undefined if the record does not exist. */
	readIfExists(request: ServiceRequest): Promise<unknown>;
	/** Reads up to `limit` records of a list in pages; `limit` defaults to the *Limit* of the user. */
	readList(list: PagedList, limit?: number): Promise<IDataObject[]>;
	upload(upload: Upload): Promise<unknown>;
	/** @throws PortalError when the execution is stopped */
	pause(seconds: number): Promise<void>;
	hint(message: string): void;
	/** Shows a warning next to the output, and logs it. */
	warn(message: string): void;
}

type Effect<V> =
	| { kind: 'read' }
	| {
			kind: 'change';
			/**
			 * Inputs wait for each other if they have the same value of this field or the same key, also across the
			 * executions of this process. An input whose key is undefined waits for none.
			 */
			queue: (keyof V & string) | 'none' | ((values: V) => string | undefined);
	  };

interface Behavior<V> {
	name: string;
	/** The name in the nodes panel, with the resource and without articles. */
	action: string;
	/** The description in the list of operations; AI agents get the action. */
	description: string;
	/** Says whether the step checks its result; absent if Portal.io has published the names of all fields. */
	unconfirmed?: 'checked' | 'unchecked';
	/** True if the proposal of the field is only read, so its status is not the reason for a failed change. */
	onlyReadsProposal?: true;
	/** Checks values against each other before any input is sent; throws a FieldError. */
	validate?(values: V): void;
	run(call: Call<V>): Promise<Result>;
	/** The fields of the records; if absent, the output is a confirmation with the sent IDs. */
	output?: Output;
}

/** The values of the fields of one input, for any operation. */
export type AnyValues = Values<FieldMap>;

export interface ReadValues {
	values: AnyValues;
	/** Returns all values. It reads the fields whose records earlier inputs may create. */
	readLater?: () => Promise<AnyValues>;
}

export interface Operation extends Behavior<AnyValues> {
	kind: 'read' | 'change';
	/** Inputs with the same key wait for each other; an input without a key waits for none. */
	queueKey(values: AnyValues): string | undefined;
	/** The fields lack `resource` and `operation` in their display options. The description adds both. */
	fields: INodeProperties[];
	/** Reads the fields and looks up the records that they name; throws a FieldError. */
	read(userInput: Record<string, unknown>, reading: Reading): Promise<ReadValues>;
	idFields: string[];
	/** Errors name the proposal in this field. */
	proposalField?: string;
	/** Returns the *Limit* of the user; Infinity if none is set. */
	limitOf(values: AnyValues): number;
}

/** Returns the IDs among the values, which are the output if Portal.io returns no record. */
export const sentIds = ({ idFields }: Operation, values: AnyValues): IDataObject =>
	Object.fromEntries(
		idFields
			.map((name) => [name, values[name]] as const)
			.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
	) as IDataObject;

/** Declares an operation. Its functions get the values that the fields have read. */
export function operation<F extends FieldMap>(
	declaration: Behavior<Values<F> & OutputChoice> & Effect<Values<F>> & { fields: F },
): Operation {
	const { fields: declaredFields, ...behavior } = declaration;
	const fields = withOutput(declaredFields, behavior.output);
	const fieldFor = (purpose: Field<unknown>['purpose']) =>
		Object.keys(fields).find((name) => fields[name]!.purpose === purpose);
	return {
		...(behavior as unknown as Behavior<AnyValues> & Effect<AnyValues>),
		fields: propertiesOf(fields),
		queueKey: (values) => queueKeyOf(declaration, values as Values<F>),
		read: async (userInput, reading) => {
			const immediateFields: FieldMap = {};
			const deferredFields: FieldMap = {};
			for (const [name, field] of Object.entries(fields)) {
				(field.isReadLater?.(userInput) ? deferredFields : immediateFields)[name] = field;
			}
			const values = await readFields(immediateFields, userInput, reading);
			declaration.validate?.(values as Values<F> & OutputChoice);
			if (Object.keys(deferredFields).length === 0) return { values };
			const readLater = async () => ({
				...values,
				...(await readFields(deferredFields, userInput, { ...reading, earlierValues: values })),
			});
			return { values, readLater };
		},
		idFields: Object.keys(fields).filter((name) => fields[name]!.isId),
		proposalField: fieldFor('proposal'),
		limitOf: (values) => (values[fieldFor('limit') ?? ''] as number | undefined) ?? Infinity,
	};
}

function queueKeyOf<V>(effect: Effect<V>, values: V): string | undefined {
	if (effect.kind === 'read' || effect.queue === 'none') return undefined;
	const { queue } = effect;
	return typeof queue === 'function' ? queue(values) : `${queue} ${String(values[queue])}`;
}

/** Describes a response that is not the record itself. */
interface ResponseContent<V> {
	list?: [name: string, count?: string];
	pages?: PageShape;
	/** Values of the input that each record gets if the response leaves them out. */
	inputFields?: Array<keyof V & string>;
}

/** Returns the `run` of an operation that sends one request for an input. */
export const oneRequest =
	<V>(
		requestOf: (values: V) => ServiceRequest,
		{ list, pages, inputFields = [] }: ResponseContent<NoInfer<V>> = {},
	) =>
	async ({ values, send, readList }: Call<V>): Promise<Result> => {
		const request = requestOf(values);
		const response = pages ? await readList({ request, ...pages }) : await send(request);
		const records = list ? requireList(response, ...list) : [response].flat();
		const inputValues = Object.fromEntries(inputFields.map((name) => [name, values[name]]));
		const defaults = inputValues as IDataObject;
		return { records: records.map((record) => withDefaults(record, defaults)) };
	};

/** A resource, with its operations by parameter value. */
export interface Resource {
	name: string;
	description: string;
	operations: Record<string, Operation>;
}
