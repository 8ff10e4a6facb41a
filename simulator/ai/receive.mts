import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import busboy from 'busboy';

import { mediaType } from '../body.mts';
import { invalid, ServiceError } from '../errors.mts';
import type { Call } from '../world.mts';
import { noFile, tooLarge, UploadForm, type ReceivedUpload } from './upload.mts';

/** A form field that is no file has less than this (assumed). */
const FIELD_BYTES = 4096;

/** What the framing of the parts may add to the file before the announced length says too much. */
const FRAMING_BYTES = 1024 * 1024;

/**
 * Reads the body of an upload as it streams in: parts in order, counted and hashed, nothing kept. A
 * refusal (400) comes at once, without waiting for the rest of the body; that rest is read and thrown
 * away, because closing the connection could cost the caller the answer. Rejects with a plain error
 * when the connection breaks.
 */
export function receiveUpload(request: IncomingMessage, call: Call): Promise<ReceivedUpload> {
	const isMultiChunk = call.query.isMultiChunkUpload === true;
	const { uploadLimits } = call.world.settings;
	const limit = isMultiChunk ? uploadLimits.total : uploadLimits.single;
	const type = mediaType(request.headers['content-type']);
	// that is what a URL-encoded body gets: specification
	if (type === 'application/x-www-form-urlencoded') throw noFile();
	if (type !== 'multipart/form-data') {
		throw new ServiceError(400, 'The content type must be multipart/form-data.');
	}
	if (Number(request.headers['content-length'] ?? 0) > limit + FRAMING_BYTES) {
		request.resume();
		throw tooLarge('', isMultiChunk, limit);
	}
	const form = new UploadForm(call.path.ProposalId!, isMultiChunk, uploadLimits);
	let parser: busboy.Busboy;
	try {
		parser = busboy({
			headers: request.headers,
			defParamCharset: 'utf8',
			limits: { fieldSize: FIELD_BYTES },
		});
	} catch {
		request.resume();
		throw new ServiceError(400, 'The content type must be multipart/form-data with a boundary.');
	}
	return new Promise((resolve, reject) => {
		let isOver = false;
		const refuse = (error: unknown) => {
			if (isOver) return;
			isOver = true;
			request.unpipe(parser);
			parser.destroy();
			request.resume();
			reject(error);
		};
		/** Runs a step of the form; what it throws is the refusal. After one, parts come to nothing. */
		const step = (work: () => void) => {
			if (isOver) return;
			try {
				work();
			} catch (error) {
				refuse(error);
			}
		};
		/** Takes one file part; a stream that is cut off ends with the parser, which says why. */
		const take = async (name: string, file: Readable) => {
			step(() => form.fileBegins(name));
			try {
				for await (const chunk of file) step(() => form.data(chunk));
			} catch {
				return;
			}
		};
		let taken = Promise.resolve();
		parser.on('field', (name, value, { valueTruncated }) =>
			step(() => {
				if (valueTruncated) throw invalid(name, `${name} is longer than ${FIELD_BYTES} bytes.`);
				form.field(name ?? '', value);
			}),
		);
		parser.on('file', (name, file) => {
			// the parser can be a part ahead of its data: one after the other
			taken = taken.then(() => take(name ?? '', file));
			file.on('error', () => {});
		});
		parser.on('error', (error) =>
			refuse(
				new ServiceError(400, `The multipart body is malformed: ${(error as Error).message}.`),
			),
		);
		parser.on('close', () =>
			taken.then(() =>
				step(() => {
					resolve(form.end());
					isOver = true;
				}),
			),
		);
		request.once('close', () => {
			if (!request.complete) refuse(new Error('the connection broke during the upload'));
		});
		request.pipe(parser);
	});
}
