import { readProposal } from '../../../../client/model';
import type { UploadForm } from '../../../../client/upload';
import { proposalId } from '../../fields/locators';
import { field, FieldError, operation, path, withKnown } from '../kit';
import type { Call, InputFile, Shape } from '../kit';
import { CHUNK_MEBIBYTES, MAX_FILE_BYTES, planChunks, sentFileName } from './file';

const FILE = 'Input Data Field Name';

const { min, max } = CHUNK_MEBIBYTES;
const chunkSize = field.setting(
	'Chunk Size (MB)',
	{ must: `must be a number from ${min} to ${max}`, accepts: (size) => size >= min && size <= max },
	{
		typeOptions: { minValue: min, maxValue: max },
		default: 8,
		description:
			'Chunk size for files over 25 MB. Defaults to what Portal.io recommends: 8 up to 500 MB, 16 above.',
	},
);

export const contentShape: Shape = {
	proposalId: 'integer',
	id: 'integer',
	name: 'string',
	summary: 'string',
	status: 'string',
	sourceType: 'string',
	createdDate: 'string',
	userCreated: 'object',
};

/** docs/dev/portal-api.md#ai-content-uploads */
export const upload = operation({
	name: 'Upload',
	action: 'Upload AI content to proposal',
	description:
		'Upload a recording, video or text file of up to 1 GB to a proposal in Draft, as a source of its outline',
	fields: {
		fileNotice: field.notice(
			'The file comes from the input of the node: an AI agent cannot provide it',
			{ '@tool': [true] },
		),
		proposalId,
		binaryPropertyName: field.field(
			'string',
			FILE,
			async (value, _, { inputFile }) => await inputFile(value),
			{
				default: 'data',
				required: true,
				placeholder: 'e.g. data',
				hint: 'The name of the input field containing the file data to be uploaded',
			},
		),
		additionalFields: field.additionalFields({
			name: field.added(
				field.requiredText('Name', {
					placeholder: 'e.g. Walk-through of the ground floor',
					description: 'Defaults to the file name',
				}),
			),
		}),
		options: field.options({ chunkSize }),
	},
	validate: (values) => void formFor(values, values.binaryPropertyName),
	run: async (call) => {
		const { proposalId, binaryPropertyName: file } = call.values;
		const response = await call.upload({
			request: {
				method: 'POST',
				path: path`/public/api/proposals/${proposalId}/ai/content`,
				alternates: [
					{ path: path`/public/proposals/${proposalId}/ai/content` },
					{ path: '/public/ai/content', query: { ProposalId: proposalId } },
				],
			},
			form: formFor(call.values, file),
			open: file.open,
			check: async () => await assertDraft(call, proposalId),
		});
		return { records: [withKnown(response, { proposalId })] };
	},
	output: { asIs: contentShape },
});

async function assertDraft(call: Call, proposalId: number): Promise<void> {
	const { status } = await readProposal(call.send, proposalId);
	if (status === 'Draft') return;
	throw call.error(
		`The proposal is in the status ${String(status)}: content can only be uploaded to a proposal in Draft`,
	);
}

interface FormValues {
	proposalId: number;
	additionalFields: { name?: string };
	options: { chunkSize?: number };
}

/** The form for a file, in chunks if it is large; throws a FieldError for an invalid file. */
export function formFor(
	{ proposalId, additionalFields, options }: FormValues,
	file: Omit<InputFile, 'open'>,
): UploadForm {
	const fileName = sentFileName(file, FILE);
	const name = additionalFields.name ?? (file.fileName?.trim() || fileName);
	const sizes = planChunks(checkedSize(file.bytes), options.chunkSize);
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

function checkedSize(bytes: number): number {
	if (bytes === 0) throw new FieldError(FILE, 'has an empty file');
	if (bytes > MAX_FILE_BYTES) {
		throw new FieldError(
			FILE,
			`has a file of ${bytes.toLocaleString('en-US')} bytes: Portal.io accepts up to 1 GB (${MAX_FILE_BYTES.toLocaleString('en-US')} bytes)`,
		);
	}
	return bytes;
}
