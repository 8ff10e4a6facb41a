import { randomBytes } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { encodeFields, type Fields } from './encoding';
import { classifyFailure, PortalError, type Failure } from './errors';
import { explainFailure } from './explain';
import type { ServiceRequest } from './request';
import { isRefusedKey, REQUEST_TIMEOUT_MS } from './response';
import type { Session } from './session';

/** The form in which a file is sent. */
export interface UploadForm {
	query?: Fields;
	/** Text fields by name, in the order in which they are sent. */
	fields: Record<string, string>;
	files: FilePart[];
}

/** All that an upload needs. */
export interface Upload {
	/** Method, path and query. */
	request: ServiceRequest;
	form: UploadForm;
	/** Opens the file at its beginning; a Buffer where n8n holds it in memory. */
	open(): Promise<FileStream | Buffer>;
	/** A signed read that throws when the upload cannot succeed; it renews an expired user API key. */
	check(): Promise<void>;
}

/** The slowest connection that an upload may have, in bytes per second: half a megabit. */
const MIN_BYTES_PER_SECOND = 64 * 1024;

/** How an attempt to send a file ended. */
type Ended =
	| { as: 'done'; data: unknown }
	/** The service refused the user key, and has stored nothing. */
	| { as: 'refused key'; error: PortalError }
	/** The connection broke before the whole file was sent: the user key may be why. */
	| { as: 'partial'; error: PortalError }
	| { as: 'failed'; error: PortalError };

/**
 * Streams a file to the service.
 *
 * n8n cannot repeat a request whose body was a stream, and when a server refuses a key early and
 * closes the connection, n8n does not even see the refusal (docs/dev/n8n-internals.md). So a read checks
 * the key first. If the key is refused all the same, nothing was stored, and the file is sent once more
 * from its beginning. Nothing else is repeated.
 *
 * @throws PortalError for what the service refused or a broken connection
 */
export async function sendUpload(session: Session, upload: Upload): Promise<unknown> {
	await upload.check();
	const key = session.userApiKey;
	const first = await attempt(session, upload);
	if (first.as === 'done') return first.data;
	const error = await errorUnlessOfKey(session, upload, first, key);
	if (error !== undefined) throw error;
	const second = await attempt(session, upload);
	if (second.as === 'done') return second.data;
	throw second.error;
}

/**
 * Looks with another check, which renews an expired key, whether the key was the reason.
 *
 * @returns the error of the attempt; undefined when there is another key to send the file with
 * @throws PortalError when the service refused the key, and the key cannot be renewed
 */
async function errorUnlessOfKey(
	session: Session,
	upload: Upload,
	ended: Exclude<Ended, { as: 'done' }>,
	key: string,
): Promise<PortalError | undefined> {
	const { error } = ended;
	if (ended.as === 'refused key') {
		if (!(await session.renewKey(key))) return error;
		await upload.check();
		return undefined;
	}
	if (ended.as !== 'partial') return error;
	const reason = await upload.check().then(
		() => '',
		({ message }: Error) => message,
	);
	// A server that refuses early and closes the connection looks like a broken one.
	if (reason !== '') return error.with({ progress: [`A check right after it gave: ${reason}.`] });
	return session.userApiKey === key ? error : undefined;
}

async function attempt(session: Session, { request, form, open }: Upload): Promise<Ended> {
	const { method, path } = request;
	const query = encodeFields({ ...request.query, ...form.query });
	const parts = multipart(form.fields, form.files);
	const { contentType, length } = parts;
	const body = await buildBody(parts, await open());
	try {
		const { outcome } = await session.request({
			method,
			url: query === '' ? path : `${path}?${query}`,
			headers: { 'Content-Type': contentType, 'Content-Length': String(length) },
			body: body.content,
			json: true,
			timeout: REQUEST_TIMEOUT_MS + 1000 * Math.ceil(length / MIN_BYTES_PER_SECOND),
		});
		const sent = body.sentBytes();
		const part = sent === undefined || sent === length ? undefined : sent / length;
		if ('failure' in outcome) {
			const error = explainFailure(outcome.failure, { path });
			return judge(session, outcome.failure, error, { fileError: body.fileError(), sent, part });
		}
		if (part === undefined) return { as: 'done', data: outcome.data };
		const error = new PortalError('Unexpected response: it came before the whole file was sent', {
			doubt: DOUBT_ABOUT_UPLOAD,
			progress: [`About ${percent(part)} % was sent.`],
		});
		return { as: 'failed', error };
	} finally {
		body.close();
	}
}

export const DOUBT_ABOUT_UPLOAD =
	"Portal.io may have received the file. Check with 'Get Many' of 'AI Content' before you upload it again.";
const NOTHING_STORED = 'Portal.io did not store any content.';

/** What was read of a file, and sent. */
interface Sent {
	/** Why the file could not be read to its end; undefined while it could. */
	fileError: Error | undefined;
	/** Bytes; undefined when it is not known. */
	sent: number | undefined;
	/** How much that is, from 0 to 1; undefined where it may be the whole file. */
	part: number | undefined;
}

/** @param error what the failure means for any request */
function judge(
	{ isStopped }: Session,
	failure: Failure,
	error: PortalError,
	{ fileError, sent, part }: Sent,
): Ended {
	const { mayHaveBeenProcessed } = classifyFailure(failure, Date.now());
	const doubt = part === undefined && mayHaveBeenProcessed ? DOUBT_ABOUT_UPLOAD : '';
	if (isStopped) {
		const what = 'The execution was stopped during the upload';
		return { as: 'failed', error: new PortalError(what, { doubt }) };
	}
	if (fileError !== undefined) {
		const progress = [`${fileError.message}. ${NOTHING_STORED}`];
		return {
			as: 'failed',
			error: new PortalError('n8n could not read the whole file', { progress }),
		};
	}
	if (failure.status !== '' || failure.unusable !== undefined) {
		const isDone = mayHaveBeenProcessed ? DOUBT_ABOUT_UPLOAD : '';
		return {
			as: isRefusedKey(failure) ? 'refused key' : 'failed',
			error: error.with({ doubt: isDone }),
		};
	}
	if (!mayHaveBeenProcessed || sent === 0) return { as: 'failed', error };
	if (part !== undefined) {
		const what = `The connection to Portal.io broke after about ${percent(part)} % of the file`;
		const advice = ['Upload it again.'];
		return { as: 'partial', error: error.with({ what, progress: [NOTHING_STORED], advice }) };
	}
	const what =
		sent === undefined
			? 'The connection to Portal.io broke during the upload'
			: 'Portal.io did not respond after the whole file was sent';
	return { as: 'failed', error: error.with({ what, doubt }) };
}

const percent = (part: number) => Math.floor(100 * part);

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
