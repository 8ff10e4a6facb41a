import { randomBytes } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { PortalError, statusOf } from './errors';
import { explainFailure } from './explain';
import { type Fields, onAnyPath, type ServiceRequest, toHttpRequest } from './request';
import { isRefusedKey, type Outcome, REQUEST_TIMEOUT_MS } from './response';
import { classifyFailure } from './retry';
import type { Session } from './session';

export interface UploadForm {
	query?: Fields;
	/** Text fields, in the order in which they are sent. */
	fields: Record<string, string>;
	/** The parts that carry the file. The service wants the names of field and file to be equal. */
	files: Array<{ name: string; bytes: number }>;
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

/**
 * Streams a file to the service, on the first of its paths that the service has. n8n cannot repeat a
 * request whose body was a stream, and does not see a refusal if the server closes the connection early
 * (docs/dev/n8n-internals.md). So a read checks the key first. If the key is refused all the same, nothing
 * was stored, and the file is sent once more. Nothing else is repeated.
 */
export async function sendUpload(session: Session, upload: Upload): Promise<unknown> {
	return await onAnyPath(session.account.baseUrl, upload.request, async (request) => {
		await upload.check();
		const { userApiKey } = session;
		let end = await attempt(session, { ...upload, request });
		if ('error' in end && end.isOfKey === true) {
			const { error } = end;
			const isRefused = statusOf(error) === '401';
			if (isRefused && !(await session.renewKey(userApiKey))) throw error;
			await upload.check().catch((reason: Error) => {
				if (isRefused) throw reason;
				throw error.with({ progress: [`A check right afterward failed: ${reason.message}.`] });
			});
			if (session.userApiKey.value !== userApiKey.value)
				end = await attempt(session, { ...upload, request });
		}
		if ('error' in end) throw end.error;
		return end.data;
	});
}

/** `isOfKey` if the user key may be the reason. Then nothing was stored. */
type End = { data: unknown } | { error: PortalError; isOfKey?: boolean };

/** The slowest connection that an upload may have, in bytes per second: half a megabit. */
const MIN_BYTES_PER_SECOND = 64 * 1024;

async function attempt(session: Session, { request, form, open }: Upload): Promise<End> {
	const { method, path } = request;
	const query = { ...request.query, ...form.query };
	const { contentType, length, frame } = multipart(form.fields, form.files);
	const file = await open();
	try {
		const body = await buildBody(frame, file);
		const { outcome } = await session.request({
			...toHttpRequest({ method, path, query }),
			headers: { 'Content-Type': contentType, 'Content-Length': String(length) },
			body: body.content,
			timeout: REQUEST_TIMEOUT_MS + 1000 * Math.ceil(length / MIN_BYTES_PER_SECOND),
		});
		return judge(session, path, outcome, body, length);
	} finally {
		// n8n does not end the reading when a request fails or is refused early.
		if (!Buffer.isBuffer(file)) file.destroy();
	}
}

export const DOUBT_ABOUT_UPLOAD =
	"Portal.io may have received the file. Check with 'Get Many' of 'AI Content' before you upload it again.";
const NOTHING_STORED = 'Portal.io did not store any content.';

function judge(
	{ isStopped, state }: Session,
	path: string,
	outcome: Outcome,
	{ content, sentBytes }: Body,
	length: number,
): End {
	const sent = sentBytes();
	const isPart = sent !== length;
	const percent = Math.floor((100 * sent) / length);
	if ('data' in outcome) {
		if (!isPart) return outcome;
		const what = 'Unexpected response: it came before the whole file was sent';
		const progress = [`About ${percent}% was sent.`];
		return { error: new PortalError(what, { doubt: DOUBT_ABOUT_UPLOAD, progress }) };
	}
	const { failure } = outcome;
	const { mayHaveBeenProcessed, isThrottled, retryAfterMs = 0 } = classifyFailure(failure);
	if (isThrottled) state.throttle(retryAfterMs);
	const doubt = mayHaveBeenProcessed && !isPart ? DOUBT_ABOUT_UPLOAD : '';
	if (isStopped) {
		return { error: new PortalError('The execution was stopped during the upload', { doubt }) };
	}
	// A failed connection does not end the stream: its error is that of the file.
	if (!Buffer.isBuffer(content) && content.errored !== null) {
		const progress = [`${content.errored.message}. ${NOTHING_STORED}`];
		return { error: new PortalError('n8n could not read the whole file', { progress }) };
	}
	const error = explainFailure(failure, { path, doubt });
	const hasResponse = (failure.status ?? failure.unusable) !== undefined;
	if (hasResponse || !mayHaveBeenProcessed || sent === 0) {
		return { error, isOfKey: isRefusedKey(failure) };
	}
	if (isPart) {
		// A server that refuses the key early and closes the connection looks like a broken one.
		const what = `The connection to Portal.io broke after about ${percent}% of the file`;
		const advice = ['Upload it again.'];
		return { error: error.with({ what, progress: [NOTHING_STORED], advice }), isOfKey: true };
	}
	const what = Buffer.isBuffer(content)
		? 'The connection to Portal.io broke during the upload'
		: 'Portal.io did not respond after the whole file was sent';
	return { error: error.with({ what }) };
}

/** The largest chunk of a body: some stores return a whole file at once. */
const MAX_CHUNK_BYTES = 512 * 1024;

/**
 * Frames a form as `multipart/form-data` (RFC 7578): the fields, then the parts of the file, at least
 * one and none of them empty. `length` is that of the whole body, in bytes.
 */
export function multipart(
	fields: Record<string, string>,
	files: UploadForm['files'],
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
					if (head === undefined) throw new Error('The file is larger than n8n reported');
					left = files[part]!.bytes;
					yield head;
				}
				const chunk = rest.subarray(0, Math.min(left, MAX_CHUNK_BYTES));
				left -= chunk.byteLength;
				rest = rest.subarray(chunk.byteLength);
				yield chunk;
			}
		}
		if (left > 0 || part < files.length - 1)
			throw new Error('The file is smaller than n8n reported');
		yield tail;
	}

	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		length: sizes.reduce((sum, size) => sum + size, tail.byteLength),
		frame,
	};
}

/** Percent-encodes what could end the quotes or the line of a header, as browsers do. */
const quoted = (name: string) =>
	name.replace(/["\p{Cc}]/gu, (character) => encodeURIComponent(character));

interface Body {
	content: FileStream | Buffer;
	/** When in doubt, the service has received the bytes. */
	sentBytes(): number;
}

/** Puts a file into its form. A stream is read as fast as it is sent. */
export async function buildBody(
	frame: ReturnType<typeof multipart>['frame'],
	file: FileStream | Buffer,
): Promise<Body> {
	if (Buffer.isBuffer(file)) {
		const chunks: Uint8Array[] = [];
		for await (const chunk of frame([file])) chunks.push(chunk);
		const content = Buffer.concat(chunks);
		return { content, sentBytes: () => content.byteLength };
	}
	const sizes: number[] = [];
	const content = file.compose(async function* (chunks: AsyncIterable<Uint8Array>) {
		for await (const chunk of frame(chunks)) {
			sizes.push(chunk.byteLength);
			yield chunk;
		}
	}) as FileStream;
	// Without a listener, an error of the file would end n8n.
	content.on('error', () => {});
	return {
		content,
		// The last chunks still wait in the stream.
		sentBytes: () =>
			sizes
				.slice(0, Math.max(0, sizes.length - content.readableLength))
				.reduce((sum, size) => sum + size, 0),
	};
}
