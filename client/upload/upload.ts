import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type IHttpRequestOptions,
} from 'n8n-workflow';
import { readAccount } from '../auth/account';
import { AS_IT_COMES, outcomeOf, type Failure } from '../http/answer';
import { hastenQuickCollection } from './collection';
import { toNodeError } from '../http/errors';
import { encodeFields, type Fields } from '../http/form';
import { multipart, type FilePart, type Multipart } from './multipart';
import type { ServiceRequest } from '../http/request';
import { fateOf } from '../http/retry';
import { renewKey, sessionOf } from '../http/session';
import { framed, type FileStream } from './stream';

/** The form in which a file is sent. */
export interface UploadForm {
	query?: Fields;
	/** Text fields by name, in the order in which they go out. */
	fields: Record<string, string>;
	files: FilePart[];
}

/** What there is to an upload. */
export interface Upload {
	/** Method and path. */
	request: ServiceRequest;
	form: UploadForm;
	/** Opens the file at its beginning. */
	open(): Promise<FileStream>;
	/** A signed read that throws when the upload cannot succeed; it renews an expired user key. */
	check(): Promise<void>;
}

/** The slowest line that an upload may take, in bytes a second: half a megabit. */
const SLOWEST_LINE = 64 * 1024;

/** n8n's own limit, which would end every long upload; here it is for the answer alone. */
const ANSWER_SECONDS = 300;

/** How an attempt ended that brought no answer. */
interface FailedUpload {
	failure: Failure;
	/** Whether the connection broke, and not the service or the credential said no. */
	isBroken: boolean;
	/** Why the file could not be read to its end, if that is the reason. */
	fileError?: Error;
	sentBytes: number;
	length: number;
}

/**
 * Streams a file to the service.
 *
 * n8n cannot repeat a request whose body was a stream, and when a server refuses a key early and
 * closes the connection, it does not even learn of the refusal (n8n.md, 0.5). So the key is made
 * sure of before; and if it is refused all the same, which means that nothing was taken, the file is
 * sent once more from its beginning. Nothing else is repeated.
 *
 * @param itemIndex the input that the upload is made for, named in errors
 * @throws NodeApiError for what the service refused or a broken connection
 */
export async function sendUpload(
	caller: IExecuteFunctions,
	upload: Upload,
	itemIndex: number,
): Promise<unknown> {
	await upload.check();
	const key = await currentKey(caller);
	const first = await attempt(caller, upload);
	if ('answer' in first) return first.answer;
	const finding = await examine(caller, upload, first, key);
	if (finding !== KEY_REFUSED) throw explain(caller, first, itemIndex, finding);
	const second = await attempt(caller, upload);
	if ('answer' in second) return second.answer;
	throw explain(caller, second, itemIndex);
}

const currentKey = async (caller: IExecuteFunctions) =>
	readAccount(await caller.getCredentials('portalIoApi')).userApiKey;

const KEY_REFUSED = Symbol('the key was refused');

/**
 * Looks for the reason of a failure with another check, which renews the key if it has expired. So
 * after a connection that broke before the body was whole, a new key tells that it broke because of
 * the old one, and that nothing was taken.
 *
 * @returns KEY_REFUSED, or what the check said if it failed too
 * @throws NodeApiError when the service said that the key is refused, and the key cannot be renewed
 */
async function examine(
	caller: IExecuteFunctions,
	upload: Upload,
	{ failure, isBroken, sentBytes, length }: FailedUpload,
	key: string,
): Promise<typeof KEY_REFUSED | string | undefined> {
	if (failure.status === '401') {
		await renewKey(caller, await sessionOf(caller), key);
		await upload.check();
		return KEY_REFUSED;
	}
	if (!isBroken || sentBytes === length || isStopped(caller)) return undefined;
	const refusal = await upload.check().then(
		() => undefined,
		({ message }: Error) => message,
	);
	if (refusal === undefined && (await currentKey(caller)) !== key) return KEY_REFUSED;
	return refusal;
}

async function attempt(
	caller: IExecuteFunctions,
	{ request, form, open }: Upload,
): Promise<{ answer: unknown } | FailedUpload> {
	const body = multipart(form.fields, form.files);
	let madeBytes = 0;
	const stream = framed(await open(), body.frame(), ({ byteLength }) => {
		madeBytes += byteLength;
		hastenQuickCollection(byteLength);
	});
	// What fails on the way to the service ends the request; so this is about the file alone.
	let fileError: Error | undefined;
	stream.on('error', (error: Error) => (fileError ??= error));
	try {
		const outcome = await outcomeOf(
			caller.helpers.httpRequestWithAuthentication.call(
				caller,
				'portalIoApi',
				toHttpRequest(request, form.query, body, stream),
			),
			request.method,
		);
		if ('answer' in outcome) return outcome;
		const { failure } = outcome;
		const { status, credential, unusable } = failure;
		const isBroken = status === '' && !fileError && !credential && !unusable;
		// What was taken from the stream counts as sent: when in doubt, the service has got it.
		const sentBytes = madeBytes - stream.readableLength;
		return { failure, isBroken, fileError, sentBytes, length: body.length };
	} finally {
		// Nobody else does it when a request fails or is refused early (n8n.md, 3).
		stream.destroy();
	}
}

function toHttpRequest(
	{ method, path }: ServiceRequest,
	query: Fields | undefined,
	{ contentType, length }: Multipart,
	body: FileStream,
): IHttpRequestOptions {
	return {
		method,
		url: query === undefined ? path : `${path}?${encodeFields(query)}`,
		headers: { 'Content-Type': contentType, 'Content-Length': String(length) },
		body,
		json: true,
		...AS_IT_COMES,
		timeout: 1000 * (ANSWER_SECONDS + Math.ceil(length / SLOWEST_LINE)),
	};
}

const LOOK =
	"Portal.io may have taken the file: look with 'Get Many' of 'AI Content' before uploading it again.";

const isStopped = (caller: IExecuteFunctions) =>
	caller.getExecutionCancelSignal()?.aborted === true;

function explain(
	caller: IExecuteFunctions,
	{ failure, isBroken, fileError, sentBytes, length }: FailedUpload,
	itemIndex: number,
	finding?: string,
) {
	const node = caller.getNode();
	if (isStopped(caller)) {
		return new NodeOperationError(node, 'The execution was stopped during the upload', {
			itemIndex,
		});
	}
	if (fileError !== undefined) {
		return new NodeOperationError(node, 'n8n could not read the file to its end', {
			itemIndex,
			description: `${fileError.message}. Portal.io has got no content from it.`,
		});
	}
	const doubt = fateOf(failure, Date.now()).isUncertain && !isBroken ? LOOK : '';
	const known = toNodeError(node, failure, itemIndex, { doubt });
	if (!isBroken || sentBytes === 0) return known;
	const isWhole = sentBytes === length;
	const lines = isWhole
		? [LOOK]
		: [
				'Portal.io has got no content from it.',
				// A server that refuses early and closes the connection looks like a broken one.
				finding === undefined ? 'Upload it again.' : `A check right after it ended so: ${finding}.`,
			];
	return new NodeApiError(
		node,
		{},
		{
			message: isWhole
				? 'Portal.io did not answer after the whole file was sent'
				: `The connection to Portal.io broke after about ${Math.floor((100 * sentBytes) / length)} % of the file`,
			description: [...lines, known.description ?? ''].join(' '),
			itemIndex,
		},
	);
}
