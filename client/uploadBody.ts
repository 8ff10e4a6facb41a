import { randomBytes } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

/** A part that carries the next bytes of the file. */
export interface FilePart {
	/** The name of the field, and the file name, which the service wants to be equal. */
	name: string;
	bytes: number;
}

/** The file has another number of bytes than was announced for it. */
export class ContentLengthError extends Error {}

/** The largest chunk of a body: some stores give a whole file at once. */
const MAX_CHUNK_BYTES = 512 * 1024;

/**
 * Frames a form as `multipart/form-data` (RFC 7578): the fields, then the parts of the file, in
 * their order.
 *
 * @param files at least one, none of them empty
 * @param boundary for tests; random otherwise, so that no content can hold it
 */
export function multipart(
	fields: Record<string, string>,
	files: FilePart[],
	boundary = `portal-io-${randomBytes(24).toString('hex')}`,
) {
	const texts = Object.entries(fields).map(
		([name, value]) =>
			`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
	);
	const heads = files.map(({ name }, index) => {
		const disposition = `form-data; name="${quoted(name)}"; filename="${quoted(name)}"`;
		return Buffer.from(
			`${index === 0 ? texts.join('') : '\r\n'}--${boundary}\r\n` +
				`Content-Disposition: ${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`,
		);
	});
	const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
	const length = [...heads, tail].reduce(
		(sum, { byteLength }) => sum + byteLength,
		files.reduce((sum, { bytes }) => sum + bytes, 0),
	);

	/**
	 * The body around a file that is read from its beginning, in chunks of whatever size.
	 *
	 * @throws ContentLengthError when the file has another length than was announced
	 */
	async function* frame(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
		let part = -1;
		let left = 0;
		for await (const read of content) {
			for (let rest = read; rest.byteLength > 0;) {
				if (left === 0) {
					const head = heads[++part];
					if (head === undefined) throw new ContentLengthError('It is longer than it was');
					left = files[part]!.bytes;
					yield head;
				}
				const chunk = rest.subarray(0, Math.min(left, MAX_CHUNK_BYTES));
				left -= chunk.byteLength;
				rest = rest.subarray(chunk.byteLength);
				yield chunk;
			}
		}
		if (left > 0 || part < files.length - 1) {
			throw new ContentLengthError('It is shorter than it was');
		}
		yield tail;
	}

	return {
		/** With the boundary: header and signature must have the same one. */
		contentType: `multipart/form-data; boundary=${boundary}`,
		/** Bytes of the whole body, framing and file. */
		length,
		frame,
	};
}

/** A form of which everything but the content of the file is known. */
type Multipart = ReturnType<typeof multipart>;

/**
 * A name within the quotes of a header. Whatever could end the quotes or the line is percent-encoded,
 * as browsers do; other letters go out as UTF-8 (RFC 7578, 5.1).
 */
function quoted(name: string): string {
	return name.replace(/["\p{Cc}]/gu, (character) => encodeURIComponent(character));
}

/** A stream as n8n opens it; Node's own type of it cannot be imported in a community node. */
export type FileStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** The body of an upload. */
interface Body {
	/** A Buffer where n8n holds the file in memory. */
	content: FileStream | Buffer;
	/**
	 * How many of its bytes were sent: when in doubt, the service has received them. Undefined for a
	 * Buffer, which Node sends on its own.
	 */
	sentBytes(): number | undefined;
	/** Why the file could not be read to its end; undefined while it could. */
	fileError(): Error | undefined;
	/** Ends the reading of the file, whatever became of the request. */
	close(): void;
}

/** Puts a file into its form; a stream is read as fast as it is sent. */
export async function buildBody(form: Multipart, file: FileStream | Buffer): Promise<Body> {
	if (Buffer.isBuffer(file)) {
		const chunks: Uint8Array[] = [];
		for await (const chunk of form.frame([file])) chunks.push(chunk);
		return {
			content: Buffer.concat(chunks),
			sentBytes: () => undefined,
			fileError: () => undefined,
			close: () => {},
		};
	}
	const sizes: number[] = [];
	const content = file.compose(async function* (chunks: AsyncIterable<Uint8Array>) {
		for await (const chunk of form.frame(chunks)) {
			sizes.push(chunk.byteLength);
			yield chunk;
		}
	}) as FileStream;
	let fileError: Error | undefined;
	// What fails on the way to the service ends the request: an error here is about the file.
	content.on('error', (error: Error) => (fileError ??= error));
	return {
		content,
		// The chunks that still wait in the stream were not sent.
		sentBytes: () =>
			sizes
				.slice(0, Math.max(0, sizes.length - content.readableLength))
				.reduce((sum, size) => sum + size, 0),
		fileError: () => fileError,
		// n8n does not do it when a request fails or is refused early.
		close: () => {
			content.destroy();
			file.destroy();
		},
	};
}
