import { CHECK_URL, CONTACT_SUPPORT, PortalError, type Failure, type FailureCause } from './errors';
import { MAX_RESPONSE_BYTES, mayBeRejectedKey, readServiceMessage } from './response';
import { isTransient, MAX_WAIT_MS } from './retry';

const CHECK_NETWORK =
	"Check 'Environment' and 'Base URL' in the credential, and the n8n server's network connection.";

/**
 * Message and advice for each kind of failure. The first line is the message, which is all that n8n's credential test
 * shows. `{server}` stands for 'Portal.io' or, if a login failed, for the host.
 */
const EXPLANATIONS = {
	// A setting of n8n blocked the request.
	domains: `'Allowed Domains' in the credential does not include Portal.io's domain
Add the domain to 'Allowed Domains' in the credential.`,
	ssrf: `n8n's SSRF protection blocked the request to this host
Check 'Base URL' in the credential, or ask your n8n administrator to allow this host (N8N_SSRF_ALLOWED_HOSTNAMES, N8N_SSRF_ALLOWED_IP_RANGES).`,

	// Portal.io sent no usable response.
	unreachable: `{server} cannot be reached
{connection} ${CHECK_NETWORK}`,
	empty: `Portal.io returned an empty response
Try again in a moment. ${CONTACT_SUPPORT}`,
	error: `Portal.io reported an error in a successful response
${CONTACT_SUPPORT}`,
	notFromApi: `Unexpected response that did not come from the Portal.io API
It should be JSON. Check 'Environment' and 'Base URL' in the credential, and whether a proxy or a login page responds instead.`,
	large: `Portal.io's response is larger than ${MAX_RESPONSE_BYTES / 1024 ** 2} MB
n8n might run out of memory. Request fewer records, for example with a smaller 'Limit'.`,

	// These responses might come from a gateway or proxy.
	missingRoute: `This Portal.io endpoint does not exist
${CHECK_URL}
If other operations work, Portal.io might have moved this endpoint. Update this package.`,
	proxyLogin: `A proxy between n8n and Portal.io requires a login
Check the n8n server's proxy settings, such as HTTPS_PROXY.`,
	tooLarge: `The request is larger than Portal.io accepts
Send fewer or smaller values in one request.`,
	rateLimit: `Portal.io rate limit reached
Run the step again {when}. If this happens often, lower 'Items in Parallel'.`,
	failed: `Portal.io could not process the request
${CONTACT_SUPPORT}`,
	intermediary: `Unexpected response with status {status} that did not come from the Portal.io API
A proxy or firewall might have responded instead. ${CHECK_NETWORK}`,

	// These responses come from the API itself.
	values: 'Portal.io did not accept the values in this request',
	// The login succeeded, so the keys and the password are correct.
	credential: `Portal.io accepted the login, but rejected the request
Check in Portal.io whether the credential's user is active. ${CONTACT_SUPPORT}`,
	signature: `Portal.io accepted the login, but rejected the request's signature
The login was signed with the same keys, so they are correct. ${CONTACT_SUPPORT}`,
	subscription: `Your Portal.io subscription is inactive or expired
Renew the subscription in Portal.io.`,
	permission: `This Portal.io user does not have permission to do this
Ask your Portal.io administrator for this permission.`,
	notFound: `No record found with this ID
Check the IDs, and that the records belong to the credential's account. A proposal's number is not its ID.`,
	conflict: 'Portal.io rejected the request: {firstLine}',
	state: `The proposal's state prevents this change
Check the proposal's status. Accepted, completed, and declined proposals cannot be edited. Use a change order, or reopen the proposal in Portal.io. To process a list of proposals, set its 'Statuses' filter to Draft.`,
	noContact: `The proposal has no contact yet
Assign a contact to the proposal first, with 'Assign Contact'.`,

	// These responses to a login come from the API.
	clock: 'Portal.io rejected the login. {skew}',
	unverified: `This Portal.io account's email address has not been verified
Follow the link in the verification email from Portal.io, then try again.`,
	password: `Portal.io rejected the email or password
Check 'Email' and 'Password' in the credential, and that the account's email address is verified. {skew}`,
	login: `Portal.io rejected the login: {firstLine}
Check 'Email' and 'Password' in the credential. {skew}`,
};

type FailureKind = keyof typeof EXPLANATIONS;

/** Explanations that replace those above if a login failed. */
const LOGIN_EXPLANATIONS: Partial<Record<FailureKind, string>> = {
	notFromApi: `{server} responded to the login, but not with a user API key
${CHECK_URL}`,
	missingRoute: `{server} is not the Portal.io API
${CHECK_URL}`,
	failed: `Portal.io could not process the login (status {status})
${CONTACT_SUPPORT}`,
	intermediary: `Something between n8n and Portal.io rejected the login (status {status})
A proxy or firewall might have responded instead of Portal.io. ${CHECK_NETWORK}`,
	values: 'Portal.io rejected the login (status {status})',
	signature: `Portal.io rejected the login's signature. Check 'Application Key' and 'Secret Key'. {skew}
Also check that the n8n server's clock is correct.`,
	permission: `This Portal.io user does not have access to the API
Ask your Portal.io administrator for access.`,
};

/** Kinds of failure for statuses that mean the same from the API and from a proxy. */
const KIND_BY_ANY_STATUS: Record<string, FailureKind> = {
	405: 'missingRoute',
	407: 'proxyLogin',
	413: 'tooLarge',
	429: 'rateLimit',
};
/**
 * Kinds of failure for other statuses from the API. A status that is not listed means that the API did not accept the
 * values.
 */
const KIND_BY_API_STATUS: Record<string, FailureKind> = {
	401: 'credential',
	402: 'subscription',
	403: 'permission',
	404: 'notFound',
};

/**
 * Explains a failed request, or a failed login if `host` is given. The error contains nothing from the request, and
 * only Portal.io's message, error code, and field errors from the response.
 */
export function explainFailure(
	failure: Failure,
	about: { host?: string; path?: string; doubt?: string; attempts?: number } = {},
): PortalError {
	const { host, path: requestPath = '', doubt = '', attempts = 1 } = about;
	const { status, code, retryAfterMs, clockLeadMs, data, credentialError } = failure;
	const attemptsLine = attempts > 1 ? [`Tried ${attempts} times.`] : [];
	if (credentialError !== undefined) return credentialError.with({ doubt, advice: attemptsLine });
	const serviceMessage = readServiceMessage(data);
	const lines = serviceMessage?.lines ?? [];
	const skew = status === '401' ? describeSkew(clockLeadMs) : '';
	const isLogin = host !== undefined;
	// Drop a message that repeats the URL of a login, which contains the password.
	const hasPassword = isLogin && lines.some((line) => /password=/i.test(line));
	const serviceLines = hasPassword ? [] : lines;
	// Also treat plain text as a message from the API, because Portal.io documents it as the body of a 401.
	const isFromApi =
		serviceMessage?.isFromApi === true || (typeof data === 'string' && mayBeRejectedKey(failure));
	const response = { ...failure, requestPath, text: serviceLines.join('\n'), isFromApi };
	const kind = isLogin ? classifyLoginFailure(response, skew) : classifyFailure(response);
	const explanation = (isLogin ? LOGIN_EXPLANATIONS[kind] : undefined) ?? EXPLANATIONS[kind];
	const server = host ?? 'Portal.io';
	const values: Record<string, string | undefined> = {
		server,
		status,
		skew,
		firstLine: serviceLines[0],
		when: describeRetryTime(retryAfterMs),
		connection: code === undefined ? '' : `${describeConnection(code, server, host)}.`,
	};
	const [what, ...advice] = explanation
		.split('\n')
		.map((line) => line.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').trim());
	return new PortalError(what!, {
		serviceLines,
		doubt,
		advice: [
			isLogin ? '' : skew,
			kind === 'failed' && doubt === '' ? `Try again ${values.when}.` : '',
			...advice,
			...attemptsLine,
		],
		facts: {
			cause: toFailureCause(failure, isLogin ? kind !== 'failed' : status === '401'),
			...(isLogin
				? { login: { status, code, retryAfterMs, isRejected: isRejectedLogin(kind, lines) } }
				: {
						status,
						code,
						serviceMessage,
						isMissingRoute: kind === 'missingRoute' && !status!.startsWith('3'),
					}),
		},
	});
}

interface ExplainedFailure extends Failure {
	requestPath: string;
	/** Message from Portal.io or a proxy. */
	text: string;
	isFromApi: boolean;
}

function classifyFailure(failure: ExplainedFailure): FailureKind {
	const { status, text, isFromApi, blockedBy, unusable } = failure;
	if (status === undefined) return blockedBy ?? unusable ?? 'unreachable';
	// A redirect, which is not followed, means that the base URL is wrong.
	if (status.startsWith('3') || (status === '404' && !isFromApi)) return 'missingRoute';
	const kind = KIND_BY_ANY_STATUS[status];
	if (kind !== undefined) return kind;
	if (status.startsWith('5') || isTransient(failure)) return 'failed';
	if (!isFromApi) return 'intermediary';
	if (status === '401' && /signature|hash/i.test(text)) return 'signature';
	if (status === '409') return classifyConflict(failure);
	return KIND_BY_API_STATUS[status] ?? 'values';
}

function classifyConflict({ requestPath, text }: ExplainedFailure): FailureKind {
	if (!/\/public\/(ai|api|proposals)/.test(requestPath)) return 'conflict';
	const isAboutContact = /\b(no|without a) contact\b|\bcontact must\b|\bassign a contact\b/i;
	return isAboutContact.test(text) ? 'noContact' : 'state';
}

const ABOUT_CLOCK = /-date|timestamp|clock/i;

/** Returns whether the API rejected the email or password rather than the keys or the clock. */
const isRejectedLogin = (kind: FailureKind, lines: string[]): boolean =>
	['login', 'password', 'unverified'].includes(kind) &&
	lines.length > 0 &&
	!ABOUT_CLOCK.test(lines.join());

function classifyLoginFailure(failure: ExplainedFailure, skew: string): FailureKind {
	const { text, unusable } = failure;
	if (unusable !== undefined) return 'notFromApi';
	const kind = classifyFailure(failure);
	if (kind === 'notFound') return 'missingRoute';
	if (kind !== 'credential') return kind;
	if (ABOUT_CLOCK.test(text) && skew !== '') return 'clock';
	if (/verif/i.test(text)) return 'unverified';
	return text === '' || /password|user ?name|credential/i.test(text) ? 'password' : 'login';
}

function describeConnection(code: string, server: string, host = 'of Portal.io'): string {
	if (code === 'ENOTFOUND') return `The host ${host} does not exist (${code})`;
	if (code === 'ECONNREFUSED') return `${server} refused the connection (${code})`;
	const isNotHttps = /EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)/.test(code);
	return isNotHttps
		? `${server} does not support https (${code})`
		: `The connection failed with ${code}`;
}

function describeRetryTime(retryAfterMs = 0): string {
	if (retryAfterMs < MAX_WAIT_MS) return 'in a moment';
	const minuteMs = 60_000;
	const minute = new Date(Math.ceil((Date.now() + retryAfterMs) / minuteMs) * minuteMs);
	return `after ${minute.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function toFailureCause(failure: Failure, isAboutCredential: boolean): FailureCause | undefined {
	const { blockedBy, status, retryAfterMs } = failure;
	if (blockedBy !== undefined) return { cause: 'configuration-invalid' };
	if (status === '429') return { cause: 'rate-limited', retryAfterMs };
	if (isTransient(failure)) return { cause: 'temporarily-unavailable', retryAfterMs };
	return isAboutCredential ? { cause: 'credential-invalid' } : undefined;
}

/** Describes how far the n8n server's clock is off. Returns '' if the difference is less than a minute. */
export function describeSkew(clockLeadMs = 0): string {
	if (Math.abs(clockLeadMs) < 60_000) return '';
	const minutes = Math.round(Math.abs(clockLeadMs) / 60_000);
	const several = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
	const amount = minutes === 1 ? '1 minute' : several;
	const direction = clockLeadMs < 0 ? 'ahead of' : 'behind';
	return `The n8n server's clock is about ${amount} ${direction} Portal.io's. Set it to the correct time.`;
}
