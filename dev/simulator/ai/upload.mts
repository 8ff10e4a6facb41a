import { createHash } from 'node:crypto';
import { on } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Values } from '../binder.mts';
import { invalid, ServiceError } from '../errors.mts';
import type { Settings } from '../settings.mts';

/** Received file without its bytes. */
export type ReceivedUpload = Awaited<ReturnType<typeof receiveUpload>>;

const sourceTypes = {
	Text: ['.txt'],
	Audio: '.mp3 .mp2 .aac .wav .flac .pcm .m4a .ogg .opus'.split(' '),
	Video: '.mp4 .webm .mov .mpeg .mpg'.split(' '),
};

const noFile = () => new ServiceError(400, 'No file was provided in the request.');

function detectSourceType(fileName: string) {
	const extension = /.(\.[^.]*)$/s.exec(fileName)?.[1] ?? '';
	for (const [type, extensions] of Object.entries(sourceTypes)) {
		if (extensions.includes(extension.toLowerCase())) return type as keyof typeof sourceTypes;
	}
	const accepted = Object.values(sourceTypes).flat().join(', ');
	const message = `File type '${extension}' is not allowed. Accepted file types: ${accepted}`;
	throw invalid(fileName, message);
}

/** Reads the fields and file parts of a form, in order. Counts and hashes the parts, but doesn't store them. */
async function readForm(request: IncomingMessage) {
	const fields = new Map<string, string>();
	const parts: { name: string; fileName: string; bytes: number }[] = [];
	const hash = createHash('sha256');
	try {
		const parser = busboy({
			headers: request.headers,
			defParamCharset: 'utf8',
			preservePath: true,
		});
		parser.on('field', (name, value) => fields.set((name ?? '').toLowerCase(), value));
		// Handle this error, because a file that nobody has started to read also fails when the connection breaks.
		parser.on('file', (_name, file) => file.on('error', () => {}));
		request.once('close', () => {
			if (!request.complete) parser.destroy(new Error('the connection broke'));
		});
		request.pipe(parser);
		for await (const [name, file, { filename }] of on(parser, 'file', { close: ['close'] })) {
			const part = { name: name ?? '', fileName: filename ?? '', bytes: 0 };
			parts.push(part);
			for await (const chunk of file as Readable) {
				part.bytes += chunk.length;
				hash.update(chunk);
			}
		}
	} catch (error) {
		// Keep the connection open, or the caller might not receive the response.
		request.resume();
		const message = `The multipart body is malformed: ${(error as Error).message}.`;
		throw new ServiceError(400, message);
	}
	return { fields, parts, sha256: hash.digest('hex') };
}

function check(isValid: boolean, fieldName: string, message: string): void {
	if (!isValid) throw invalid(fieldName, message);
}

/** Reads an upload's complete body. Responds with 400 if a part is invalid. */
export async function receiveUpload(
	request: IncomingMessage,
	values: Values,
	{ single, total, minChunk }: Settings['uploadLimits'],
) {
	const [type] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
	// Treat a URL-encoded body like a form without a file, as the service does.
	if (type === 'application/x-www-form-urlencoded') throw noFile();
	if (type !== 'multipart/form-data') {
		throw new ServiceError(400, 'The content type must be multipart/form-data.');
	}
	const { fields, parts, sha256 } = await readForm(request);
	const [first] = parts;
	if (!first) throw noFile();

	const isMultiChunk = values.IsMultiChunkUpload === true;
	const fileName = isMultiChunk ? first.name.replace(/\.part1$/, '') : first.name;
	const sourceType = detectSourceType(fileName);
	const name = fields.get('name')?.trim() ?? '';
	check(name !== '', 'name', 'The content name is required.');
	// Form fields must match the path and query (assumed).
	const expected = {
		isMultiChunkUpload: String(isMultiChunk),
		proposalId: String(values.ProposalId),
		...(isMultiChunk && { totalChunks: String(parts.length) }),
	};
	for (const [field, value] of Object.entries(expected)) {
		const isRequired = isMultiChunk && field !== 'isMultiChunkUpload';
		const sent = fields.get(field.toLowerCase()) ?? (isRequired ? '' : value);
		check(sent === value, field, `${field} is ${sent || 'missing'}, and must be ${value}.`);
	}
	// All parts of a chunked file can also have the file's name without `.partN` (assumed).
	for (const part of parts) {
		const isEqual = part.fileName === part.name || (isMultiChunk && part.fileName === fileName);
		const message = `The field name must equal the file name '${part.fileName}'.`;
		check(isEqual, part.name, message);
	}
	check(isMultiChunk || parts.length === 1, fileName, 'Only one file can be uploaded at a time.');
	const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
	const most = isMultiChunk ? total : single;
	check(bytes <= most, fileName, `The file is too large: at most ${most} bytes in this way.`);
	for (const [index, part] of isMultiChunk ? parts.entries() : []) {
		const expectedName = `${fileName}.part${index + 1}`;
		check(
			part.name === expectedName,
			part.name,
			`The field name of this chunk must be '${expectedName}'.`,
		);
		const isLast = index === parts.length - 1;
		const message = `A chunk that is not the last must have at least ${minChunk} bytes.`;
		check(isLast || part.bytes >= minChunk, part.name, message);
	}
	// `fileName` is the name of the file part's field, without `.partN` for a file sent in chunks.
	return { name, fileName, sourceType, bytes, sha256, isMultiChunk, parts };
}
