/** Opens sessions whose service is simulated by a function. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { expect } from 'vitest';
import { Session, type NodeContext, type SessionOptions } from '../../client/session.ts';

export class Refusal {
	readonly status: number;
	readonly body: object | string;

	constructor(status: number, message?: string) {
		this.status = status;
		this.body = message === undefined ? '' : { responseStatus: { message } };
	}
}

/** Creates the credential of a new account, because a process remembers logins and rate limits for each account. */
export const newCredential = (more: object = {}) => ({
	environment: 'custom',
	baseUrl: `https://${randomUUID()}.example.com`,
	appKey: 'a',
	secretKey: 'b',
	username: 'b',
	password: 'c',
	userApiKey: '',
	...more,
});

/** Prepares sessions with a service whose responses have a status, headers, and a body. Records the requests. */
export function sessionsOver(
	respond: (data: ICredentialDataDecryptedObject, request: IHttpRequestOptions) => unknown,
	credential = newCredential(),
	stored: () => unknown = () => credential,
	more: object = {},
) {
	const asked: IHttpRequestOptions[] = [];
	const httpRequestWithAuthentication = async (
		type: string,
		request: IHttpRequestOptions,
		{ credentialsDecrypted: { data, ...decrypted } }: { credentialsDecrypted: Decrypted },
	) => {
		// Expect this type, because n8n signs requests only with this credential.
		expect([type, decrypted.type]).toEqual(['portalIoApi', 'portalIoApi']);
		asked.push(request);
		return await respond(data, request);
	};
	const getNode = () => ({ name: 'Portal.io', type: 'n8n-nodes-portal-io.portalIo' });
	const getCredentials = async () => await stored();
	const helpers = { httpRequestWithAuthentication };
	const addExecutionHints = () => undefined;
	const own = { getNode, getCredentials, helpers, addExecutionHints };
	const context = { ...own, ...more } as unknown as NodeContext;
	const open = (options: SessionOptions = {}) =>
		new Session(context, credential, { attempts: 1, ...options });
	return { open, asked, context };
}

interface Decrypted {
	type: string;
	data: ICredentialDataDecryptedObject;
}

/** Opens a session with a service that responds to each request with a body or a `Refusal`. */
export function playedSession(
	respond: (request: IHttpRequestOptions) => unknown,
	more: object = {},
) {
	const full = async (_data: unknown, request: IHttpRequestOptions) => {
		const body = await respond(request);
		if (body instanceof Refusal) return { statusCode: body.status, headers: {}, body: body.body };
		// Wrap null in a stream, because n8n returns null itself only if the response has no stream.
		const sent = body === null ? Readable.from([Buffer.from('null')]) : body;
		return { statusCode: 200, headers: {}, body: sent };
	};
	const { open, context } = sessionsOver(full, newCredential(), undefined, more);
	return { session: open(), context: context as never };
}

/**
 * Opens a session with a service that responds according to the query. Records each request's method, path, and form.
 */
export function recordingSession(respond: (query: URLSearchParams) => unknown) {
	const requests: string[] = [];
	const { session } = playedSession(({ method, url, body }) => {
		const { pathname, searchParams } = new URL(url, 'https://service.example.com');
		requests.push([method, pathname, body].filter(Boolean).join(' '));
		return respond(searchParams);
	});
	return { session, requests };
}
