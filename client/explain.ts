import { PortalError, type Cause, type Failure } from './errors';
import { isRefusedKey, MAX_RESPONSE_BYTES, readWords } from './response';
import { isTransient, MAX_WAIT_MS } from './retry';

const CHECK_NETWORK =
	"Check the 'Environment' and 'Base URL' of the credential, and the network of the n8n server.";
const CHECK_ADDRESS = "Check the 'Environment' and 'Base URL' of the credential.";
const CONTACT_SUPPORT = 'If this continues, contact support@portal.io.';

/**
 * What a user reads of each way in which a request fails: what happened, then on further lines what to do.
 * `{who}` is Portal.io, or the host of a login. n8n's test of a credential shows the first line alone.
 */
const EXPLANATIONS = {
	// Nothing was sent, by a setting of n8n.
	domains: `The 'Allowed Domains' of the credential do not include the address of Portal.io
Add its host to 'Allowed Domains' of the credential.`,
	ssrf: `n8n blocked the request: its SSRF protection does not allow this address
Check the 'Base URL' of the credential, or ask the administrator of n8n to allow this address (N8N_SSRF_ALLOWED_HOSTNAMES, N8N_SSRF_ALLOWED_IP_RANGES).`,

	// No usable response.
	unreachable: `{who} cannot be reached
{broken} ${CHECK_NETWORK}`,
	empty: `Portal.io returned an empty response
Try again in a moment. ${CONTACT_SUPPORT}`,
	error: `Portal.io reported an error in a successful response
${CONTACT_SUPPORT}`,
	foreign: `Unexpected response: it did not come from the Portal.io API
It should be JSON. Check the 'Environment' and 'Base URL' of the credential, and whether a proxy or a login page responds instead.`,
	large: `Portal.io's response is larger than ${MAX_RESPONSE_BYTES / 1024 ** 2} MB
n8n could run out of memory. Request fewer records, for example with a smaller 'Limit'.`,

	// Responses that may not come from the API.
	missingRoute: `This Portal.io endpoint does not exist
${CHECK_ADDRESS}
If other operations work, Portal.io may have moved this endpoint: update this package.`,
	proxyLogin: `A proxy between n8n and Portal.io requires a login
Check the proxy settings of the n8n server, such as HTTPS_PROXY.`,
	tooLarge: `The request is larger than Portal.io accepts
Send fewer or smaller values at once.`,
	rateLimit: `Portal.io rate limit reached
Wait a moment, then run the step again. If this happens often, lower 'Items in Parallel'.`,
	failed: `Portal.io could not process the request
${CONTACT_SUPPORT}`,
	inBetween: `Unexpected response: status {status} did not come from the Portal.io API
A proxy or firewall may have responded instead. ${CHECK_NETWORK}`,

	// Responses of the API.
	values: 'Portal.io did not accept the values of this request',
	// A login came before: its error would be shown if the keys or the password were wrong.
	credential: `Portal.io accepted the login, but rejected the request
Check in Portal.io whether the user of the credential is active. ${CONTACT_SUPPORT}`,
	signature: `Portal.io accepted the login, but rejected the signature of the request
The login was signed with the same keys, so they are correct. ${CONTACT_SUPPORT}`,
	subscription: `Your Portal.io subscription is inactive or expired
Renew the subscription in Portal.io.`,
	permission: `This Portal.io user does not have permission to do this
Ask the administrator of the Portal.io account for this permission.`,
	notFound: `No record found with this ID
Check the IDs, and that the records belong to the account of the credential.`,
	conflict: 'Portal.io rejected the request: {said}',
	state: `The proposal's state prevents this change
Check the status of the proposal. Accepted, completed and declined proposals cannot be edited: use a change order, or reopen the proposal in Portal.io.`,
	noContact: `The proposal has no contact yet
Assign a contact to the proposal first, with 'Assign Contact'.`,

	// Responses of the API to a login.
	clock: 'Portal.io rejected the login. {skew}',
	unverified: `The email address of this Portal.io account is not verified yet
Follow the link in the verification email from Portal.io, then try again.`,
	password: `Portal.io rejected the email or password
Check the 'Email' and 'Password' of the credential, and that the email address of the account is verified. {skew}`,
	login: `Portal.io rejected the login: {said}
Check the 'Email' and 'Password' of the credential. {skew}`,
};

type Kind = keyof typeof EXPLANATIONS;

/** Texts that differ for a login. */
const AT_LOGIN: Partial<Record<Kind, string>> = {
	foreign: `{who} responded to the login, but not with a Portal.io user key
${CHECK_ADDRESS}`,
	missingRoute: `{who} is not the address of the Portal.io API
${CHECK_ADDRESS}`,
	failed: `Portal.io could not process the login (status {status})
${CONTACT_SUPPORT}`,
	inBetween: `Something between n8n and Portal.io rejected the login (status {status})
A proxy or firewall may have responded instead of Portal.io. ${CHECK_NETWORK}`,
	values: 'Portal.io rejected the login (status {status})',
	signature: `Portal.io rejected the signature of the login: check 'Application Key' and 'Secret Key'. {skew}
Also check that the clock of the n8n server is right.`,
	permission: `This Portal.io user does not have access to the API
Ask the administrator of the Portal.io account for access.`,
};

/** Statuses that mean the same from any sender. */
const BY_STATUS_ALONE: Record<string, Kind> = {
	405: 'missingRoute',
	407: 'proxyLogin',
	413: 'tooLarge',
	429: 'rateLimit',
};
/** Statuses of the API; with any other, it did not accept the values. */
const BY_STATUS: Record<string, Kind> = {
	401: 'credential',
	402: 'subscription',
	403: 'permission',
	404: 'notFound',
};

/**
 * Says why a request failed, or a login if there is a `host`, with nothing of the request in it, and of
 * the response only the service's own message, error code and field errors.
 */
export function explainFailure(
	failure: Failure,
	about: { host?: string; path?: string; doubt?: string; attempts?: number } = {},
): PortalError {
	const { host, path = '', doubt = '', attempts = 1 } = about;
	const { status, code, retryAfterMs, clockLeadMs, data, credential } = failure;
	const tried = attempts > 1 ? [`Tried ${attempts} times.`] : [];
	if (credential !== undefined) return credential.with({ advice: tried });
	const words = readWords(data);
	const lines = words?.lines ?? [];
	const skew = status === '401' ? describeSkew(clockLeadMs) : '';
	const isLogin = host !== undefined;
	// Some servers repeat the URL, and the URL of a login contains the password.
	const said = isLogin && lines.some((line) => /password=/i.test(line)) ? [] : lines;
	// For 401, a bare text is documented.
	const isFromApi =
		words?.isFromApi === true || (typeof data === 'string' && isRefusedKey(failure));
	const known = { ...failure, path, said: said.join('\n'), isFromApi };
	const kind = isLogin ? kindOfLogin(known, skew) : kindOf(known);
	const text = (isLogin ? AT_LOGIN[kind] : undefined) ?? EXPLANATIONS[kind];
	const who = host ?? 'Portal.io';
	const broken = code === undefined ? '' : `${describeBreak(code, who, host)}.`;
	const values: Record<string, string | undefined> = { who, status, skew, said: said[0], broken };
	const [what, ...advice] = text
		.split('\n')
		.map((line) => line.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').trim());
	return new PortalError(what!, {
		said,
		doubt,
		advice: [
			isLogin ? '' : skew,
			kind === 'failed' && doubt === '' ? 'Try again in a moment.' : '',
			describeWait(retryAfterMs),
			...advice,
			...tried,
		],
		facts: {
			cause: causeOf(failure, isLogin ? kind !== 'failed' : status === '401'),
			...(isLogin
				? { login: { status, code, retryAfterMs, isRejected: isRejection(kind, lines) } }
				: {
						status,
						code,
						words,
						isMissingRoute: kind === 'missingRoute' && !status!.startsWith('3'),
					}),
		},
	});
}

/** `said` are the words of the service, and `isFromApi` whether the API said them. */
type Known = Failure & { path: string; said: string; isFromApi: boolean };

function kindOf(failure: Known): Kind {
	const { status, said, isFromApi, refusal, unusable } = failure;
	if (status === undefined) return refusal ?? unusable ?? 'unreachable';
	// A redirect is never followed: the base URL is wrong.
	if (status.startsWith('3') || (status === '404' && !isFromApi)) return 'missingRoute';
	const alone = BY_STATUS_ALONE[status];
	if (alone !== undefined) return alone;
	if (status.startsWith('5') || isTransient(failure)) return 'failed';
	if (!isFromApi) return 'inBetween';
	if (status === '401' && /signature|hash/i.test(said)) return 'signature';
	if (status === '409') return kindOfConflict(failure);
	return BY_STATUS[status] ?? 'values';
}

function kindOfConflict({ path, said }: Known): Kind {
	if (!/\/public\/(ai|api|proposals)/.test(path)) return 'conflict';
	const isAboutContact = /\b(no|without a) contact\b|\bcontact must\b|\bassign a contact\b/i;
	return isAboutContact.test(said) ? 'noContact' : 'state';
}

const ABOUT_CLOCK = /-date|timestamp|clock/i;

/** Whether the API itself says that it rejects this email or password, and not the keys or the clock. */
const isRejection = (kind: Kind, lines: string[]): boolean =>
	['login', 'password', 'unverified'].includes(kind) &&
	lines.length > 0 &&
	!ABOUT_CLOCK.test(lines.join());

function kindOfLogin(failure: Known, skew: string): Kind {
	const { said, unusable } = failure;
	if (unusable !== undefined) return 'foreign';
	const kind = kindOf(failure);
	if (kind === 'notFound') return 'missingRoute';
	if (kind !== 'credential') return kind;
	if (ABOUT_CLOCK.test(said) && skew !== '') return 'clock';
	if (/verif/i.test(said)) return 'unverified';
	return said === '' || /password|user ?name|credential/i.test(said) ? 'password' : 'login';
}

function describeBreak(code: string, who: string, host = 'of Portal.io'): string {
	if (code === 'ENOTFOUND') return `The address ${host} does not exist (${code})`;
	if (code === 'ECONNREFUSED') return `${who} refuses connections (${code})`;
	const isNotHttps = /EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)/.test(code);
	return isNotHttps
		? `${who} does not support https (${code})`
		: `The connection failed with ${code}`;
}

function describeWait(retryAfterMs = 0): string {
	if (retryAfterMs <= MAX_WAIT_MS) return '';
	const time = new Date(Date.now() + retryAfterMs).toISOString().slice(0, 16).replace('T', ' ');
	return `Portal.io asks you to wait until ${time} UTC.`;
}

function causeOf(failure: Failure, isAboutCredential: boolean): Cause | undefined {
	const { refusal, status, retryAfterMs } = failure;
	if (refusal !== undefined) return { cause: 'configuration-invalid' };
	if (status === '429') return { cause: 'rate-limited', retryAfterMs };
	if (isTransient(failure)) return { cause: 'temporarily-unavailable', retryAfterMs };
	return isAboutCredential ? { cause: 'credential-invalid' } : undefined;
}

/** Says by how much the clock of the n8n server is off; empty for less than a minute. */
export function describeSkew(clockLeadMs = 0): string {
	if (Math.abs(clockLeadMs) < 60_000) return '';
	const minutes = Math.round(Math.abs(clockLeadMs) / 60_000);
	const some = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
	const amount = minutes === 1 ? '1 minute' : some;
	const direction = clockLeadMs < 0 ? 'ahead of' : 'behind';
	return `The clock of the n8n server is about ${amount} ${direction} that of Portal.io. Set it to the correct time.`;
}
