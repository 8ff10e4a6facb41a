import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Call, ReceivedUpload } from '../context.mts';
import { invalid, ServiceError } from '../errors.mts';
import type { UploadLimits } from '../settings.mts';

const sourceTypes: Record<SourceType, string[]> = {
	Text: ['.txt'],
	Audio: '.mp3 .mp2 .aac .wav .flac .pcm .m4a .ogg .opus'.split(' '),
	Video: '.mp4 .webm .mov .mpeg .mpg'.split(' '),
};
type SourceType = ReceivedUpload['sourceType'];

const noFile = () => new ServiceError(400, 'No file was provided in the request.');

function sourceTypeOf(fileName: string): SourceType {
	const extension = /.(\.[^.]*)$/s.exec(fileName)?.[1] ?? '';
	for (const [type, extensions] of Object.entries(sourceTypes)) {
		if (extensions.includes(extension.toLowerCase())) return type as SourceType;
	}
	const accepted = Object.values(sourceTypes).flat().join(', ');
	const message = `File type '${extension}' is not allowed. Accepted file types: ${accepted}`;
	throw invalid(fileName, message);
}

/**
 * Checks the parts of one upload in order and refuses it (400) at the first invalid one. Bytes are
 * counted and hashed, never kept.
 *
 * @param proposalId from the path
 * @param isMultiChunk from the query
 */
function uploadForm(proposalId: number, isMultiChunk: boolean, limits: UploadLimits) {
	const fields = new Map<string, string>();
	const parts: ReceivedUpload['parts'] = [];
	const hash = createHash('sha256');
	let bytes = 0;
	let fileName = '';
	let sourceType: SourceType = 'Text';

	const checkTotal = (isRight: (total: number) => boolean) => {
		const total = fields.get('totalchunks');
		if (total === undefined || isRight(Number(total))) return;
		const message = `totalChunks is ${total}, but chunk ${parts.length} was sent or is last.`;
		throw invalid('totalChunks', message);
	};

	const fileOfChunk = (fieldName: string): string => {
		const number = parts.length;
		const suffix = `.part${number}`;
		if (!fieldName.endsWith(suffix)) {
			throw invalid(fieldName, `The field name of chunk ${number} must end in '${suffix}'.`);
		}
		const name = fieldName.slice(0, -suffix.length);
		if (number > 1 && name !== fileName) {
			throw invalid(fieldName, `All chunks must be of one file; the first is of ${fileName}.`);
		}
		checkTotal((total) => number <= total);
		const previous = parts.at(-2);
		if (previous && previous.bytes < limits.minChunk) {
			const message = `A chunk that is not the last must have at least ${limits.minChunk} bytes.`;
			throw invalid(previous.name, message);
		}
		return name;
	};

	return {
		/** A form field, its name in any case. The field must agree with the query (assumed). */
		field(givenName: string, value: string): void {
			const name = givenName.toLowerCase();
			fields.set(name, value);
			if (name === 'ismultichunkupload' && value !== String(isMultiChunk)) {
				const message = 'isMultiChunkUpload of the form and of the query must be the same.';
				throw invalid(givenName, message);
			}
			if (name === 'proposalid' && value !== String(proposalId)) {
				throw invalid(givenName, 'proposalId must equal ProposalId of the path.');
			}
			if (name === 'totalchunks' && !/^[1-9]\d{0,8}$/.test(value)) {
				throw invalid(givenName, 'totalChunks must be a whole number above 0.');
			}
		},

		fileBegins(fieldName: string): void {
			if (!isMultiChunk && parts.length > 0) {
				throw invalid(fieldName, 'Only one file can be uploaded at a time.');
			}
			parts.push({ name: fieldName, bytes: 0 });
			fileName = isMultiChunk ? fileOfChunk(fieldName) : fieldName;
			sourceType = sourceTypeOf(fileName);
		},

		data(chunk: Buffer): void {
			parts.at(-1)!.bytes += chunk.length;
			bytes += chunk.length;
			const limit = isMultiChunk ? limits.total : limits.single;
			if (bytes > limit) {
				const rest = isMultiChunk ? '' : ' in a single request; larger files are sent in chunks';
				throw invalid(fileName, `The file is too large: at most ${limit} bytes${rest}.`);
			}
			hash.update(chunk);
		},

		end(): ReceivedUpload {
			if (parts.length === 0) throw noFile();
			const name = fields.get('name')?.trim();
			if (!name) throw invalid('name', 'The content name is required.');
			for (const field of isMultiChunk ? ['proposalId', 'totalChunks'] : []) {
				if (!fields.has(field.toLowerCase())) throw invalid(field, `${field} is required.`);
			}
			if (isMultiChunk) checkTotal((total) => total === parts.length);
			const sha256 = hash.digest('hex');
			return { name, fileName, sourceType, bytes, sha256, isMultiChunk, parts };
		},
	};
}

/**
 * Reads the body of an upload as a stream: parts in order, counted and hashed, nothing kept. A
 * refusal (400) does not wait for the rest of the body. That rest is read and discarded, because the
 * caller could miss the response if the connection closed. Rejects with a plain error when it breaks.
 */
export function receiveUpload(request: IncomingMessage, call: Call): Promise<ReceivedUpload> {
	const isMultiChunk = call.values.IsMultiChunkUpload === true;
	const { uploadLimits } = call.context.settings;
	const [type] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
	// The service responds to a URL-encoded body as to a form without a file.
	if (type === 'application/x-www-form-urlencoded') throw noFile();
	if (type !== 'multipart/form-data') {
		throw new ServiceError(400, 'The content type must be multipart/form-data.');
	}
	const form = uploadForm(call.values.ProposalId, isMultiChunk, uploadLimits);
	let parser: busboy.Busboy;
	try {
		parser = busboy({ headers: request.headers, defParamCharset: 'utf8' });
	} catch {
		request.resume();
		throw new ServiceError(400, 'The content type must be multipart/form-data with a boundary.');
	}
	const { promise, resolve, reject } = Promise.withResolvers<ReceivedUpload>();
	/** Runs a step of the form. The first that throws refuses the upload; what follows changes nothing. */
	const step = (work: () => void) => {
		try {
			work();
		} catch (error) {
			reject(error);
		}
	};
	/** Takes one file part. The parser reports why a stream was cut off. */
	const take = async (name: string, file: Readable) => {
		step(() => form.fileBegins(name));
		try {
			for await (const chunk of file) step(() => form.data(chunk));
		} catch {
			return;
		}
	};
	let taken = Promise.resolve();
	parser.on('field', (name, value) => step(() => form.field(name ?? '', value)));
	parser.on('file', (name, file) => {
		// The parser can report the next part before the data of this one: one after the other.
		taken = taken.then(() => take(name ?? '', file));
		file.on('error', () => {});
	});
	parser.on('error', (error) => {
		request.resume();
		const message = `The multipart body is malformed: ${(error as Error).message}.`;
		reject(new ServiceError(400, message));
	});
	parser.on('close', () => taken.then(() => step(() => resolve(form.end()))));
	request.once('close', () => {
		if (!request.complete) reject(new Error('the connection broke during the upload'));
	});
	request.pipe(parser);
	return promise;
}
