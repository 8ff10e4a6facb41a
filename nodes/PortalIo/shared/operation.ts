import type { IBinaryData, IDataObject, INodeProperties } from 'n8n-workflow';
import type { PageShape } from '../../../client/lists/pages';
import type { ServiceRequest } from '../../../client/http/request';
import type { UploadForm } from '../../../client/upload/upload';
import type { Waiting } from '../sendAndWait';

/** How sure we are of a request: from the specification, the public documentation, or neither. */
export type Mark = 'spec' | 'docs' | 'assumed';

/**
 * What the user set for one input, by field name: expressions resolved, resource locators replaced
 * by their ID, dates in UTC. Values are as the user gave them and are checked by `values.ts`.
 */
export type Parameters = Record<string, unknown>;

/** What is known of a file of the input before it is read. */
export type FileFacts = Pick<IBinaryData, 'fileName' | 'fileExtension' | 'mimeType'> & {
	/** Its exact size. */
	bytes: number;
};

/** How the file in the field `binaryPropertyName` becomes the body of a request. */
export interface FileUpload {
	/** A read that is made before anything of the file is sent. */
	check(parameters: Parameters): ServiceRequest;
	/** What, by the answer to that read, makes the upload pointless; undefined when nothing does. */
	obstacle(answer: IDataObject): string | undefined;
	/**
	 * @throws FieldError for a file that the service would not take, before anything is sent
	 */
	form(parameters: Parameters, file: FileFacts): UploadForm;
}

/** One operation of the node: its fields, its request and its output. */
export interface Operation {
	/** As the list of operations shows it. */
	name: string;
	/** As the nodes panel shows it, with the resource and without articles. */
	action: string;
	/** What it does, when to use it and what it changes; also read by AI agents. */
	description: string;
	mark: Mark;
	/** Without `resource` and `operation` in their display options: the registry adds them. */
	fields: INodeProperties[];
	/**
	 * The request for one input.
	 *
	 * @throws FieldError naming the field, before anything is sent
	 */
	request(parameters: Parameters): ServiceRequest;
	/** For an answer that comes in pages: how to read them; undefined where one answer is wanted. */
	list?(parameters: Parameters): PageShape | undefined;
	/** A further read for each record of a list, whose answer takes the place of the record. */
	detail?(record: IDataObject, parameters: Parameters): ServiceRequest | undefined;
	/** For a request whose body is a file of the input. */
	upload?: FileUpload;
	/** For a request that begins something: how to wait for its end; undefined when nobody waits. */
	wait?(parameters: Parameters): Waiting | undefined;
	/** The output of an answer, or of each record of a list; the answer itself when absent. */
	output?(answer: IDataObject, parameters: Parameters): IDataObject | IDataObject[];
}

/** The operations of a resource, by parameter value, and how the resource is shown. */
export interface Resource {
	name: string;
	operations: Record<string, Operation>;
}
