import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { requireList } from '../../../client/responseShape';
import type { PagedList, PageShape } from '../../../client/lists';
import type { ServiceRequest } from '../../../client/request';
import type { Upload } from '../../../client/upload';
import {
	parseFields,
	toProperties,
	type FieldMap,
	type ParseContext,
	type ParsedValues,
	type Values,
} from '../fields/field';
import { addDefaults, addOutputFields, type Output, type OutputChoice } from './output';

/**
 * Values of one input item, and functions that send its requests. Errors do not contain the number of the input item,
 * because run/failures.ts adds it.
 */
export interface OperationCall<V = unknown> {
	readonly values: V;
	readonly baseUrl: string;
	/** True if the model of an AI agent reads the errors. */
	readonly isTool: boolean;
	readonly lastChange?: ServiceRequest;
	/** Sends a request. Returns an object, an array, text, or `''` for an empty response. Throws a PortalError. */
	send(request: ServiceRequest): Promise<unknown>;
	/** Sends a request that reads a record. Returns undefined if the record does not exist. */
	readIfExists(request: ServiceRequest): Promise<unknown>;
	/**
	 * Reads a list in pages, up to `limit` records. The default is the user's *Limit*. `advice` says what to do if
	 * records are missing. By default, it says to narrow the search.
	 */
	readList(list: PagedList, options?: { limit?: number; advice?: string }): Promise<IDataObject[]>;
	upload(upload: Upload): Promise<unknown>;
	/** @throws PortalError when the execution is stopped */
	pause(seconds: number): Promise<void>;
	hint(message: string): void;
	/** Shows a warning next to the output, and logs it. */
	warn(message: string): void;
}

type OperationKind<V> =
	| { kind: 'read' }
	/** Input items with the same value in the field that `queue` names wait for each other, even across executions. */
	| { kind: 'change'; queue: (keyof V & string) | 'none' }
	/**
	 * Input items with the same key wait for each other, even across executions. An input item without a key does not
	 * wait.
	 */
	| { kind: 'change'; queueKey(values: V): string | undefined };

interface OperationSpec<V> {
	name: string;
	/** Name in the nodes panel, with the resource and without articles. */
	action: string;
	/** Description in the list of operations. AI agents get the action instead. */
	description: string;
	/** Whether the step checks its result. Set only if Portal.io has not published the names of all fields. */
	unconfirmed?: 'checked' | 'unchecked';
	/** Checks the values of an input item against each other before the operation runs. Throws an InvalidFields error. */
	validate?(values: V): void;
	/** Returns records. A change can return an acknowledgment instead, which is not output. */
	run(call: OperationCall<V>): Promise<unknown[]>;
	output: Output;
}

export type AnyValues = Values<FieldMap>;

export interface Operation extends OperationSpec<AnyValues> {
	kind: 'read' | 'change';
	/**
	 * Returns the key that input items share if they must wait for each other. Returns undefined if the input item does
	 * not wait.
	 */
	queueKey(values: AnyValues): string | undefined;
	/** Parameters. Their display options lack `resource` and `operation`, which description.ts adds. */
	fields: INodeProperties[];
	parse(userInput: Record<string, unknown>, context: ParseContext): ParsedValues<FieldMap>;
	idFields: string[];
}

/** Returns the IDs among the values, which are the output if Portal.io returns no record. */
export const selectSentIds = (
	{ idFields }: Pick<Operation, 'idFields'>,
	values: AnyValues,
): IDataObject =>
	Object.fromEntries(
		idFields
			.map((name) => [name, values[name]] as const)
			.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
	) as IDataObject;

/** Declares an operation. Its functions get the values of the fields after references have been replaced. */
export function defineOperation<F extends FieldMap>(
	declaration: OperationSpec<Values<F> & OutputChoice> & OperationKind<Values<F>> & { fields: F },
): Operation {
	const fields = addOutputFields(declaration.fields, declaration.output);
	return {
		...declaration,
		fields: toProperties(fields),
		queueKey: (values) => chooseQueue(declaration, values),
		parse: (userInput, context) => parseFields(fields, userInput, context),
		idFields: Object.keys(fields).filter((name) => fields[name]!.isId),
	};
}

function chooseQueue(effect: OperationKind<AnyValues>, values: AnyValues): string | undefined {
	if (effect.kind === 'read') return undefined;
	if ('queueKey' in effect) return effect.queueKey(values);
	return effect.queue === 'none' ? undefined : `${effect.queue} ${String(values[effect.queue])}`;
}

/** Location of the records in a response, unless the response itself is the record. */
interface ResponseContent<V> {
	list?: [name: string, count?: string];
	pages?: PageShape;
	/** Values of the input item to add to each record if the response omits them. */
	inputFields?: Array<keyof V & string>;
}

/** Returns the `run` function of an operation that sends one request per input item. */
export const runOneRequest =
	<V>(
		requestOf: (values: V) => ServiceRequest,
		{ list, pages, inputFields = [] }: ResponseContent<NoInfer<V>> = {},
	) =>
	async ({ values, send, readList }: OperationCall<V>): Promise<unknown[]> => {
		const request = requestOf(values);
		const response = pages ? await readList({ request, ...pages }) : await send(request);
		const records = list ? requireList(response, ...list) : [response].flat();
		const inputValues = Object.fromEntries(inputFields.map((name) => [name, values[name]]));
		const defaults = inputValues as IDataObject;
		return records.map((record) => addDefaults(record, defaults));
	};

export interface Resource {
	name: string;
	description: string;
	operations: Record<string, Operation>;
}
