import { sleep, type IHttpRequestHelper } from 'n8n-workflow';
import { CredentialError, type Account } from './account';
import { describeSkew } from './clockSkew';
import { encodeFields } from './encoding';
import { BY_REFUSAL, isPage, isRefusedKey } from './errors';
import { valueUnder } from './list';
import { readResponse, type Failure } from './response';
import { classifyFailure } from './retry';
import { signRequest, type Signer } from './signRequest';
import { isFromApi, linesOf, readWords } from './words';

/** The way to send a request without a credential, as n8n gives it to a credential. */
export type HttpRequest = IHttpRequestHelper['helpers']['httpRequest'];

/** Key exchanges in progress, by account fingerprint: whoever asks meanwhile shares the result. */
const inProgress = new Map<string, Promise<string>>();

/** The login was refused: asking again with the same values would count against the account. */
class RefusedLogin extends CredentialError {}

/** How a key exchange ended. */
type Outcome = { key: string } | { refusal: RefusedLogin };

/** The latest outcomes, by account fingerprint, while they are fresh. */
const recent = new Map<string, Outcome>();

/**
 * How long an outcome is shared with those who ask a little later, in milliseconds: executions that
 * found the same key expired, and a hundred inputs that would all try the same wrong password.
 */
const FRESH_MS = 10_000;

/**
 * Exchanges email and password for a user API key (`GET /authenticate/apikeyexchange`). Executions
 * that start together share one exchange.
 *
 * @returns the key, for `X-MSS-API-USERKEY`
 * @throws CredentialError saying what is wrong with the credential, or that the service cannot be
 * reached; it holds neither the URL (the password is in its query) nor the response
 */
export async function exchangeKey(account: Account, httpRequest: HttpRequest): Promise<string> {
	const { fingerprint, userApiKey } = account;
	// The HTTP Request node asks with the former key still in place, refused or not.
	if (userApiKey !== '') discardKey(fingerprint, userApiKey);
	const outcome = recent.get(fingerprint);
	if (outcome !== undefined) {
		if ('refusal' in outcome) throw outcome.refusal;
		return outcome.key;
	}
	let exchange = inProgress.get(fingerprint);
	if (exchange === undefined) {
		exchange = requestKey(account, httpRequest)
			.then((key) => {
				remember(fingerprint, { key });
				return key;
			})
			.catch((error: Error) => {
				// Only a refusal is remembered: a service that could not be reached may be back at once.
				if (error instanceof RefusedLogin) remember(fingerprint, { refusal: error });
				throw error;
			})
			.finally(() => inProgress.delete(fingerprint));
		inProgress.set(fingerprint, exchange);
	}
	return await exchange;
}

/** Makes sure that a key that the service refused is not handed out again. */
export function discardKey(fingerprint: string, refusedKey: string): void {
	const outcome = recent.get(fingerprint);
	if (outcome !== undefined && 'key' in outcome && outcome.key === refusedKey) {
		recent.delete(fingerprint);
	}
}

function remember(fingerprint: string, outcome: Outcome): void {
	recent.set(fingerprint, outcome);
	void sleep(FRESH_MS).then(() => {
		if (recent.get(fingerprint) === outcome) recent.delete(fingerprint);
	});
}

/**
 * Whether the service no longer accepts the user API key of an account, by a read that every account
 * may do. A service that cannot be reached refuses nothing.
 */
export async function isKeyRefused(account: Account, httpRequest: HttpRequest): Promise<boolean> {
	const response = await get(account, '/public/proposals?PageNumber=1&PageSize=1', httpRequest);
	return (
		'data' in response && isRefusedKey({ ...response, status: String(response.status), code: '' })
	);
}

/** How long a login may take with its response. */
const TIMEOUT_MS = 30_000;

async function get(signer: Signer, url: string, httpRequest: HttpRequest) {
	const request = signRequest(signer, { method: 'GET', url });
	return await readResponse(
		async (options) => await httpRequest({ ...request, url: request.url ?? '', ...options }),
		TIMEOUT_MS,
	);
}

const CHECK_ADDRESS = "Check the 'Environment' and 'Base URL' of the credential";

async function requestKey(account: Account, httpRequest: HttpRequest): Promise<string> {
	const query = encodeFields({ UserName: account.username, Password: account.password });
	// Of a failure only the code is kept: the error itself holds the URL with the password.
	const url = `/authenticate/apikeyexchange?${query}`;
	const response = await get({ ...account, userApiKey: '' }, url, httpRequest);
	// With its path, which may be what is wrong.
	const host = account.baseUrl.replace(/^https?:\/\//, '');
	if ('code' in response) throw unreached(host, response);
	const { status, headers, data } = response;
	if (status === 200) {
		const key = valueUnder(valueUnder(data, 'meta'), 'apiKey');
		if (typeof key === 'string' && key !== '') return key;
		throw new CredentialError(`${host} responded to the login, but not with a Portal.io user key`, {
			description: CHECK_ADDRESS,
		});
	}
	throw refused(host, { status: String(status), code: '', headers, data });
}

/** The login brought no response: the network failed, or n8n did not send it. */
function unreached(host: string, { code, refusal }: Failure): CredentialError {
	if (refusal !== undefined) {
		const { message, hint } = BY_REFUSAL[refusal];
		return new CredentialError(message, { description: hint });
	}
	const error = new CredentialError(`${host} cannot be reached`, {
		description: `The connection failed with ${code || 'no reason'}. ${CHECK_ADDRESS}, and the network of the n8n server.`,
	});
	return Object.assign(error, { login: { status: '', code, headers: {} } });
}

function refused(host: string, failure: Failure): CredentialError {
	const { status, headers, data } = failure;
	const words = readWords(data);
	const said = words === undefined ? '' : linesOf(words).join('\n');
	// Of a 401, a bare text is documented.
	const isSaid = isFromApi(data) || (status === '401' && typeof data === 'string' && !isPage(data));
	if (status === '401' && isSaid) return refusedLogin(said, describeSkew(headers.date, Date.now()));
	if (status === '402' && isSaid) {
		return new CredentialError('Your Portal.io subscription is inactive or expired');
	}
	if (status === '403' && isSaid) {
		return new CredentialError('This Portal.io user does not have access to the API', {
			description: 'Ask the administrator of the Portal.io account for access',
		});
	}
	if (status === '404' || status === '405' || status.startsWith('3')) {
		return new CredentialError(`${host} is not the address of the Portal.io API`, {
			description: CHECK_ADDRESS,
		});
	}
	const { isTransient } = classifyFailure(failure, Date.now());
	if (isTransient || status.startsWith('5') || isSaid) {
		const error = new CredentialError(`The Portal.io login returned status ${status}`, {
			description: said || 'Try again later',
		});
		const { 'retry-after': wait, date } = headers;
		return Object.assign(error, {
			login: { status, code: '', headers: { 'retry-after': wait, date } },
		});
	}
	// Something in between would get the password again with every input.
	return new RefusedLogin(`The login was refused with status ${status}, and not by Portal.io`, {
		description: `A proxy or firewall may have responded in its place. ${CHECK_ADDRESS}, and the network of the n8n server.`,
	});
}

/**
 * The login was refused for what was sent. n8n's test of a credential shows the message alone.
 *
 * @param said the words of the service
 * @param skew by how much the clock of n8n is off, which only the signature and the date depend on
 */
function refusedLogin(said: string, skew: string): RefusedLogin {
	const say = (message: string, ...lines: string[]) =>
		new RefusedLogin(message, { description: lines.filter((line) => line !== '').join('\n') });
	if (/signature|hash/i.test(said)) {
		return say(
			`Portal.io refused the signature of the login: check 'Application Key' and 'Secret Key'. ${skew}`.trim(),
			said,
			'Check also that the clock of the n8n server is right',
		);
	}
	if (/-date|timestamp|clock/i.test(said) && skew !== '') {
		return say(`Portal.io refused the login. ${skew}`, said);
	}
	if (/verif/i.test(said)) {
		return say(
			'The email address of this Portal.io account is not verified yet',
			said,
			'Follow the link in the verification email from Portal.io, then try again',
		);
	}
	const isAboutPassword = said === '' || /password|user ?name|credential/i.test(said);
	return say(
		isAboutPassword
			? 'Portal.io refused the email or password'
			: `Portal.io refused the login: ${said.split('\n')[0]}`,
		said,
		"Check the 'Email' and 'Password' of the credential, and that the email address of the account is verified",
		skew,
	);
}
