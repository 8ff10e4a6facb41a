import type { IHttpRequestHelper } from 'n8n-workflow';
import { CredentialError, type Account } from './account';
import { AS_IT_COMES, answerTo } from '../http/answer';
import { describeSkew } from '../http/clock';
import { encodeFields } from '../http/form';
import { isAboutSignature, isHttpError } from '../http/httpError';
import { signRequest } from './signRequest';

/** The way to send a request without a credential, as n8n gives it to a credential. */
export type HttpRequest = IHttpRequestHelper['helpers']['httpRequest'];

/** Exchanges under way, by account: whoever asks meanwhile gets the same answer. */
const underWay = new Map<string, Promise<string>>();

/** The login was refused: asking again with the same words would count against the account. */
class RefusedLogin extends CredentialError {}

/** How an exchange ended. */
interface Outcome {
	key?: string;
	refusal?: RefusedLogin;
	/** Milliseconds since 1970. */
	time: number;
}

/** The latest outcomes by account, for as long as they are fresh. */
const latest = new Map<string, Outcome>();

/**
 * How long an outcome stands for those who ask a little later, in milliseconds: executions that found
 * the same key expired, and a hundred inputs that would all try the same wrong password.
 */
const FRESH = 10_000;

/**
 * Exchanges user name and password for a user API key (specification, *Exchange credentials for a
 * user key*). Executions that start together share one exchange.
 *
 * @param refusedKey the key that the service did not take; a key that was got for it a moment ago is
 * given again, and never this one
 * @returns the key, for `X-MSS-API-USERKEY`
 * @throws CredentialError saying what is wrong with the credential, or that the service cannot be
 * reached; it holds neither the address (the password is in its query) nor the answer
 */
export async function exchangeKey(
	account: Account,
	httpRequest: HttpRequest,
	refusedKey = '',
): Promise<string> {
	const { baseUrl, appKey, secretKey, username, password } = account;
	const id = JSON.stringify([baseUrl, appKey, secretKey, username, password]);
	const last = latest.get(id);
	if (last !== undefined && Date.now() - last.time < FRESH) {
		if (last.refusal !== undefined) throw last.refusal;
		const isNews = refusedKey !== '' && last.key !== refusedKey;
		if (last.key !== undefined && isNews) return last.key;
	}
	let exchange = underWay.get(id);
	if (exchange === undefined) {
		exchange = requestKey(account, httpRequest)
			.then((key) => {
				remember(id, { key });
				return key;
			})
			.catch((error: Error) => {
				// Only a refusal stays: a service that could not be reached may be back at once.
				if (error instanceof RefusedLogin) remember(id, { refusal: error });
				throw error;
			})
			.finally(() => underWay.delete(id));
		underWay.set(id, exchange);
	}
	return await exchange;
}

function remember(id: string, outcome: Pick<Outcome, 'key' | 'refusal'>): void {
	for (const [other, { time }] of latest) if (Date.now() - time >= FRESH) latest.delete(other);
	latest.set(id, { ...outcome, time: Date.now() });
}

async function requestKey(account: Account, httpRequest: HttpRequest): Promise<string> {
	const query = encodeFields({ UserName: account.username, Password: account.password });
	const request = signRequest(
		{ ...account, userApiKey: '' },
		{ method: 'GET', url: `/authenticate/apikeyexchange?${query}` },
	);
	// Of a failure only the code is kept: the error itself holds the address with the password.
	const answer = await answerTo(
		httpRequest({ ...request, url: request.url ?? '', ...AS_IT_COMES }),
	);
	if ('code' in answer) throw unreachable(account, answer.code || 'no reason');

	const { status, headers, data } = answer;
	if (status === 200) {
		const key = (data as { meta?: { apiKey?: unknown } } | null)?.meta?.apiKey;
		if (typeof key === 'string' && key !== '') return key;
		throw foreign(account);
	}
	const said = isHttpError(data) ? String(data.message ?? '') : text(data);
	throw refused(account, status, said, headers.date);
}

const foreign = (account: Account) =>
	new CredentialError(`${hostOf(account)} answered the login, but not with a Portal.io user key`, {
		description: "Check the 'Environment' and 'Base URL' of the credential",
	});

function refused(account: Account, status: number, said: string, date: unknown): CredentialError {
	const skew = describeSkew(date, Date.now());
	if (status === 401 && skew !== '') {
		return new RefusedLogin(`Portal.io refused the login. ${skew}`);
	}
	if (status === 401 && isAboutSignature(said)) {
		// n8n's test of a credential shows the message and not the description.
		return new RefusedLogin(
			"Portal.io refused the signature of the login: check 'Application Key' and 'Secret Key'",
			{ description: 'Check also that the clock of this machine is right' },
		);
	}
	if (status === 401 && /verif/i.test(said)) {
		return new RefusedLogin('The e-mail address of this Portal.io account is not verified yet', {
			description: 'Follow the link in the verification e-mail from Portal.io, then try again',
		});
	}
	if (status === 401) {
		return new RefusedLogin('Portal.io refused the user name or password', {
			description:
				"Check the 'User Name' and 'Password' of the credential, and that the e-mail address of the account is verified",
		});
	}
	if (status === 402) {
		return new CredentialError('The Portal.io subscription of this dealer is inactive or expired');
	}
	if (status === 403) {
		return new CredentialError('This Portal.io user may not use the API', {
			description: 'Ask the administrator of the Portal.io account for access',
		});
	}
	if (status === 404 || (status >= 300 && status < 400)) {
		return new CredentialError(`${hostOf(account)} is not the address of the Portal.io API`, {
			description: "Check the 'Environment' and 'Base URL' of the credential",
		});
	}
	return new CredentialError(`The Portal.io login answered with status ${status}`, {
		description: 'Try again later',
	});
}

function unreachable(account: Account, code: string): CredentialError {
	return new CredentialError(`${hostOf(account)} cannot be reached`, {
		description: `The connection failed with ${code}. Check the 'Environment' and 'Base URL' of the credential, and the network of this machine.`,
	});
}

const hostOf = (account: Account) => new URL(account.baseUrl).host;
const text = (body: unknown) => (typeof body === 'string' ? body : '');
