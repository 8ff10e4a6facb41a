import { encodeFields, type Fields } from './encoding';
import { explainFailure, isRefusedKey } from './explain';
import { PortalError } from './portalError';
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
