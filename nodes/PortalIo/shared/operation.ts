import type { IBinaryData, IDataObject, INodeProperties } from 'n8n-workflow';
import type { PageShape } from '../../../client/lists/pages';
import type { ServiceRequest } from '../../../client/http/request';
import type { UploadForm } from '../../../client/upload/upload';
import type { Waiting } from '../sendAndWait';
import { propertiesOf, readFields, type Fields, type Values } from './field';

/**
 * How sure we are of a request: Portal.io's interface description states it, its public documentation
 * does, or neither. docs/portal-api.md#operations-of-the-node
 */
export type Mark = 'spec' | 'docs' | 'assumed';

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

/** What an operation does with the values of its fields. */
interface Behavior<V> {
	/** As the list of operations shows it. */
	name: string;
	/** As the nodes panel shows it, with the resource and without articles. */
	action: string;
	/** What it does, when to use it and what it changes; also read by AI agents. */
	description: string;
	mark: Mark;
	/**
	 * The request for one input.
	 *
	 * @throws FieldError where the values do not go together, before anything is sent
	 */
	request(values: V): ServiceRequest;
	/** For a response that comes in pages: how to read them; undefined where one response is wanted. */
	list?(values: V): PageShape | undefined;
	/** A further read for each record of a list, whose response takes the place of the record. */
	detail?(record: IDataObject, values: V): ServiceRequest | undefined;
	/** For a request whose body is a file of the input. */
	upload?: FileUpload<V>;
	/** For a request that begins something: how to wait for its end; undefined when nobody waits. */
	wait?(values: V): Waiting | undefined;
	/** The output of a response, or of each record of a list; the response itself when absent. */
	output?(response: IDataObject, values: V): IDataObject | IDataObject[];
}

/** The values of the fields of one input, whatever the operation. */
export type AnyValues = Values<Fields>;

/** One operation of the node. */
export interface Operation extends Behavior<AnyValues> {
	/** Without `resource` and `operation` in their display options: the registry adds them. */
	fields: INodeProperties[];
	/**
	 * Reads what a user gave, by the names of the fields.
	 *
	 * @param timezone of the workflow
	 * @throws FieldError naming the field
	 */
	read(given: Record<string, unknown>, timezone: string): AnyValues;
	/** The IDs among the values: the output where the service returns no record. */
	ids(values: AnyValues): IDataObject;
}

/** Declares an operation: each function gets the values of the fields as they are read. */
export function operation<F extends Fields>(
	declaration: Behavior<Values<F>> & { fields: F },
): Operation {
	const { fields, ...behavior } = declaration;
	return {
		...(behavior as Behavior<AnyValues>),
		fields: propertiesOf(fields),
		read: (given, timezone) => readFields(fields, given, timezone),
		ids: (values) => {
			const isId = ([name, value]: [string, unknown]) =>
				fields[name]?.isId && value !== undefined && !(Array.isArray(value) && value.length === 0);
			return Object.fromEntries(Object.entries(values).filter(isId)) as IDataObject;
		},
	};
}

/** The operations of a resource, by parameter value, and how the resource is shown. */
export interface Resource {
	name: string;
	operations: Record<string, Operation>;
}
