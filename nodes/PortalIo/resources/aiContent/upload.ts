/** See docs/dev/portal-api.md#ai-content-uploads. */
import { PortalError } from '../../../../client/errors';
import { readProposal } from '../../../../client/proposal';
import { workingPath } from '../../../../client/request';
import type { UploadForm } from '../../../../client/upload';
import * as collection from '../../fields/collections';
import { createField } from '../../fields/declare';
import { EARLIER_FILE_ADVICE, FileReference, type InputFile } from '../../fields/field';
import * as field from '../../fields/fieldTypes';
import { proposalId } from '../../fields/locators';
import { invalidField } from '../../fields/fieldError';
import { defineOperation, type OperationCall } from '../../operation/operation';
import { addDefaults } from '../../operation/output';
import { aiPaths, contentRequest, confirmedProposalId } from '../aiPaths';
import { contentQueue, contentShape } from './content';
import { toSentFileName } from './formats';

/**
 * Number of bytes in a mebibyte. Portal.io does not document whether its MB has 1,000,000 or 1,048,576 bytes. The limit
 * of a single request uses the smaller number. The largest file can have 1024 × 1,048,576 bytes, because Portal.io
 * itself rejects a file that is too large.
 */
const MEBIBYTE = 1_048_576;
const MAX_SINGLE_BYTES = 25_000_000;
export const MAX_FILE_BYTES = 1024 * MEBIBYTE;
/** File size above which Portal.io recommends larger chunks. */
const LARGE_FILE_BYTES = 500 * MEBIBYTE;

/** Returns the sizes of the chunks in bytes. A small file is a single chunk. */
export function planChunks(fileBytes: number, chunkMebibytes?: number): number[] {
	if (fileBytes <= MAX_SINGLE_BYTES) return [fileBytes];
	const recommendedMebibytes = fileBytes <= LARGE_FILE_BYTES ? 8 : 16;
	// Limit the chunk size, because 25 × 1,048,576 bytes would exceed the limit of a single request.
	const chunkBytes = Math.min(
		Math.round((chunkMebibytes ?? recommendedMebibytes) * MEBIBYTE),
		MAX_SINGLE_BYTES,
	);
	const chunks: number[] = [];
	for (let bytesLeft = fileBytes; bytesLeft > 0; bytesLeft -= chunkBytes) {
		chunks.push(Math.min(bytesLeft, chunkBytes));
	}
	return chunks;
}

const FILE = 'Input Data Field Name';

/** Size of a chunk. Portal.io documents a minimum of 5 MB for a chunk, and a maximum of 25 MB for a request. */
const chunkSize = field.setting('Chunk Size (MB)', {
	min: 5,
	max: 25,
	default: 8,
	description:
		"Size of the chunks of a file over 25 MB. Defaults to Portal.io's recommendation, which is 8 for files up to 500 MB and 16 for larger files.",
});

export const upload = defineOperation({
	name: 'Upload',
	action: 'Upload recording or other AI content to proposal',
	description:
		'Upload a recording, video, or text file of up to 1 GB to a draft proposal, as source material for its outline',
	kind: 'change',
	queueKey: contentQueue,
	fields: {
		fileNotice: field.notice(
			"The file must come from the node's input, because an AI agent cannot provide it",
			{ '@tool': [true] },
		),
		proposalId,
		binaryPropertyName: createField('string', FILE, (value) => new FileReference(value, FILE), {
			default: 'data',
			required: true,
			placeholder: 'e.g. data',
			description: `The file must be in this step's input. ${EARLIER_FILE_ADVICE}`,
			hint: 'The name of the input field containing the file data to be uploaded',
		}),
		additionalFields: collection.additionalFields({
			name: field.requiredText('Name', {
				placeholder: 'e.g. Walk-through of the ground floor',
				description: 'Name of the content in Portal.io. Defaults to the file name.',
			}),
		}),
		options: collection.options({ chunkSize }),
	},
	validate: (values) => void createForm(values),
	run: async (call) => {
		const { proposalId, binaryPropertyName: file } = call.values;
		const request = contentRequest('POST', proposalId, await uploadPaths(call, proposalId));
		const response = await call.upload({
			request,
			form: createForm(call.values),
			open: file.open,
			check: async () => {
				const { status } = await readProposal(call, proposalId);
				if (status === 'Draft') return;
				throw new PortalError(
					`Content can only be uploaded to a draft, but the proposal's status is ${String(status)}`,
				);
			},
		});
		return [addDefaults(response, confirmedProposalId(call.baseUrl, request, proposalId))];
	},
	output: { asIs: contentShape },
});

/**
 * Returns the paths, starting with the one on which Portal.io lists contents. If a path does not exist, a server might
 * break the connection during a large upload instead of responding, so the upload would never try the other path.
 */
async function uploadPaths(call: OperationCall, proposalId: number) {
	const paths = aiPaths(proposalId, 'content');
	const list = contentRequest('GET', proposalId);
	if (workingPath(call.baseUrl, list) === undefined) {
		// List the contents, so the working path is remembered for this upload and later ones. Ignore a failure,
		// because the upload then tries the paths in order.
		await call.send(list).catch(() => {});
	}
	const [first, second] = paths;
	return workingPath(call.baseUrl, list) === second.path
		? ([second, first] as typeof paths)
		: paths;
}

interface FormValues {
	proposalId: number;
	binaryPropertyName: Omit<InputFile, 'open'>;
	additionalFields: { name?: string };
	options: { chunkSize?: number };
}

/**
 * Returns the form for a file, in chunks if the file is large. Throws an InvalidFields error if the file is invalid.
 */
export function createForm(values: FormValues): UploadForm {
	const { proposalId, binaryPropertyName: file, additionalFields, options } = values;
	const fileName = toSentFileName(file, FILE);
	const name = additionalFields.name ?? (file.fileName?.trim() || fileName);
	if (file.bytes === 0) throw invalidField(FILE, 'refers to an empty file');
	if (file.bytes > MAX_FILE_BYTES) {
		const size = `${file.bytes.toLocaleString('en-US')} bytes`;
		const max = '1 GB (1,073,741,824 bytes)';
		throw invalidField(FILE, `refers to a file of ${size}, but Portal.io accepts up to ${max}`);
	}
	const sizes = planChunks(file.bytes, options.chunkSize);
	if (sizes.length === 1) {
		return { fields: { name }, files: [{ name: fileName, bytes: file.bytes }] };
	}
	const totalChunks = String(sizes.length);
	return {
		query: { isMultiChunkUpload: true },
		fields: { name, proposalId: String(proposalId), totalChunks },
		files: sizes.map((bytes, index) => ({ name: `${fileName}.part${index + 1}`, bytes })),
	};
}
