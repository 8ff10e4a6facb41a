import { randomBytes } from 'node:crypto';

/** A part that carries the next bytes of the file. */
export interface FilePart {
	/** The name of the field, and the file name, which the service wants to be equal. */
	name: string;
	bytes: number;
}

/** A form whose bytes are known but for those of the file, which stream through it. */
export interface Multipart {
	/** With the boundary: the header and the signature have to have the same one. */
	contentType: string;
	/** Of the whole body, framing and file. */
	length: number;
	/** Begins a body, for a file that is read from its beginning. */
	frame(): Framing;
}

/** A body on its way. Each piece that goes out is made when it is asked for, without a promise. */
export interface Framing {
	/**
	 * What goes out for the next piece of the file, of whatever size.
	 * @throws ContentLengthError when the file goes on after its announced length
	 */
	next(content: Uint8Array): IterableIterator<Uint8Array>;
	/**
	 * What goes out after the last piece.
	 * @throws ContentLengthError when more was announced
	 */
	end(): Uint8Array;
}

/** The file has another number of bytes than was announced for it. */
export class ContentLengthError extends Error {}

/**
 * The largest piece handed on at once: some stores give the file in one piece, of which a socket
 * should be offered no more than it can take.
 */
const PIECE_BYTES = 256 * 1024;

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

	function frame(): Framing {
		let part = -1;
		let left = 0;
		function* next(content: Uint8Array) {
			for (let piece = content; piece.byteLength > 0;) {
				if (left === 0) {
					const head = heads[++part];
					if (head === undefined) throw new ContentLengthError('It is longer than it was');
					left = files[part]!.bytes;
					yield head;
				}
				const taken = piece.subarray(0, Math.min(left, PIECE_BYTES));
				left -= taken.byteLength;
				piece = piece.subarray(taken.byteLength);
				yield taken;
			}
		}
		const end = () => {
			if (left > 0 || part < files.length - 1)
				throw new ContentLengthError('It is shorter than it was');
			return tail;
		};
		return { next, end };
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
