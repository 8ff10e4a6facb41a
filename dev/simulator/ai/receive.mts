import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { ServiceError } from '../errors.mts';
import type { Call } from '../context.mts';
import { noFile, uploadForm, type ReceivedUpload } from './upload.mts';

/**
 * Reads the body of an upload as a stream: parts in order, counted and hashed, nothing kept. A
 * refusal (400) does not wait for the rest of the body. That rest is read and discarded, because
 * the caller could miss the response if the connection closed. Rejects with a plain error when it
 * breaks.
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
		/**
		 * Runs a step of the form, and refuses the upload if it throws. Later steps are skipped then.
		 */
		const step = (work: () => void) => {
			if (isOver) return;
			try {
				work();
			} catch (error) {
				refuse(error);
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
