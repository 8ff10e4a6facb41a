/** docs/dev/portal-api.md#ai-builder */
import type { IBinaryData } from 'n8n-workflow';
import { readProposal } from '../../../client/model';
import type { UploadForm } from '../../../client/upload';
import { contentId, proposalId } from '../fields/locators';
import { field, FieldError, oneRequest, operation, path, PortalError, request } from './kit';
import { withKnown, type InputFile, type Resource, type ServiceRequest, type Shape } from './kit';

const contentShape: Shape = {
	proposalId: 'integer',
	id: 'integer',
	name: 'string',
	summary: 'string',
	status: 'string',
	sourceType: 'string',
	createdDate: 'string',
	userCreated: 'object',
};

/** The two paths that the AI content or outline of a proposal may have, in the order to try. */
export const aiPaths = (proposalId: number, end: string): [Place, Place] => [
	{ path: path`/public/api/proposals/${proposalId}/ai/` + end },
	{ path: path`/public/proposals/${proposalId}/ai/` + end },
];
type Place = Pick<ServiceRequest, 'path'>;

export const listContent = (proposalId: number): ServiceRequest => ({
	...{ method: 'GET', path: '/public/ai/content', query: { ProposalId: proposalId } },
	alternates: aiPaths(proposalId, 'content'),
});

const getMany = operation({
	name: 'Get Many',
	action: 'Get many AI content files in proposal',
	description: 'Retrieve a list of the recordings and text files of a proposal',
	fields: { proposalId, ...field.paging },
	run: oneRequest(({ proposalId }) => listContent(proposalId), {
		list: ['items'],
		known: ['proposalId'],
	}),
	output: { asIs: contentShape },
});

const deleteContent = operation({
	name: 'Delete',
	action: 'Delete AI content from proposal',
	description: 'Permanently delete a recording or text file from a proposal in Draft',
	fields: { proposalId, contentId },
	run: oneRequest(({ proposalId, contentId }) => ({
		...request.remove(path`/public/ai/content/${contentId}`),
		alternates: aiPaths(proposalId, path`content/${contentId}`),
	})),
});

/**
 * The accepted extensions (docs/dev/portal-api.md#ai-content-uploads), with the types of files that
 * have no extension, or another one such as `.oga`. `text/plain` is not among them: n8n uses it for
 * every file whose type it does not know.
 */
const TYPES: Record<string, string[]> = {
	txt: [],
	mp3: ['audio/mp3', 'audio/mpeg'],
	mp4: ['video/mp4', 'video/x-m4v'],
	mp2: [],
	aac: ['audio/aac'],
	wav: ['audio/vnd.wave', 'audio/wav', 'audio/wave', 'audio/x-wav'],
	flac: ['audio/flac', 'audio/x-flac'],
	pcm: ['audio/l16', 'audio/pcm'],
	m4a: ['audio/m4a', 'audio/mp4', 'audio/x-m4a'],
	ogg: ['audio/ogg'],
	opus: ['audio/opus'],
	webm: ['audio/webm', 'video/webm'],
	mov: ['video/quicktime'],
	mpeg: ['video/mpeg'],
	mpg: [],
};

const EXTENSIONS = Object.keys(TYPES);

/** Servers reject headers with longer names. */
const MAX_LENGTH = 120;

/**
 * Portal.io reads the type of a file from the extension. Characters that end a header or separate
 * folders are replaced; the name that people see is a separate field. Throws a FieldError for other
 * types.
 */
export function sentFileName(file: Partial<IBinaryData>, label: string): string {
	const mimeType = file.mimeType ?? '';
	const given = (file.fileName ?? '')
		.replace(/\p{Cc}+/gu, ' ')
		.replace(/"/g, "'")
		.replace(/[\\/]/g, '-')
		.trim();
	// An extension begins with a letter: 'Tour v1.2' has none.
	const [ending = '', extension = ''] = /\.(\p{L}[\p{L}\d]*)$/u.exec(given) ?? [];
	const known = (one?: string) => EXTENSIONS.find((accepted) => accepted === one?.toLowerCase());
	const type = mimeType.split(';')[0]!.trim().toLowerCase();
	const byType = EXTENSIONS.find((one) => TYPES[one]!.includes(type));
	// n8n sets an extension only if it knows the type, which a server may say wrongly.
	const byN8n = extension === '' ? known(file.fileExtension) : undefined;
	const accepted = known(extension) ?? byType ?? byN8n;
	if (accepted === undefined) {
		const problem =
			extension === ''
				? `has a file without an extension${given && ` ('${given}')`}, and its type '${mimeType}' does not identify the format`
				: `has a file of the type '.${extension}'`;
		const list = EXTENSIONS.map((one) => `.${one}`).join(', ');
		throw new FieldError(label, `${problem}: Portal.io accepts ${list}`);
	}
	const base = given.slice(0, given.length - ending.length);
	return `${[...base].slice(0, MAX_LENGTH).join('') || 'content'}.${accepted}`;
}

/**
 * Splits a file for an upload (docs/dev/portal-api.md#ai-content-uploads).
 *
 * Portal.io does not say whether an MB is 1,000,000 or 1,048,576 bytes. An upper limit is read as the
 * smaller and a lower limit as the larger of the two: a file is split from 25,000,001 bytes on, and
 * no chunk but the last is under 5 x 1,048,576. Only the largest file is read as the larger: Portal.io
 * itself may reject the last 7%.
 */
const MEBIBYTE = 1_048_576;
const MAX_SINGLE_BYTES = 25_000_000;
export const MAX_FILE_BYTES = 1024 * MEBIBYTE;
/** From here on the service recommends larger chunks. */
const LARGE_FILE_BYTES = 500 * MEBIBYTE;

/** The sizes of the chunks in bytes; one chunk for a small file. */
export function planChunks(fileBytes: number, chunkMebibytes?: number): number[] {
	if (fileBytes <= MAX_SINGLE_BYTES) return [fileBytes];
	const recommended = fileBytes <= LARGE_FILE_BYTES ? 8 : 16;
	// The largest chunk that a user can choose is above the limit of a request.
	const chunkBytes = Math.min(
		Math.round((chunkMebibytes ?? recommended) * MEBIBYTE),
		MAX_SINGLE_BYTES,
	);
	const chunks: number[] = [];
	for (let left = fileBytes; left > 0; left -= chunkBytes) chunks.push(Math.min(left, chunkBytes));
	return chunks;
}

const FILE = 'Input Data Field Name';

/** 5 is the documented minimum, 25 what one request may carry. */
const chunkSize = field.setting('Chunk Size (MB)', {
	...{ min: 5, max: 25, default: 8 },
	description:
		'Chunk size for files over 25 MB. Defaults to what Portal.io recommends: 8 up to 500 MB, 16 above.',
});

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
			name: field.requiredText('Name', {
				placeholder: 'e.g. Walk-through of the ground floor',
				description: 'Defaults to the file name',
			}),
		}),
		options: field.options({ chunkSize }),
	},
	validate: (values) => void formFor(values),
	run: async (call) => {
		const { proposalId, binaryPropertyName: file } = call.values;
		const [first, second] = aiPaths(proposalId, 'content');
		const third = { path: '/public/ai/content', query: { ProposalId: proposalId } };
		const response = await call.upload({
			request: { method: 'POST', ...first, alternates: [second, third] },
			form: formFor(call.values),
			open: file.open,
			check: async () => {
				const { status } = await readProposal(call, proposalId);
				if (status === 'Draft') return;
				throw new PortalError(
					`The proposal's status is ${String(status)}: content can only be uploaded in Draft`,
				);
			},
		});
		return { records: [withKnown(response, { proposalId })] };
	},
	output: { asIs: contentShape },
});

interface FormValues {
	proposalId: number;
	binaryPropertyName: Omit<InputFile, 'open'>;
	additionalFields: { name?: string };
	options: { chunkSize?: number };
}

/** The form for a file, in chunks if it is large; throws a FieldError for an invalid file. */
export function formFor(values: FormValues): UploadForm {
	const { proposalId, binaryPropertyName: file, additionalFields, options } = values;
	const fileName = sentFileName(file, FILE);
	const name = additionalFields.name ?? (file.fileName?.trim() || fileName);
	if (file.bytes === 0) throw new FieldError(FILE, 'has an empty file');
	if (file.bytes > MAX_FILE_BYTES) {
		const size = `${file.bytes.toLocaleString('en-US')} bytes`;
		const max = '1 GB (1,073,741,824 bytes)';
		throw new FieldError(FILE, `has a file of ${size}: Portal.io accepts up to ${max}`);
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

export const aiContent: Resource = {
	name: 'AI Content',
	description: 'Recordings and text files',
	operations: { delete: deleteContent, getMany, upload },
};
