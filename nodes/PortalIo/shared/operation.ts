import type { IBinaryData, IDataObject, INodeProperties } from 'n8n-workflow';
import type { PagedList, PageShape } from '../../../client/lists/pages';
import type { ServiceRequest } from '../../../client/http/request';
import type { UploadForm } from '../../../client/upload/upload';
import type { Waiting } from '../sendAndWait';
import { propertiesOf, readFields, type Fields, type Reading, type Values } from './field';
import type { Output } from './output';
import { withToolOutput } from './toolOutput';

/** What is known of a file of the input before it is read. */
export type FileFacts = Pick<IBinaryData, 'fileName' | 'fileExtension' | 'mimeType'> & {
	/** Its exact size. */
	bytes: number;
};

/** How a file of the input becomes the body of a request. */
export interface FileUpload<V> {
	/** The name of the field of the input that holds the file, or the file itself. */
	file(values: V): unknown;
	/** A read that is made before anything of the file is sent. */
	check(values: V): ServiceRequest;
	/** What, by the response to that read, makes the upload pointless; undefined when nothing does. */
	obstacle(response: IDataObject): string | undefined;
	/**
	 * @throws FieldError for a file that the service would not take, before anything is sent
	 */
	form(values: V, file: FileFacts): UploadForm;
}

/** One of several requests that an operation sends in order. */
export interface Step {
	/** The labels of the fields that it sets, as errors name them; empty for a read. */
	sets: string[];
	request: ServiceRequest;
}

/** How to find a record that may exist already, instead of creating a second one. */
export interface Existing {
	/** Inputs with the same key wait for each other. */
	key: string;
	list: PagedList;
	isSame(record: IDataObject): boolean;
	/** Reads the record in full. */
	detail(record: IDataObject): ServiceRequest;
}

/** What an operation does with the values of its fields. */
interface Behavior<V, R> {
	/** As the list of operations shows it. */
	name: string;
	/** As the nodes panel shows it, with the resource and without articles. */
	action: string;
	/** What it does and changes, as the list of operations shows it; AI agents are sent the action. */
	description: string;
	/**
	 * The request for one input, or the requests of an update in the order in which they are sent. A
	 * list that is in several lists of the service has a request for each.
	 *
	 * @throws FieldError where the values do not go together, before anything is sent
	 */
	request(values: V): ServiceRequest | Step[];
	/** For a creation: how to find the record that is to be used instead; undefined to create one. */
	existing?(values: V): Existing | undefined;
	/** What is sent after the creation of a record, which its ID is needed for. */
	afterCreation?(id: number, values: V): Step[];
	/** Reads the created record again, where the responses to what was sent after it may be empty. */
	reading?(id: number): ServiceRequest;
	/** For a response that comes in pages: how to read them; undefined where one response is wanted. */
	list?(values: V): PageShape | undefined;
	/** A further read for each record of a list, whose response takes the place of the record. */
	detail?(record: IDataObject, values: V): ServiceRequest | undefined;
	/** For a request whose body is a file of the input. */
	upload?: FileUpload<V>;
	/** For a request that begins something: how to wait for its end; undefined when nobody waits. */
	wait?(values: V): Waiting | undefined;
	/** The output; a confirmation with the IDs that were sent when absent. */
	output?: Output<V, R>;
}

/** The values of the fields of one input, whatever the operation. */
export type AnyValues = Values<Fields>;

/** One operation of the node. */
export interface Operation extends Behavior<AnyValues, object> {
	/** Without `resource` and `operation` in their display options: the registry adds them. */
	fields: INodeProperties[];
	/**
	 * Reads what a user gave, by the names of the fields.
	 *
	 * @throws FieldError naming the field
	 */
	read(given: Record<string, unknown>, reading: Reading): AnyValues;
	/** The names of the fields that hold IDs. */
	idFields: string[];
}

/** The requests of one input, in order. */
export function stepsOf({ request }: Operation, values: AnyValues): Step[] {
	const requests = request(values);
	return Array.isArray(requests) ? requests : [{ sets: [], request: requests }];
}

/** The IDs among the values: the output where the service returns no record. */
export const idsOf = ({ idFields }: Operation, values: AnyValues): IDataObject =>
	Object.fromEntries(
		idFields
			.map((name) => [name, values[name]] as const)
			.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
	) as IDataObject;

/** Declares an operation: each function gets the values of the fields as they are read. */
export function operation<F extends Fields, R extends object = IDataObject>(
	declaration: Behavior<Values<F>, R> & { fields: F },
): Operation {
	const { fields: own, ...behavior } = declaration;
	const fields = withToolOutput(own, behavior.output?.shape);
	return {
		...(behavior as unknown as Behavior<AnyValues, object>),
		fields: propertiesOf(fields),
		read: (given, reading) => readFields(fields, given, reading),
		idFields: Object.keys(fields).filter((name) => fields[name]!.isId),
	};
}

/** The operations of a resource, by parameter value, and how the resource is shown. */
export interface Resource {
	name: string;
	operations: Record<string, Operation>;
}
