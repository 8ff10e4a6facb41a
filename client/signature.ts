import { createHmac } from 'node:crypto';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { isLoopback, type Account } from './account';
import { CredentialError } from './errors';
import { encodeFields, FORM_CONTENT_TYPE, type RequestFields } from './request';

/**
 * A request from one of this package's nodes, or from n8n's HTTP Request node
 * (docs/dev/n8n-internals.md#a-signed-request).
 */
export interface OutgoingRequest extends Omit<IHttpRequestOptions, 'url'> {
	url?: string;
	uri?: string;
	form?: RequestFields | string;
	formData?: unknown;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
	/**
	 * False if *Ignore SSL Issues* is on in the HTTP Request node. For *SSL Certificates*, the node sets `agentOptions`
	 * instead.
	 */
	rejectUnauthorized?: boolean;
}

/** Headers that are signed or contain the signature, so a caller's values are dropped. */
const SIGNED_HEADERS =
	/^(accept|content-type|x-mss-(api-appid|api-userkey|custom-date|signature))$/i;

/**
 * Returns a signed copy of a request (docs/dev/portal-api.md#signing). The original stays unsigned, because the HTTP
 * Request node shows it in the browser. After renewing the user API key, n8n passes the signed copy to this function
 * again, so values are replaced and never appended.
 *
 * Throws a CredentialError if any host but the credential's could receive the keys.
 */
export function signRequest(
	{ baseUrl, appKey, secretKey, userApiKey }: Account,
	unsigned: OutgoingRequest,
	now: Date = new Date(),
): OutgoingRequest {
	const request = { ...unsigned };
	const url = targetUrl(baseUrl, request);
	const method = (request.method ?? 'GET').toUpperCase() as NonNullable<OutgoingRequest['method']>;
	const otherHeaders: IDataObject = {};
	let declaredType = '';
	for (const [name, value] of Object.entries(request.headers ?? {})) {
		if (!SIGNED_HEADERS.test(name)) otherHeaders[name] = value;
		if (name.toLowerCase() === 'content-type') declaredType ||= String(value ?? '');
	}
	request.method = method;
	const contentType = method === 'GET' ? '' : serializeBody(request, declaredType);
	const date = now.toUTCString();
	// Do not decode the secret key. It looks like Base64, but Portal.io uses it as is. Sign the path that `URL`
	// returns, because n8n normalizes the path in the same way when it sends the request.
	const signature = createHmac('sha256', Buffer.from(secretKey, 'latin1'))
		.update(method + url.origin + url.pathname + contentType + date + userApiKey)
		.digest('base64');
	request.headers = {
		...otherHeaders,
		Accept: 'application/json',
		...(contentType !== '' && { 'Content-Type': contentType }),
		'X-MSS-API-APPID': appKey,
		'X-MSS-API-USERKEY': userApiKey,
		'X-MSS-CUSTOM-DATE': date,
		'X-MSS-SIGNATURE': signature,
	};
	// Set the property that the caller uses, which is `uri` for the HTTP Request node. Drop `baseURL`, or n8n would put
	// it before the absolute URL.
	request[request.url === undefined ? 'uri' : 'url'] = url.href;
	delete request.baseURL;
	// Do not follow a redirect, which could send the keys to another host.
	request.disableFollowRedirect = true;
	request.followRedirect = false;
	request.followAllRedirects = false;
	request.maxRedirects = 0;
	return request;
}

function targetUrl(baseUrl: string, request: OutgoingRequest): URL {
	const requestUrl = String(request.url ?? request.uri);
	const absolute = /^[a-z][a-z\d+.-]*:/i.test(requestUrl)
		? requestUrl
		: `${(request.baseURL || baseUrl).replace(/(?<!\/)\/+$/, '')}/${requestUrl.replace(/^\/+/, '')}`;
	const { origin } = new URL(baseUrl);
	const url = URL.canParse(absolute) ? new URL(absolute) : undefined;
	if (url === undefined || url.username !== '' || url.password !== '') {
		throw new CredentialError("The request's URL cannot be signed");
	}
	if (url.origin !== origin) {
		// Reject the request, or anyone who edits a workflow could send the keys to a host of their own.
		throw new CredentialError(
			`This credential is for ${origin} and does not sign requests to ${url.origin}`,
			"Change the request's URL, or 'Environment' in the credential",
		);
	}
	if (!isLoopback(url.href)) requireCertificateCheck(request);
	url.hash = '';
	return url;
}

/**
 * Throws if a request skips certificate checks or supplies its own certificate authority. Otherwise, anyone who edits a
 * workflow could also set a proxy and read the keys.
 */
function requireCertificateCheck(request: OutgoingRequest): void {
	const { skipSslCertificateValidation, rejectUnauthorized, agentOptions } = request;
	const isUnchecked =
		skipSslCertificateValidation === true ||
		[rejectUnauthorized, agentOptions?.rejectUnauthorized].includes(false);
	if (!isUnchecked && agentOptions?.ca === undefined) return;
	throw new CredentialError(
		'This credential does not sign requests that skip the certificate check',
		"Turn off 'Ignore SSL Issues' and 'SSL Certificates' in the node, because another server could pose as Portal.io and receive the keys. If your proxy replaces certificates, add its certificate authority to the n8n server (NODE_EXTRA_CA_CERTS).",
	);
}

/** Replaces a URL-encoded or JSON body with the text that is sent. Returns the content type of the body. */
function serializeBody(request: OutgoingRequest, declaredType: string): string {
	const form = request.formData ?? (request.body instanceof FormData ? request.body : undefined);
	if (form !== undefined) return formContentType(form);
	if (request.form !== undefined) {
		request.body = typeof request.form === 'string' ? request.form : encodeFields(request.form);
		delete request.form;
		return FORM_CONTENT_TYPE;
	}
	const { body } = request;
	if (body instanceof URLSearchParams) {
		request.body = body.toString();
		return FORM_CONTENT_TYPE;
	}
	if (Array.isArray(body) || (body && Object.getPrototypeOf(body) === Object.prototype)) {
		const isForm = declaredType.toLowerCase().startsWith(FORM_CONTENT_TYPE);
		request.body = isForm ? encodeFields(body as RequestFields) : JSON.stringify(body);
		return declaredType || 'application/json';
	}
	if (declaredType !== '') return declaredType;
	// Send the content type even if there is no body, because Portal.io documents it for most POST endpoints that take
	// no body. Omit it for DELETE, because Portal.io does not document it there.
	return request.method === 'DELETE' && !body ? '' : FORM_CONTENT_TYPE;
}

/**
 * Returns the content type of a multipart form, with its boundary. Throws a CredentialError if the form has no boundary
 * yet, as in versions of the HTTP Request node before 4.2.
 */
function formContentType(form: unknown): string {
	const { getHeaders } = form as { getHeaders?: unknown };
	const headers: unknown = typeof getHeaders === 'function' ? getHeaders.call(form) : undefined;
	const { 'content-type': type } = (headers ?? {}) as Record<string, unknown>;
	if (typeof type === 'string') return type;
	throw new CredentialError(
		'This version of the node creates a multipart body that cannot be signed',
		'n8n chooses the boundary after signing. Use version 4.2 or later of the HTTP Request node, or the Portal.io node to upload AI content.',
	);
}
