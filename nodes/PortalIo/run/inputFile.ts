import {
	BINARY_ENCODING,
	NodeOperationError,
	type IBinaryData,
	type IExecuteFunctions,
} from 'n8n-workflow';
import { isRecord } from '../../../client/responseShape';
import type { FileStream } from '../../../client/upload';
import { EARLIER_FILE_ADVICE, isEmpty, type InputFile } from '../fields/field';
import { ValueError } from '../fields/fieldError';
import { truncateForMessage } from '../fields/parsers';

/**
 * Number of bytes to read at a time, if n8n's binary data store accepts a size. A larger size needs more memory,
 * because Node.js queues sixteen reads; a smaller size is slower.
 */
const READ_BYTES = 512 * 1024;

/** @param field name of the field with the file, or the file itself from an expression */
export async function findFile(
	context: IExecuteFunctions,
	itemIndex: number,
	field: unknown,
): Promise<InputFile> {
	const { helpers } = context;
	const binary = readBinary(context, itemIndex, field);
	if (binary === undefined) throw missingFileError(context, itemIndex, field);
	const { id, fileName, fileExtension, mimeType } = binary;
	const facts = { fileName, fileExtension, mimeType };
	if (id === undefined) {
		const decode = () => Buffer.from(binary.data, BINARY_ENCODING);
		return { ...facts, bytes: decode().byteLength, open: async () => decode() };
	}
	const unreadable = (): never => {
		throw new NodeOperationError(context.getNode(), 'n8n no longer has this file', {
			itemIndex,
			description: 'Run the previous step again to get the file.',
		});
	};
	const open = async () => await helpers.getBinaryStream(id, READ_BYTES).catch(unreadable);
	const { fileSize } = await helpers.getBinaryMetadata(id).catch(unreadable);
	const bytes = Number.isSafeInteger(fileSize) ? fileSize : await countBytes(await open());
	return { ...facts, bytes, open };
}

/** Counts the bytes of a file, because some of n8n's binary data stores do not report its size. */
async function countBytes(stream: FileStream): Promise<number> {
	let bytes = 0;
	for await (const chunk of stream) bytes += (chunk as Uint8Array).byteLength;
	return bytes;
}

function readBinary(
	context: IExecuteFunctions,
	itemIndex: number,
	field: unknown,
): IBinaryData | undefined {
	try {
		const binary = context.helpers.assertBinaryData(itemIndex, field as string);
		// Reject inherited properties such as `__proto__`, which n8n returns as if they were files.
		return typeof binary.data === 'string' ? binary : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Returns an error that lists the files of the input item. If the input item has no files, lists the files of earlier
 * steps, because most steps do not pass files on.
 */
function missingFileError(
	context: IExecuteFunctions,
	itemIndex: number,
	field: unknown,
): ValueError {
	const names = Object.keys(context.getInputData()[itemIndex]?.binary ?? {});
	if (names.length > 0) {
		const files = names.map((name) => `'${name}'`).join(', ');
		const problem = isEmpty(field) ? 'has no value' : `is '${truncateForMessage(field)}'`;
		return new ValueError(
			`${problem}. The input has only these files: ${files}`,
			`Type the name of the field, such as ${names[0]}, without an expression.`,
		);
	}
	const expressions = listEarlierFiles(context, itemIndex);
	const advice =
		expressions.length > 0
			? `Choose 'Expression' above the field and enter ${expressions.join(' or ')}, which is a file from an earlier step.`
			: EARLIER_FILE_ADVICE;
	return new ValueError(missingFileProblem(field), advice);
}

/**
 * Returns what is wrong with the field. Text that contains `[object Object]` means that a form's file was dragged into
 * a field that already contained text, because n8n then adds an expression for the file's name and size to that text.
 */
function missingFileProblem(field: unknown): string {
	if (isRecord(field)) {
		return "is a file's data, not the file. Write 'binary' instead of 'json' in the expression.";
	}
	return truncateForMessage(field).includes('[object Object]')
		? 'contains text besides the expression. Remove the text.'
		: 'was not found, because the input of this step contains no files';
}

function listEarlierFiles(context: IExecuteFunctions, itemIndex: number): string[] {
	return context
		.getParentNodes(context.getNode().name)
		.flatMap(({ name }) =>
			readFileNames(context, itemIndex, name).map((field) => fileExpression(name, field)),
		);
}

/**
 * Returns the names of the files from an earlier step. Returns an empty list if n8n does not know which item of that
 * step led to the input item.
 */
function readFileNames(context: IExecuteFunctions, itemIndex: number, step: string): string[] {
	try {
		const { item } = context.getWorkflowDataProxy(itemIndex).$(step);
		return Object.keys(item.binary ?? {});
	} catch {
		return [];
	}
}

function fileExpression(step: string, field: string): string {
	const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
	const access = /^[A-Za-z_]\w*$/.test(field) ? `.${field}` : `[${quote(field)}]`;
	return `{{ $(${quote(step)}).item.binary${access} }}`;
}
