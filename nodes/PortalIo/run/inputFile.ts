import { BINARY_ENCODING, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import type { FileStream } from '../../../client/upload';
import type { InputFile } from '../fields/field';

/**
 * How much of a file is read at once, for stores that let one choose. Node queues sixteen reads in
 * front of the form, so larger ones hold more memory, and smaller ones are slower.
 */
const READ_BYTES = 512 * 1024;

/**
 * Finds the file of an input item in whichever store this n8n keeps such files.
 *
 * @param field the name of the field that holds it, or the file itself, from an expression
 * @throws NodeOperationError when there is none
 */
export async function inputFile(
	context: IExecuteFunctions,
	itemIndex: number,
	field: unknown,
): Promise<InputFile> {
	const { helpers } = context;
	const binary = helpers.assertBinaryData(itemIndex, field as string);
	const { id, fileName, fileExtension, mimeType } = binary;
	const facts = { fileName, fileExtension, mimeType };
	if (id === undefined) {
		const decode = () => Buffer.from(binary.data, BINARY_ENCODING);
		return { ...facts, bytes: decode().byteLength, open: async () => decode() };
	}
	const unreadable = (): never => {
		throw new NodeOperationError(context.getNode(), 'n8n no longer has this file', {
			itemIndex,
			description: 'Run the step before this one again to get the file.',
		});
	};
	const open = async () => await helpers.getBinaryStream(id, READ_BYTES).catch(unreadable);
	const { fileSize } = await helpers.getBinaryMetadata(id).catch(unreadable);
	const bytes = Number.isSafeInteger(fileSize) ? fileSize : await countBytes(await open());
	return { ...facts, bytes, open };
}

/** For a store that does not know how large its files are. */
async function countBytes(stream: FileStream): Promise<number> {
	let bytes = 0;
	for await (const chunk of stream) bytes += (chunk as Uint8Array).byteLength;
	return bytes;
}
