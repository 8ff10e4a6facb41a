import { randomBytes } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Fields } from './encoding';
import { classifyFailure, PortalError, type Failure } from './errors';
import { explainFailure } from './explain';
import { onAnyPath, withQuery, type ServiceRequest } from './request';
import { isRefusedKey, REQUEST_TIMEOUT_MS } from './response';
import type { Session } from './session';

/** A part that carries the next bytes of the file. */
export interface FilePart {
	/** The name of the field, and the file name, which the service wants to be equal. */
	name: string;
	bytes: number;
}

export interface UploadForm {
	query?: Fields;
	/** Text fields, in the order in which they are sent. */
	fields: Record<string, string>;
	files: FilePart[];
}

/** A stream as n8n opens it; Node's own type of it cannot be imported in a community node. */
export type FileStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

export interface Upload {
	request: ServiceRequest;
	form: UploadForm;
	/** Opens the file at its beginning; a Buffer where n8n holds it in memory. */
	open(): Promise<FileStream | Buffer>;
	/** A signed read that throws when the upload cannot succeed; it renews an expired user API key. */
	check(): Promise<void>;
}

/** The end of an attempt to send a file. It may have failed because of the user key, with nothing stored. */
type Ended = { data: unknown } | { error: PortalError; key?: 'refused' | 'suspect' };

/**
 * Streams a file to the service, on the first of its paths that the service has.
 *
 * n8n cannot repeat a request whose body was a stream, and when a server refuses a key early and
 * closes the connection, n8n does not even see the refusal (docs/dev/n8n-internals.md). So a read checks
 * the key first. If the key is refused all the same, nothing was stored, and the file is sent once more
 * from its beginning. Nothing else is repeated.
 */
export async function sendUpload(session: Session, upload: Upload): Promise<unknown> {
	return await onAnyPath(
		session,
		upload.request,
		async (request) => await sendTwice(session, { ...upload, request }),
	);
}

async function sendTwice(session: Session, upload: Upload): Promise<unknown> {
	await upload.check();
	const key = session.userApiKey;
	const first = await attempt(session, upload);
	if ('data' in first) return first.data;
	const error = await errorUnlessOfKey(session, upload, first, key);
	if (error !== undefined) throw error;
	const second = await attempt(session, upload);
	if ('data' in second) return second.data;
	throw second.error;
}

/** The error of a failed attempt; undefined if its key was the reason, and there is a new one. */
async function errorUnlessOfKey(
	session: Session,
	upload: Upload,
	{ error, key }: Exclude<Ended, { data: unknown }>,
	sentKey: string,
): Promise<PortalError | undefined> {
	if (key === undefined) return error;
	if (key === 'refused') {
		if (!(await session.renewKey(sentKey))) return error;
		await upload.check();
		return undefined;
	}
	try {
		await upload.check();
	} catch (reason) {
		const { message } = reason as Error;
		return error.with({ progress: [`A check right afterward failed: ${message}.`] });
	}
	// A server that refuses early and closes the connection looks like a broken one.
	return session.userApiKey === sentKey ? error : undefined;
}

/** The slowest connection that an upload may have, in bytes per second: half a megabit. */
const MIN_BYTES_PER_SECOND = 64 * 1024;

async function attempt(session: Session, { request, form, open }: Upload): Promise<Ended> {
	const { method, path } = request;
	const { contentType, length, ...parts } = multipart(form.fields, form.files);
	const body = await buildBody(parts, await open());
	try {
		const { outcome } = await session.request({
			method,
			url: withQuery(path, { ...request.query, ...form.query }),
			headers: { 'Content-Type': contentType, 'Content-Length': String(length) },
			body: body.content,
			json: true,
			timeout: REQUEST_TIMEOUT_MS + 1000 * Math.ceil(length / MIN_BYTES_PER_SECOND),
		});
		const sent = body.sentBytes();
		const percent =
			sent === undefined || sent === length ? undefined : Math.floor((100 * sent) / length);
		if ('failure' in outcome) {
			return judge(session, outcome.failure, path, { sent, percent, fileError: body.fileError() });
		}
		if (percent === undefined) return { data: outcome.data };
		const error = new PortalError('Unexpected response: it came before the whole file was sent', {
			doubt: DOUBT_ABOUT_UPLOAD,
			progress: [`About ${percent}% was sent.`],
		});
		return { error };
	} finally {
		body.close();
	}
}

export const DOUBT_ABOUT_UPLOAD =
	"Portal.io may have received the file. Check with 'Get Many' of 'AI Content' before you upload it again.";
const NOTHING_STORED = 'Portal.io did not store any content.';

interface Sent {
	/** Bytes, if known. */
	sent: number | undefined;
	/** Undefined if all of the form may have been sent. */
	percent: number | undefined;
	fileError: Error | undefined;
}

function judge(
	{ isStopped, state }: Session,
	failure: Failure,
	path: string,
	{ sent, percent, fileError }: Sent,
): Ended {
	const { mayHaveBeenProcessed, isThrottled, retryAfter = 0 } = classifyFailure(failure);
	if (isThrottled) state.throttle(retryAfter);
	const error = explainFailure(failure, { path });
	const doubt = percent === undefined && mayHaveBeenProcessed ? DOUBT_ABOUT_UPLOAD : '';
	if (isStopped) {
		return { error: new PortalError('The execution was stopped during the upload', { doubt }) };
	}
	if (fileError !== undefined) {
		const progress = [`${fileError.message}. ${NOTHING_STORED}`];
		return { error: new PortalError('n8n could not read the whole file', { progress }) };
	}
	if (failure.status !== '' || failure.unusable !== undefined) {
		if (isRefusedKey(failure)) return { error, key: 'refused' };
		return { error: error.with({ doubt: mayHaveBeenProcessed ? DOUBT_ABOUT_UPLOAD : '' }) };
	}
	if (!mayHaveBeenProcessed || sent === 0) return { error };
	if (percent !== undefined) {
		const what = `The connection to Portal.io broke after about ${percent}% of the file`;
		const advice = ['Upload it again.'];
		return { error: error.with({ what, progress: [NOTHING_STORED], advice }), key: 'suspect' };
	}
	const what =
		sent === undefined
			? 'The connection to Portal.io broke during the upload'
			: 'Portal.io did not respond after the whole file was sent';
	return { error: error.with({ what, doubt }) };
}

/** The largest chunk of a body: some stores return a whole file at once. */
const MAX_CHUNK_BYTES = 512 * 1024;

/**
 * Frames a form as `multipart/form-data` (RFC 7578): the fields, then the parts of the file, at least
 * one and none of them empty. `length` is that of the whole body, in bytes.
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
	const sizes = [...heads.map((head) => head.byteLength), ...files.map(({ bytes }) => bytes)];

	/** Frames the chunks of a file. Throws if it does not have the announced length. */
	async function* frame(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
		let part = -1;
		let left = 0;
		for await (const read of content) {
			for (let rest = read; rest.byteLength > 0;) {
				if (left === 0) {
					const head = heads[++part];
					if (head === undefined) throw new Error('The file is longer than announced');
					left = files[part]!.bytes;
					yield head;
				}
				const chunk = rest.subarray(0, Math.min(left, MAX_CHUNK_BYTES));
				left -= chunk.byteLength;
				rest = rest.subarray(chunk.byteLength);
				yield chunk;
			}
		}
		if (left > 0 || part < files.length - 1) throw new Error('The file is shorter than announced');
		yield tail;
	}

	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		length: sizes.reduce((sum, size) => sum + size, tail.byteLength),
		frame,
	};
}

/**
 * A name within the quotes of a header: as browsers do, it percent-encodes what could end the quotes or
 * the line. Other letters are sent as UTF-8 (RFC 7578, 5.1).
 */
const quoted = (name: string) =>
	name.replace(/["\p{Cc}]/gu, (character) => encodeURIComponent(character));

interface Body {
	content: FileStream | Buffer;
	/** When in doubt, the service has received the bytes. Undefined for a Buffer. */
	sentBytes(): number | undefined;
	fileError(): Error | undefined;
	/** Ends the reading of the file: n8n does not, when a request fails or is refused early. */
	close(): void;
}

/** Puts a file into its form. A stream is read as fast as it is sent. */
export async function buildBody(
	{ frame }: Pick<ReturnType<typeof multipart>, 'frame'>,
	file: FileStream | Buffer,
): Promise<Body> {
	if (Buffer.isBuffer(file)) {
		const chunks: Uint8Array[] = [];
		for await (const chunk of frame([file])) chunks.push(chunk);
		const content = Buffer.concat(chunks);
		return { content, sentBytes: () => undefined, fileError: () => undefined, close: () => {} };
	}
	const sizes: number[] = [];
	const content = file.compose(async function* (chunks: AsyncIterable<Uint8Array>) {
		for await (const chunk of frame(chunks)) {
			sizes.push(chunk.byteLength);
			yield chunk;
		}
	}) as FileStream;
	let fileError: Error | undefined;
	// A failed connection ends the request: an error here is about the file.
	content.on('error', (error: Error) => (fileError ??= error));
	return {
		content,
		// The last chunks still wait in the stream.
		sentBytes: () =>
			sizes
				.slice(0, Math.max(0, sizes.length - content.readableLength))
				.reduce((sum, size) => sum + size, 0),
		fileError: () => fileError,
		close: () => {
			content.destroy();
			file.destroy();
		},
	};
}
