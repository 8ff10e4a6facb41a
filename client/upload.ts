import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isRefusedKey, markDoubtful, toNodeError } from './errors';
import { encodeFields, type Fields } from './encoding';
import type { ServiceRequest } from './request';
import { REQUEST_TIMEOUT_MS, type Failure } from './response';
import { classifyFailure } from './retry';
import type { Session } from './session';
import { buildBody, multipart, type FilePart, type FileStream } from './uploadBody';

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

/** The slowest connection that an upload may have, in bytes per second: half a megabit. It has the time
 * of every other request besides. */
const MIN_BYTES_PER_SECOND = 64 * 1024;

/** How an attempt ended that failed. */
interface FailedUpload {
	failure: Failure;
	/** Whether the connection broke, and neither the service nor the credential refused. */
	isBroken: boolean;
	/** Why the file could not be read to its end, if that is the reason. */
	fileError?: Error;
	/** Whether the service reported success before it had the whole file. */
	isEarly?: boolean;
	/** Undefined when it is not known. */
	sentBytes?: number;
	length: number;
}

/**
 * Streams a file to the service.
 *
 * n8n cannot repeat a request whose body was a stream, and when a server refuses a key early and
 * closes the connection, n8n does not even see the refusal (docs/n8n-internals.md). So a read checks
 * the key first. If the key is refused all the same, nothing was taken, and the file is sent once more
 * from its beginning. Nothing else is repeated.
 *
 * @param itemIndex the input item that the upload is made for, named in errors
 * @throws NodeApiError for what the service refused or a broken connection
 */
export async function sendUpload(
	session: Session,
	upload: Upload,
	itemIndex: number,
): Promise<unknown> {
	await upload.check();
	const key = session.userApiKey;
	const first = await attempt(session, upload);
	if ('data' in first) return first.data;
	const cause = await findCause(session, upload, first, key);
	if (cause !== KEY_REFUSED) throw explain(session, first, itemIndex, cause);
	const second = await attempt(session, upload);
	if ('data' in second) return second.data;
	throw explain(session, second, itemIndex);
}

const KEY_REFUSED = Symbol('the key was refused');

/**
 * Looks for the cause of a failure with another check, which renews an expired key. When the
 * connection broke before the body was complete, a new key tells that it broke because of the old
 * one, and that nothing was taken.
 *
 * @returns KEY_REFUSED, or the message of the check if it failed too
 * @throws NodeApiError when the service refused the key, and the key cannot be renewed
 */
async function findCause(
	session: Session,
	upload: Upload,
	{ failure, isBroken, sentBytes, length }: FailedUpload,
	key: string,
): Promise<typeof KEY_REFUSED | string | undefined> {
	if (isRefusedKey(failure)) {
		if (!(await session.renewKey(key))) return undefined;
		await upload.check();
		return KEY_REFUSED;
	}
	const mayBeComplete = sentBytes === undefined || sentBytes === length;
	if (!isBroken || mayBeComplete || session.isStopped) return undefined;
	const refusal = await upload.check().then(
		() => undefined,
		({ message }: Error) => message,
	);
	if (refusal === undefined && session.userApiKey !== key) return KEY_REFUSED;
	return refusal;
}

async function attempt(
	session: Session,
	{ request, form, open }: Upload,
): Promise<{ data: unknown } | FailedUpload> {
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
		const sentBytes = body.sentBytes();
		if ('data' in outcome) {
			if (sentBytes === undefined || sentBytes === length) return outcome;
			const failure = { status: '', code: '', headers: {} };
			return { failure, isBroken: false, isEarly: true, sentBytes, length };
		}
		const { failure } = outcome;
		const { status, credential, unusable } = failure;
		const fileError = body.fileError();
		const isBroken = status === '' && !fileError && !credential && !unusable;
		return { failure, isBroken, fileError, sentBytes, length };
	} finally {
		body.close();
	}
}

export const DOUBT_ABOUT_UPLOAD =
	"Portal.io may have received the file. Check with 'Get Many' of 'AI Content' before you upload it again.";

function explain(
	{ node, isStopped }: Session,
	{ failure, isBroken, isEarly, fileError, sentBytes, length }: FailedUpload,
	itemIndex: number,
	cause?: string,
) {
	const isComplete = sentBytes === undefined || sentBytes === length;
	if (isStopped) {
		return new NodeOperationError(node, 'The execution was stopped during the upload', {
			itemIndex,
			description: isComplete && failure.wasNotSent !== true ? DOUBT_ABOUT_UPLOAD : '',
		});
	}
	if (isEarly) {
		const description = `About ${percent(sentBytes, length)} % was sent. ${DOUBT_ABOUT_UPLOAD}`;
		const message = 'Unexpected response: it came before the whole file was sent';
		return markDoubtful(new NodeOperationError(node, message, { itemIndex, description }));
	}
	if (fileError !== undefined) {
		return new NodeOperationError(node, 'n8n could not read the whole file', {
			itemIndex,
			description: `${fileError.message}. Portal.io did not store any content.`,
		});
	}
	const { mayHaveBeenProcessed } = classifyFailure(failure, Date.now());
	const known = toNodeError(node, failure, itemIndex, {
		doubt: mayHaveBeenProcessed && !isBroken ? DOUBT_ABOUT_UPLOAD : '',
	});
	if (!isBroken || !mayHaveBeenProcessed || sentBytes === 0) return known;
	const fail = (message: string, ...lines: string[]) =>
		new NodeApiError(
			node,
			{},
			{ message, description: [...lines, known.description ?? ''].join(' '), itemIndex },
		);
	if (sentBytes === undefined) {
		return markDoubtful(
			fail('The connection to Portal.io broke during the upload', DOUBT_ABOUT_UPLOAD),
		);
	}
	if (sentBytes === length) {
		return markDoubtful(
			fail('Portal.io did not respond after the whole file was sent', DOUBT_ABOUT_UPLOAD),
		);
	}
	return fail(
		`The connection to Portal.io broke after about ${percent(sentBytes, length)} % of the file`,
		'Portal.io did not store any content.',
		// A server that refuses early and closes the connection looks like a broken one.
		cause === undefined ? 'Upload it again.' : `A check right after it gave: ${cause}.`,
	);
}

const percent = (sentBytes = 0, length: number) => Math.floor((100 * sentBytes) / length);
