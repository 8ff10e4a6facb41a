import { CHUNK_MEBIBYTES, MAX_FILE_BYTES, planChunks } from '../../../../client/upload/chunks';
import { path } from '../../../../client/http/path';
import type { UploadForm } from '../../../../client/upload/upload';
import { proposalId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { collectionOf, FieldError, filledTextOf, idOf } from '../../shared/values';
import { sentFileName } from './fileName';

const FILE = 'Input Data Field Name';

/** Specification, *Upload AI content (single file)* and *(multi-chunk)*. */
export const upload: Operation = {
	name: 'Upload',
	action: 'Upload AI content',
	description:
		'Upload a recording, video or text file of up to 1 GB to a proposal in Draft, for its outline to be written from. The file comes from the input of the node, so an AI agent cannot provide it. Running it twice uploads it twice.',
	mark: 'spec',
	fields: [
		proposalId,
		{
			displayName: FILE,
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			placeholder: 'e.g. data',
			hint: 'The name of the input field containing the file data to be uploaded',
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Walk-through of the ground floor',
					description: 'What the content is called in Portal.io. Default: the name of the file.',
				},
			],
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'Chunk Size (MB)',
					name: 'chunkSize',
					type: 'number',
					typeOptions: { minValue: CHUNK_MEBIBYTES.min, maxValue: CHUNK_MEBIBYTES.max },
					default: 8,
					description:
						'How a file over 25 MB is cut, in units of 1,048,576 bytes. Default: what Portal.io recommends, 8 up to 500 MB and 16 above.',
				},
			],
		},
	],
	request: (parameters) => {
		const proposal = idOf(parameters.proposalId, 'Proposal');
		return { method: 'POST', path: path`/public/api/proposals/${proposal}/ai/content` };
	},
	upload: {
		check: (parameters) => ({
			method: 'GET',
			path: path`/public/proposals/${idOf(parameters.proposalId, 'Proposal')}`,
		}),
		obstacle: ({ status }) =>
			status === undefined || status === 'Draft'
				? undefined
				: `The proposal is in the state ${String(status)}: content can be uploaded to one in Draft only`,
		form: (parameters, file): UploadForm => {
			const proposal = idOf(parameters.proposalId, 'Proposal');
			const fileName = sentFileName(file, FILE);
			const given = collectionOf(parameters.additionalFields).name;
			const name = filledTextOf(given ?? (file.fileName?.trim() || fileName), 'Name');
			const sizes = planChunks(checkedSize(file.bytes), chunkSizeOf(parameters.options));
			if (sizes.length === 1) {
				return { fields: { name }, files: [{ name: fileName, bytes: file.bytes }] };
			}
			return {
				query: { isMultiChunkUpload: true },
				fields: { name, proposalId: String(proposal), totalChunks: String(sizes.length) },
				files: sizes.map((bytes, index) => ({ name: `${fileName}.part${index + 1}`, bytes })),
			};
		},
	},
};

/** Specification, *Limits*. */
function checkedSize(bytes: number): number {
	if (bytes === 0) throw new FieldError(FILE, 'has an empty file');
	if (bytes > MAX_FILE_BYTES) {
		throw new FieldError(
			FILE,
			`has a file of ${bytes.toLocaleString('en-US')} bytes: Portal.io takes 1 GB at the most (${MAX_FILE_BYTES.toLocaleString('en-US')} bytes)`,
		);
	}
	return bytes;
}

function chunkSizeOf(options: unknown): number | undefined {
	const { chunkSize } = collectionOf(options);
	if (chunkSize === undefined || chunkSize === null || chunkSize === '') return undefined;
	const size = Number(chunkSize);
	const { min, max } = CHUNK_MEBIBYTES;
	if (size >= min && size <= max) return size;
	throw new FieldError('Chunk Size (MB)', `must be a number from ${min} to ${max}`);
}
