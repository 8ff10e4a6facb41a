import { randomBytes } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { httpStatusOf, PortalError, type Failure } from './errors';
import { explainFailure } from './explain';
import { tryEachPath, toHttpRequest, type RequestFields, type ServiceRequest } from './request';
import { mayBeRejectedKey, REQUEST_TIMEOUT_MS } from './response';
import { isThrottled, mayHaveBeenProcessed, requiredWaitMs } from './retry';
import type { Session } from './session';

export interface UploadForm {
	query?: RequestFields;
	/** Text fields, in the order in which they are sent. */
	fields: Record<string, string>;
	/** Parts in which the file is sent. Portal.io requires the same name for a part's field and its file. */
	files: Array<{ name: string; bytes: number }>;
}

/** Type of a file stream. A community node cannot import it from Node.js. */
export type FileStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

export interface Upload {
	request: ServiceRequest;
	form: UploadForm;
	/** Opens the file as a stream, or as a Buffer if n8n keeps it in memory. */
	open(): Promise<FileStream | Buffer>;
	/** Sends a signed read, which renews an expired user API key. Throws if the upload would fail. */
	check(): Promise<void>;
}

/**
 * Streams a file to the first of the request's paths that exists in Portal.io. n8n cannot repeat a request with a
 * stream as its body, and does not see a rejection if the server closes the connection early
 * (docs/dev/n8n-internals.md#requests). So a read checks the key first. If the upload still fails because the key has
 * expired, Portal.io has stored nothing, and the file is sent once more with a new key. No other failure is retried.
 */
export async function sendUpload(session: Session, upload: Upload): Promise<unknown> {
	return await tryEachPath(session.account.baseUrl, upload.request, async (request) => {
		await upload.check();
		const { generation, userApiKey } = session.state;
		let result = await sendFile(session, { ...upload, request });
		if ('error' in result && result.mayBeKey) {
			const { error } = result;
			const isRejected = httpStatusOf(error) === '401';
			if (isRejected && !(await session.renewKey(generation))) throw error;
			await upload.check().catch((reason: Error) => {
				if (isRejected) throw reason;
				throw error.with({ progress: [`A follow-up check also failed: ${reason.message}.`] });
			});
			if (session.state.userApiKey !== userApiKey) {
				result = await sendFile(session, { ...upload, request });
			}
		}
		if ('error' in result) throw result.error;
		return result.data;
	});
}

type UploadResult = { data: unknown } | { error: PortalError; mayBeKey: boolean };

/** Lowest upload speed that the timeout allows for: half a megabit per second. */
const MIN_BYTES_PER_SECOND = 64 * 1024;

async function sendFile(session: Session, { request, form, open }: Upload): Promise<UploadResult> {
	const query = { ...request.query, ...form.query };
	const { contentType, length, frame } = encodeMultipart(form.fields, form.files);
	const file = await open();
	try {
		const body = await buildBody(frame, file);
		const { content } = body;
		const outcome = await session.sendOnce({
			...toHttpRequest({ method: request.method, path: request.path, query }),
			headers: { 'Content-Type': contentType, 'Content-Length': String(length) },
			body: content,
			timeout: REQUEST_TIMEOUT_MS + 1000 * Math.ceil(length / MIN_BYTES_PER_SECOND),
		});
		const sentBytes = body.sentBytes();
		if ('data' in outcome) {
			return sentBytes === length
				? outcome
				: { error: earlySuccessError(sentBytes, length), mayBeKey: false };
		}
		const { failure } = outcome;
		if (isThrottled(failure)) {
			session.state.rateLimit.holdRequests(failure, requiredWaitMs(failure));
		}
		const upload: FailedUpload = {
			failure,
			sentBytes,
			totalBytes: length,
			isInMemory: Buffer.isBuffer(content),
			isStopped: session.isStopped,
			// A broken connection leaves the stream without an error, so an error here comes from reading the file.
			fileError: Buffer.isBuffer(content) ? null : content.errored,
		};
		return { error: explainUpload(upload, request.path), mayBeKey: mayBeKey(upload) };
	} finally {
		// Destroy the stream, because n8n would otherwise keep reading the file after a failed request.
		if (!Buffer.isBuffer(file)) file.destroy();
	}
}

interface FailedUpload {
	failure: Failure;
	sentBytes: number;
	totalBytes: number;
	isInMemory: boolean;
	isStopped: boolean;
	fileError: Error | null;
}

export const DOUBT_ABOUT_UPLOAD =
	"Portal.io might have received the file. Check with 'AI Content: Get Many' before you upload it again.";
const NOTHING_STORED = 'Portal.io did not store any content.';

const earlySuccessError = (sentBytes: number, totalBytes: number): PortalError =>
	new PortalError('Portal.io responded before the whole file was sent', {
		doubt: DOUBT_ABOUT_UPLOAD,
		progress: [`About ${percentOf(sentBytes, totalBytes)}% was sent.`],
	});

const percentOf = (bytes: number, totalBytes: number) => Math.floor((100 * bytes) / totalBytes);

/** Returns whether the connection broke while the file was being sent, or before the response. */
const isConnectionBroken = ({ failure, sentBytes }: FailedUpload) =>
	sentBytes > 0 &&
	failure.status === undefined &&
	failure.unusable === undefined &&
	mayHaveBeenProcessed(failure);

/**
 * Returns whether Portal.io might have rejected the user API key. A broken connection can also mean that, because a
 * server can reject the key and close the connection early. In both cases, nothing was stored, so the file can be sent
 * again.
 */
const mayBeKey = (upload: FailedUpload): boolean =>
	!upload.isStopped &&
	upload.fileError === null &&
	(mayBeRejectedKey(upload.failure) ||
		(isConnectionBroken(upload) && upload.sentBytes < upload.totalBytes));

function explainUpload(upload: FailedUpload, path: string): PortalError {
	const { failure, sentBytes, totalBytes, isInMemory, isStopped, fileError } = upload;
	const isPart = sentBytes < totalBytes;
	// Portal.io does not store an incomplete file, so there is no doubt if only a part was sent.
	const doubt = mayHaveBeenProcessed(failure) && !isPart ? DOUBT_ABOUT_UPLOAD : '';
	if (isStopped) return new PortalError('The execution was stopped during the upload', { doubt });
	if (fileError !== null) {
		const progress = [`${fileError.message}. ${NOTHING_STORED}`];
		return new PortalError('n8n could not read the whole file', { progress });
	}
	const error = explainFailure(failure, { path, doubt });
	if (!isConnectionBroken(upload)) return error;
	if (isPart) {
		const what = `The connection to Portal.io was lost after about ${percentOf(sentBytes, totalBytes)}% of the file`;
		return error.with({ what, progress: [NOTHING_STORED], advice: ['Upload it again.'] });
	}
	const what = isInMemory
		? 'The connection to Portal.io was lost during the upload'
		: 'Portal.io did not respond after the whole file was sent';
	return error.with({ what });
}

/**
 * Maximum size of a chunk that is sent. Larger chunks are split, because some of n8n's binary data stores return a
 * whole file as a single chunk.
 */
const MAX_CHUNK_BYTES = 512 * 1024;

/**
 * Encodes a form as `multipart/form-data` (RFC 7578): the fields, then the parts of the file, which cannot be empty.
 * `length` is the number of bytes in the whole body, and `frame` yields that body.
 */
export function encodeMultipart(
	fields: Record<string, string>,
	files: UploadForm['files'],
	boundary = `portal-io-${randomBytes(24).toString('hex')}`,
) {
	const texts = Object.entries(fields).map(
		([name, value]) =>
			`--${boundary}\r\nContent-Disposition: form-data; name="${escapeForHeader(name)}"\r\n\r\n${value}\r\n`,
	);
	const heads = files.map(({ name }, index) => {
		const disposition = `form-data; name="${escapeForHeader(name)}"; filename="${escapeForHeader(name)}"`;
		return Buffer.from(
			`${index === 0 ? texts.join('') : '\r\n'}--${boundary}\r\n` +
				`Content-Disposition: ${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`,
		);
	});
	const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
	const sizes = [...heads.map((head) => head.byteLength), ...files.map(({ bytes }) => bytes)];

	/**
	 * Yields the body with the content of the file. Throws if the file is longer or shorter than `Content-Length` says.
	 */
	async function* frame(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
		let part = -1;
		let missingBytes = 0;
		for await (const fileChunk of content) {
			let rest = fileChunk;
			while (rest.byteLength > 0) {
				if (missingBytes === 0) {
					const head = heads[++part];
					if (head === undefined) throw new Error('The file is larger than n8n reported');
					missingBytes = files[part]!.bytes;
					yield head;
				}
				const chunk = rest.subarray(0, Math.min(missingBytes, MAX_CHUNK_BYTES));
				missingBytes -= chunk.byteLength;
				rest = rest.subarray(chunk.byteLength);
				yield chunk;
			}
		}
		if (missingBytes > 0 || part < files.length - 1)
			throw new Error('The file is smaller than n8n reported');
		yield tail;
	}

	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		length: sizes.reduce((sum, size) => sum + size, tail.byteLength),
		frame,
	};
}

/**
 * Percent-encodes quotation marks and control characters, as browsers do, because they could end the quoted name or the
 * line.
 */
const escapeForHeader = (name: string) =>
	name.replace(/["\p{Cc}]/gu, (character) => encodeURIComponent(character));

interface UploadBody {
	content: FileStream | Buffer;
	/** Returns the number of bytes that might have been sent. */
	sentBytes(): number;
}

/** Builds the body. A stream is read only as fast as it is sent, so memory use stays constant. */
export async function buildBody(
	frame: ReturnType<typeof encodeMultipart>['frame'],
	file: FileStream | Buffer,
): Promise<UploadBody> {
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
	// Listen for errors, or an error while reading the file would end the n8n process.
	content.on('error', () => {});
	return {
		content,
		// Leave out the chunks that are still waiting in the stream. `readableLength` is their number.
		sentBytes: () =>
			sizes
				.slice(0, Math.max(0, sizes.length - content.readableLength))
				.reduce((sum, size) => sum + size, 0),
	};
}
