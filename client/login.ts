import type { IHttpRequestHelper } from 'n8n-workflow';
import { stateOf, type Account } from './account';
import { valueUnder } from './data';
import { encodeFields } from './encoding';
import { explainFailure } from './explain';
import { isRefusedKey, readResponse } from './response';
import { signRequest, type Signer } from './signRequest';

export type HttpRequest = IHttpRequestHelper['helpers']['httpRequest'];

const TIMEOUT_MS = 30_000;

/**
 * Exchanges email and password for a user API key. Executions that start together share one exchange.
 * Throws a PortalError without the URL of the request, which contains the password.
 */
export async function exchangeKey(account: Account, httpRequest: HttpRequest): Promise<string> {
	const state = stateOf(account.fingerprint);
	// The HTTP Request node asks with the former key still in place, refused or not.
	state.discardKey(account.userApiKey);
	return await state.logIn(async () => {
		const query = encodeFields({ UserName: account.username, Password: account.password });
		const url = `/authenticate/apikeyexchange?${query}`;
		const response = await get({ ...account, userApiKey: '' }, url, httpRequest);
		const key = valueUnder(valueUnder(response.data, 'meta'), 'apiKey');
		const isSuccess = response.status === '200';
		if (isSuccess && typeof key === 'string' && key !== '') return key;
		// With the path of the base URL, which may be what is wrong.
		const host = account.baseUrl.replace(/^https?:\/\//, '');
		throw explainFailure(isSuccess ? { ...response, unusable: 'foreign' } : response, { host });
	});
}

/** Tests the user API key with a read that every account may do. False if the service is down. */
export async function isKeyRefused(account: Account, httpRequest: HttpRequest): Promise<boolean> {
	return isRefusedKey(await get(account, '/public/proposals?PageNumber=1&PageSize=1', httpRequest));
}

async function get(signer: Signer, url: string, httpRequest: HttpRequest) {
	const request = signRequest(signer, { method: 'GET', url });
	return await readResponse(
		async (options) => await httpRequest({ ...request, url: request.url ?? '', ...options }),
		TIMEOUT_MS,
	);
}
