import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { BASE_URLS, readAccount, toStoredKey, type Account } from '../client/account';
import { accountStateOf } from '../client/accountState';
import { explainFailure } from '../client/explain';
import { valueUnder } from '../client/responseShape';
import { encodeFields } from '../client/request';
import { mayBeRejectedKey, sendAndRead, type RequestOutcome } from '../client/response';
import { signRequest, type OutgoingRequest } from '../client/signature';

/**
 * Credential for an account. n8n logs in with its email and password, and stores the user API key that Portal.io
 * returns.
 */
export class PortalIoApi implements ICredentialType {
	name = 'portalIoApi';

	displayName = 'Portal.io API';

	icon: Icon = { light: 'file:../icons/portalIo.svg', dark: 'file:../icons/portalIo.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-portal-io/n8n-nodes-portal-io/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Environment',
			name: 'environment',
			type: 'options',
			options: [
				{ name: 'Production', value: 'production', description: BASE_URLS.production },
				{ name: 'Sandbox', value: 'sandbox', description: BASE_URLS.sandbox },
				{
					name: 'Custom',
					value: 'custom',
					description: "A different base URL, such as a simulator's",
				},
			],
			default: 'sandbox',
			hint: 'Portal.io first issues keys for the sandbox. Production uses different keys.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://api.portal.io',
			description: 'The URL of the API, starting with https://',
			displayOptions: { show: { environment: ['custom'] } },
			required: true,
		},
		{
			displayName: 'Application Key',
			name: 'appKey',
			type: 'string',
			default: '',
			description: 'The key that Portal.io issued for your integration',
			hint: 'Your Portal.io representative provides it together with the secret key',
			required: true,
		},
		{
			displayName: 'Secret Key',
			name: 'secretKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'The secret that Portal.io issued with the application key',
			required: true,
		},
		{
			displayName: 'Email',
			name: 'username',
			type: 'string',
			default: '',
			placeholder: 'e.g. name@example.com',
			description: 'The email address that you log in to Portal.io with',
			hint: "Workflows run with this user's permissions",
			required: true,
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
		},
		{
			displayName: 'User API Key',
			name: 'userApiKey',
			type: 'hidden',
			// Declare it as a password, or n8n would send the key to the browser.
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	/**
	 * Logs in, and returns the user API key for n8n to store. n8n calls this if there is no key, for a credential test,
	 * and after any error in the HTTP Request node. After an error, n8n retries any request for which this returns a
	 * key, even a POST. To prevent that, this returns a key after an error only if the previous key has expired.
	 */
	async preAuthentication(this: IHttpRequestHelper, credential: ICredentialDataDecryptedObject) {
		const account = readAccount(credential);
		const { userApiKey } = account;
		const state = accountStateOf(account.fingerprint);
		if (userApiKey !== '') {
			state.useStoredKey(userApiKey);
			const { generation } = state;
			// Send a read, whose response shows whether the key has expired. Any other failure of the read is
			// ignored.
			const read = await sendSigned(account, '/public/proposals?PageNumber=1&PageSize=1', this);
			if (!('failure' in read && mayBeRejectedKey(read.failure))) {
				if ('data' in read) state.confirmKey(generation);
				return {};
			}
			const isReplaced = !['', userApiKey].includes(state.userApiKey);
			if (isReplaced) return { userApiKey: toStoredKey(account, state.userApiKey) };
			state.renewKey(generation, '', true);
		}
		const key = await state.logIn(async () => await requestUserApiKey(account, this));
		return key === userApiKey ? {} : { userApiKey: toStoredKey(account, key) };
	}

	/**
	 * Signs a request. If the stored key was issued for other values of the credential, signs without a key. Portal.io
	 * then rejects the request with status 401, and n8n calls `preAuthentication`.
	 */
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> =>
		signRequest(readAccount(credential), request as OutgoingRequest) as IHttpRequestOptions;

	test: ICredentialTestRequest = {
		request: { url: '/public/proposals', qs: { PageNumber: 1, PageSize: 1 } },
		rules: [
			ruleFor(402, 'Your Portal.io subscription is inactive or expired'),
			ruleFor(
				403,
				'The keys are correct, but this Portal.io user does not have permission to list proposals',
			),
		],
	};
}

const ruleFor = (value: number, message: string) =>
	({ type: 'responseCode', properties: { value, message } }) as const;

/** Logs in and returns the user API key. Throws a PortalError without the URL, which contains the password. */
async function requestUserApiKey(account: Account, n8n: IHttpRequestHelper): Promise<string> {
	const query = encodeFields({ UserName: account.username, Password: account.password });
	const url = `/authenticate/apikeyexchange?${query}`;
	const outcome = await sendSigned({ ...account, userApiKey: '' }, url, n8n);
	// Include the path of the base URL in errors, because the path might be the mistake.
	const [, host] = account.baseUrl.split('://');
	if ('failure' in outcome) throw explainFailure(outcome.failure, { host });
	const key = valueUnder(valueUnder(outcome.data, 'meta'), 'apiKey');
	if (typeof key === 'string' && key !== '') return key;
	throw explainFailure({ unusable: 'notFromApi', data: outcome.data }, { host });
}

const LOGIN_TIMEOUT_MS = 30_000;

async function sendSigned(
	account: Account,
	url: string,
	n8n: IHttpRequestHelper,
): Promise<RequestOutcome> {
	const request = signRequest(account, { method: 'GET', url }) as IHttpRequestOptions;
	return await sendAndRead(n8n.helpers.httpRequest, request, LOGIN_TIMEOUT_MS);
}
