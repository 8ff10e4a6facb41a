import {
	BINARY_ENCODING,
	NodeOperationError,
	type IBinaryData,
	type IExecuteFunctions,
} from 'n8n-workflow';
import { streamOf, type FileStream } from '../../client/upload/stream';
import type { FileFacts } from './shared/operation';

/** How much of a file is read at once, where the store goes by it. */
const READ_BYTES = 256 * 1024;

/** Of four letters each, so that every slice is decoded by itself to three quarters of it. */
const SLICE_LETTERS = 4 * 64 * 1024;

/** A file of the input that can be read as often as needed, from its beginning and piece by piece. */
export interface InputFile extends FileFacts {
	open(): Promise<FileStream>;
}

/**
 * Finds the file of an input in whichever place this n8n keeps such files.
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
	if (id === undefined) return { ...facts, ...decoded(binary) };
	const open = async () => await helpers.getBinaryStream(id, READ_BYTES).catch(unreadable);
	const unreadable = (): never => {
		throw new NodeOperationError(context.getNode(), 'n8n does not have this file any more', {
			itemIndex,
			description: 'Run the node before this one again, so that the file is there.',
		});
	};
	const { fileSize } = await helpers.getBinaryMetadata(id).catch(unreadable);
	const bytes = Number.isSafeInteger(fileSize) ? fileSize : await countBytes(await open());
	return { ...facts, bytes, open };
}

/** For a store that does not know how large its files are. */
async function countBytes(stream: FileStream): Promise<number> {
	let bytes = 0;
	for await (const piece of stream) bytes += (piece as Uint8Array).byteLength;
	return bytes;
}

/**
 * A file that n8n keeps in memory as text. It is decoded as it is read, so that there is no second
 * copy of it.
 */
function decoded({ data: text, bytes: stored }: IBinaryData): Pick<InputFile, 'bytes' | 'open'> {
	// What somebody else encoded than n8n may have line ends in it, and is decoded as a whole.
	const isRegular = stored !== undefined && stored === Buffer.byteLength(text, BINARY_ENCODING);
	const whole = isRegular ? undefined : Buffer.from(text, BINARY_ENCODING);
	function* pieces() {
		if (whole !== undefined) yield whole;
		for (let at = 0; whole === undefined && at < text.length; at += SLICE_LETTERS) {
			yield Buffer.from(text.slice(at, at + SLICE_LETTERS), BINARY_ENCODING);
		}
	}
	return { bytes: whole?.byteLength ?? stored!, open: async () => streamOf(pieces()) };
}
