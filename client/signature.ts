import { createHmac } from 'node:crypto';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { isLoopback, type Account } from './account';
import { CredentialError } from './errors';
import { encodeFields, FORM, type Fields } from './request';

/** A request in n8n's names, and the older ones of docs/dev/n8n-internals.md#the-http-request-node. */
export interface OutgoingRequest extends Omit<IHttpRequestOptions, 'url'> {
	url?: string;
	uri?: string;
	form?: Fields | string;
	formData?: unknown;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
	/** *Ignore SSL Issues* of the HTTP Request node; its *SSL Certificates* are in `agentOptions`. */
	rejectUnauthorized?: boolean;
}

/** Headers that carry the signature or are part of it: a caller's own values for them are dropped. */
const OWN_HEADERS = /^(accept|content-type|x-mss-(api-appid|api-userkey|custom-date|signature))$/i;

/**
 * Signs a request (docs/dev/portal-api.md#signing), and fixes everything that the signature covers: the
 * absolute URL, the body with its content type, the headers, no redirects. n8n calls it again for the
 * same request after it renewed the user API key, so it replaces and never adds.
 *
 * Returns a signed copy, since the HTTP Request node shows the original in the browser. Throws a
 * CredentialError if another host than that of the credential could receive the keys.
 */
export function signRequest(
	{ baseUrl, appKey, secretKey, userApiKey }: Account,
	unsigned: OutgoingRequest,
	now: Date = new Date(),
): OutgoingRequest {
	const request = { ...unsigned };
	const url = target(baseUrl, request);
	const method = (request.method ?? 'GET').toUpperCase() as NonNullable<OutgoingRequest['method']>;
	const others: IDataObject = {};
	let declaredType = '';
	for (const [name, value] of Object.entries(request.headers ?? {})) {
		if (!OWN_HEADERS.test(name)) others[name] = value;
		if (name.toLowerCase() === 'content-type') declaredType ||= String(value ?? '');
	}
	request.method = method;
	const contentType = method === 'GET' ? '' : fixBody(request, declaredType);
	const date = now.toUTCString();
	// The secret key looks like Base64 and is not decoded. `URL` normalizes the path as n8n does when it
	// sends the request, and keeps its percent-encoding.
	const signature = createHmac('sha256', Buffer.from(secretKey, 'latin1'))
		.update(method + url.origin + url.pathname + contentType + date + userApiKey)
		.digest('base64');
	request.headers = {
		...others,
		Accept: 'application/json',
		...(contentType !== '' && { 'Content-Type': contentType }),
		'X-MSS-API-APPID': appKey,
		'X-MSS-API-USERKEY': userApiKey,
		'X-MSS-CUSTOM-DATE': date,
		'X-MSS-SIGNATURE': signature,
	};
	// The address stays under its name. n8n would resolve `baseURL` once more, so it must not stay.
	request[request.url === undefined ? 'uri' : 'url'] = url.href;
	delete request.baseURL;
	// A followed redirect would hand the keys to another host, and its signature would be wrong.
	const noRedirects = { followRedirect: false, followAllRedirects: false, maxRedirects: 0 };
	return Object.assign(request, { disableFollowRedirect: true, ...noRedirects });
}

function target(baseUrl: string, request: OutgoingRequest): URL {
	const address = String(request.url ?? request.uri);
	const absolute = /^[a-z][a-z\d+.-]*:/i.test(address)
		? address
		: `${(request.baseURL || baseUrl).replace(/(?<!\/)\/+$/, '')}/${address.replace(/^\/+/, '')}`;
	const { origin } = new URL(baseUrl);
	const url = URL.canParse(absolute) ? new URL(absolute) : undefined;
	if (url === undefined || url.username !== '' || url.password !== '') {
		throw new CredentialError('The URL of the request cannot be signed');
	}
	if (url.origin !== origin) {
		// The keys of an account must not reach a host that somebody names in a workflow.
		throw new CredentialError(
			`This credential is for ${origin} and does not sign requests to ${url.origin}`,
			"Change the URL of the request, or the 'Environment' of the credential",
		);
	}
	if (!isLoopback(url.href)) assertChecked(request);
	url.hash = '';
	return url;
}

/**
 * Only its certificate distinguishes the service from others. A workflow that names a proxy and turns
 * the check off, or brings its own certificate authority, could obtain the keys.
 */
function assertChecked(request: OutgoingRequest): void {
	const { skipSslCertificateValidation, rejectUnauthorized, agentOptions } = request;
	const isUnchecked =
		skipSslCertificateValidation === true ||
		[rejectUnauthorized, agentOptions?.rejectUnauthorized].includes(false);
	if (!isUnchecked && agentOptions?.ca === undefined) return;
	throw new CredentialError(
		'This credential does not sign requests that skip the certificate check',
		"Turn off 'Ignore SSL Issues' and 'SSL Certificates' in the node: another server could pose as Portal.io and receive the keys. For a proxy that replaces certificates, let the n8n server trust its authority (NODE_EXTRA_CA_CERTS).",
	);
}

/** Serializes the body as it will be sent, and returns its content type. */
function fixBody(request: OutgoingRequest, declaredType: string): string {
	const form = request.formData ?? (request.body instanceof FormData ? request.body : undefined);
	if (form !== undefined) return typeOfForm(form);
	if (request.form !== undefined) {
		request.body = typeof request.form === 'string' ? request.form : encodeFields(request.form);
		delete request.form;
		return FORM;
	}
	const { body } = request;
	if (body instanceof URLSearchParams) {
		request.body = body.toString();
		return FORM;
	}
	if (Array.isArray(body) || (body && Object.getPrototypeOf(body) === Object.prototype)) {
		const isForm = declaredType.toLowerCase().startsWith(FORM);
		request.body = isForm ? encodeFields(body as Fields) : JSON.stringify(body);
		return declaredType || 'application/json';
	}
	if (declaredType !== '') return declaredType;
	// Without a body most POST endpoints still expect the type of a form. The documentation of both
	// DELETE operations lists no such header.
	return request.method === 'DELETE' && !body ? '' : FORM;
}

/** The content type of a multipart form of the HTTP Request node, from its version 4.2. */
function typeOfForm(form: unknown): string {
	const { getHeaders } = form as { getHeaders?: unknown };
	const headers: unknown = typeof getHeaders === 'function' ? getHeaders.call(form) : undefined;
	const { 'content-type': type } = (headers ?? {}) as Record<string, unknown>;
	if (typeof type === 'string') return type;
	throw new CredentialError(
		'The multipart body of this node version cannot be signed',
		'n8n chooses the boundary after signing. Use version 4.2 or later of the HTTP Request node, or the Portal.io node to upload AI content.',
	);
}
