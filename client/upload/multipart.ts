import { randomBytes } from 'node:crypto';

/** A part that carries the next bytes of the file. */
export interface FilePart {
	/** The name of the field, and the file name, which the service wants to be equal. */
	name: string;
	bytes: number;
}

/** A form of which everything but the content of the file is known. */
export interface Multipart {
	/** With the boundary: header and signature must have the same one. */
	contentType: string;
	/** Bytes of the whole body, framing and file. */
	length: number;
	/**
	 * The body around a file that is read from its beginning, in chunks of whatever size.
	 *
	 * @throws ContentLengthError when the file has another length than was announced
	 */
	frame(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array>;
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
): Multipart {
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

	return { contentType: `multipart/form-data; boundary=${boundary}`, length, frame };
}

/**
 * A name within the quotes of a header. Whatever could end the quotes or the line is percent-encoded,
 * as browsers do; other letters go out as UTF-8 (RFC 7578, 5.1).
 */
function quoted(name: string): string {
	return name.replace(/["\p{Cc}]/gu, (character) => encodeURIComponent(character));
}
