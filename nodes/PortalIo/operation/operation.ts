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
import { withDefaults, withOutput, type Output, type Result } from './output';

/** Sends the requests of an operation for one input. Every error names the input. */
export interface Call<V = unknown> {
	readonly values: V;
	readonly baseUrl: string;
	readonly lastChange?: ServiceRequest;
	/** Returns an object, an array, text, or `''` for an empty response; throws a PortalError. */
	send(request: ServiceRequest): Promise<unknown>;
	/** Reads a record; returns undefined if there is none. */
	readIfExists(request: ServiceRequest): Promise<unknown>;
	/** Reads a list in pages: up to `limit` records, by default the *Limit* of the user. */
	readList(list: PagedList, limit?: number): Promise<IDataObject[]>;
	upload(upload: Upload): Promise<unknown>;
	/** @throws PortalError when the execution is stopped */
	pause(seconds: number): Promise<void>;
	hint(message: string): void;
	/** Shows a warning next to the output, and logs it. */
	warn(message: string): void;
}

/** What an operation does to Portal.io. */
type Effect<V> =
	| { kind: 'read' }
	| {
			kind: 'change';
			/**
			 * Which inputs wait for each other, also those of other executions in this process: inputs with the
			 * same value of a field, or for which a function returns the same key; undefined waits for none.
			 */
			queue: (keyof V & string) | 'none' | ((values: V) => string | undefined);
	  };

interface Behavior<V> {
	name: string;
	/** As the nodes panel shows it, with the resource and without articles. */
	action: string;
	/** The description in the list of operations; AI agents get the action. */
	description: string;
	/** Set if Portal.io has not published the field names of the request: whether the step checks its result. */
	unconfirmed?: 'checked' | 'unchecked';
	/** Checks values against each other, before anything is sent for any input; throws a FieldError. */
	validate?(values: V): void;
	run(call: Call<V>): Promise<Result>;
	/** The fields of the records; without it, the output is a confirmation with the sent IDs. */
	output?: Output;
}

/** The values of the fields of one input, for any operation. */
export type AnyValues = Values<FieldMap>;

export interface ReadValues {
	values: AnyValues;
	/** Reads, after earlier inputs, a field that names what they may create; returns all values. */
	readLater?: () => Promise<AnyValues>;
}

/** One operation of the node. */
export interface Operation extends Behavior<AnyValues> {
	kind: 'read' | 'change';
	/** Inputs with the same key wait for each other; undefined waits for none. */
	queueKey(values: AnyValues): string | undefined;
	/** Without `resource` and `operation` in their display options: the registry adds them. */
	fields: INodeProperties[];
	/** Reads the fields and looks up the records that they name; throws a FieldError. */
	read(userInput: Record<string, unknown>, reading: Reading): Promise<ReadValues>;
	idFields: string[];
	/** The name of the field with the proposal that errors name. */
	proposalField?: string;
	/** The *Limit* of the user; Infinity without one. */
	limitOf(values: AnyValues): number;
}

/** The IDs among the values: the output where the service returns no record. */
export const sentIds = ({ idFields }: Operation, values: AnyValues): IDataObject =>
	Object.fromEntries(
		idFields
			.map((name) => [name, values[name]] as const)
			.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
	) as IDataObject;

/** Declares an operation; its functions get the values of the fields as they were read. */
export function operation<F extends FieldMap>(
	declaration: Behavior<Values<F>> & Effect<Values<F>> & { fields: F },
): Operation {
	const { fields: own, ...behavior } = declaration;
	const fields = withOutput(own, behavior.output);
	const fieldFor = (purpose: Field<unknown>['purpose']) =>
		Object.keys(fields).find((name) => fields[name]!.purpose === purpose);
	return {
		...(behavior as unknown as Behavior<AnyValues> & Effect<AnyValues>),
		fields: propertiesOf(fields),
		queueKey: (values) => queueKeyOf(declaration, values as Values<F>),
		read: async (userInput, reading) => {
			const now: FieldMap = {};
			const later: FieldMap = {};
			for (const [name, field] of Object.entries(fields)) {
				(field.isReadLater?.(userInput) ? later : now)[name] = field;
			}
			const values = await readFields(now, userInput, reading);
			declaration.validate?.(values as Values<F>);
			if (Object.keys(later).length === 0) return { values };
			const readLater = async () => ({
				...values,
				...(await readFields(later, userInput, { ...reading, earlier: values })),
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

/** The contents of a response, if it is not the record itself. */
interface ResponseContent<V> {
	list?: [name: string, count?: string];
	pages?: PageShape;
	/** Values that are fields of each record, also if the response leaves them out. */
	inputFields?: Array<keyof V & string>;
}

/** Runs an operation that sends one request for an input. */
export const oneRequest =
	<V>(
		requestOf: (values: V) => ServiceRequest,
		{ list, pages, inputFields = [] }: ResponseContent<NoInfer<V>> = {},
	) =>
	async ({ values, send, readList }: Call<V>): Promise<Result> => {
		const sent = requestOf(values);
		const response = pages ? await readList({ request: sent, ...pages }) : await send(sent);
		const records = list ? requireList(response, ...list) : [response].flat();
		const more = Object.fromEntries(inputFields.map((name) => [name, values[name]])) as IDataObject;
		return { records: records.map((record) => withDefaults(record, more)) };
	};

/** A resource, with its operations by parameter value. */
export interface Resource {
	name: string;
	description: string;
	operations: Record<string, Operation>;
}
