/** Tests how long a process shares logins, and how failed logins are explained. */
import { Readable } from 'node:stream';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAccount, toStoredKey } from '../../client/account.ts';
import { accountStateOf } from '../../client/accountState.ts';
import type { PortalError } from '../../client/errors.ts';
import { PortalIoApi } from '../../credentials/PortalIoApi.credentials.ts';
import { newCredential, sessionsOver } from './playedSession.mts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

/** Creates an account. By default, its service issues `key 1`, `key 2`, and so on. */
function setUp(respond?: (request: IHttpRequestOptions) => unknown) {
	const credential = newCredential({ username: Math.random() });
	const account = readAccount(credential);
	const requests: IHttpRequestOptions[] = [];
	const httpRequest = async (request: IHttpRequestOptions) => {
		requests.push(request);
		const issued = { meta: { apiKey: `key ${requests.length}` } };
		return respond ? respond(request) : { statusCode: 200, headers: {}, body: issued };
	};
	const n8n = { helpers: { httpRequest } } as never;
	const stored = (key: string) => toStoredKey(account, key);
	const logIn = async (changes: object = {}) => {
		const data = { ...credential, ...changes };
		const { userApiKey } = await new PortalIoApi().preAuthentication.call(n8n, data);
		return userApiKey?.slice(account.fingerprint.length + 1);
	};
	const failedLogIn = async (): Promise<PortalError> =>
		await logIn().then(expect.unreachable, (reason) => reason);
	const state = accountStateOf(account.fingerprint);
	const renewKey = () => state.renewKey(state.generation, '', true);
	return { credential, requests, stored, logIn, failedLogIn, renewKey };
}
const refusing = (statusCode: number, body: unknown = '', headers: object = {}) =>
	setUp(() => ({ statusCode, headers, body }));

describe('shared logins', () => {
	it('shares a login for two seconds among requests of the same account', async () => {
		const { logIn } = setUp();
		expect(await Promise.all([logIn(), logIn()])).toEqual(['key 1', 'key 1']);
		expect(await logIn({ password: 'another' })).toBe('key 2');
		await vi.advanceTimersByTimeAsync(1999);
		expect(await logIn()).toBe('key 1');
		await vi.advanceTimersByTimeAsync(1);
		expect(await logIn()).toBe('key 3');
	});

	it('logs in again after the key of a login was rejected', async () => {
		const { logIn, renewKey } = setUp();
		expect(await logIn()).toBe('key 1');
		expect(renewKey()).toBe(true);
		expect(await logIn()).toBe('key 2');
	});

	it('returns the key that has replaced the rejected one', async () => {
		const { logIn, requests, stored } = setUp(({ url }) =>
			url.includes('/proposals')
				? { statusCode: 401, headers: {}, body: '' }
				: { statusCode: 200, headers: {}, body: { meta: { apiKey: 'new' } } },
		);
		const renewals = [1, 2].map(async () => await logIn({ userApiKey: stored('old') }));
		expect(await Promise.all(renewals)).toEqual(['new', 'new']);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(await logIn({ userApiKey: stored('old') })).toBe('new');
		expect(requests.filter(({ url }) => url.includes('apikeyexchange'))).toHaveLength(1);
	});

	it('returns no key to n8n if the login returns the current key', async () => {
		const { logIn, requests, stored } = setUp(({ url }) =>
			url.includes('/proposals')
				? { statusCode: 401, headers: {}, body: '' }
				: { statusCode: 200, headers: {}, body: { meta: { apiKey: 'persistent' } } },
		);
		// Expect no key, because n8n's HTTP Request node would send its request again if it received one.
		expect(await logIn({ userApiKey: stored('persistent') })).toBeUndefined();
		expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([
			'/public/proposals',
			'/authenticate/apikeyexchange',
		]);
	});

	it('does not sign a login with the rejected user API key', async () => {
		const { logIn, requests, stored } = setUp(({ url }) =>
			url.includes('/proposals')
				? { statusCode: 401, headers: {}, body: '' }
				: { statusCode: 200, headers: {}, body: { meta: { apiKey: 'new' } } },
		);
		expect(await logIn({ userApiKey: stored('old') })).toBe('new');
		expect(requests.map(({ headers }) => headers!['X-MSS-API-USERKEY'])).toEqual(['old', '']);
	});

	it('logs in again if the key is rejected within ten seconds of its login', async () => {
		const keys = ['key 1', 'key 2'];
		const { logIn, stored } = setUp(({ url }) =>
			url.includes('/proposals')
				? { statusCode: 401, headers: {}, body: '' }
				: { statusCode: 200, headers: {}, body: { meta: { apiKey: keys.shift() } } },
		);
		expect(await logIn()).toBe('key 1');
		expect(await logIn({ userApiKey: stored('key 1') })).toBe('key 2');
	});

	it('logs in again if n8n has stored only the rejected key', async () => {
		const { credential, stored, logIn } = setUp();
		const userApiKey = stored((await logIn())!);
		const session = sessionsOver(() => ({}), { ...credential, userApiKey }).open();
		await session.renewKey(session.state.generation);
		expect(session.state.userApiKey).toBe('');
		expect(await logIn()).toBe('key 2');
	});

	it.each([
		[401, ''],
		[401, '<html>'],
		[403, '<html>'],
	])('shares a rejected login for two seconds: %i %s', async (...row) => {
		const { failedLogIn, requests } = refusing(...row);
		await Promise.all([failedLogIn(), failedLogIn()]);
		await vi.advanceTimersByTimeAsync(1999);
		await failedLogIn();
		expect(requests).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(1);
		await failedLogIn();
		expect(requests).toHaveLength(2);
	});

	it.each([500, 503])(
		'logs in again immediately after a login that failed with status %i',
		async (status) => {
			const { failedLogIn, requests } = refusing(status);
			await failedLogIn();
			await failedLogIn();
			expect(requests).toHaveLength(2);
		},
	);

	it('limits a login, including its response, to 30 seconds', async () => {
		const controller = new AbortController();
		const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
		const { failedLogIn, requests } = refusing(200, new Readable({ read: () => {} }));
		const outcome = failedLogIn();
		await vi.advanceTimersByTimeAsync(0);
		expect([requests[0]!.timeout, limit.mock.calls[0]]).toEqual([30_000, [30_000]]);
		controller.abort();
		expect((await outcome).description).toContain('ETIMEDOUT');
	});

	it.each([
		[200, '', undefined],
		[403, '', undefined],
		[500, '', undefined],
		[401, '<html>', undefined],
		[401, '', 'key 2'],
	])(
		'replaces a stored key only if Portal.io responds to a read with 401: %i %s',
		async (...row) => {
			const [statusCode, body, expected] = row;
			const answers = [{ statusCode, headers: {}, body }];
			const issued = { statusCode: 200, headers: {}, body: { meta: { apiKey: 'key 2' } } };
			const { credential, logIn, requests, stored } = setUp(() => answers.shift() ?? issued);
			// Expect undefined unless the stored key is replaced, because n8n sends its request again only if it receives a
			// key.
			expect(await logIn({ userApiKey: stored('key 1') })).toBe(expected);
			expect(requests[0]).toMatchObject({
				method: 'GET',
				url: `${credential.baseUrl}/public/proposals?PageNumber=1&PageSize=1`,
				headers: { 'X-MSS-API-USERKEY': 'key 1' },
			});
		},
	);
});

describe('a failed login', () => {
	const signature =
		"Portal.io rejected the login's signature. Check 'Application Key' and 'Secret Key'";
	const inBetween = (status: number) =>
		`Something between n8n and Portal.io rejected the login (status ${status})`;
	const saying = (message: string) => ({ responseStatus: { message } });
	const empty = { errors: [{ fieldName: 'UserName', message: 'is empty' }] };
	const bad = { message: 'Bad', responseStatus: empty };
	it.each<[number, unknown, message: string, description?: string]>([
		[401, 'Your signature is invalid', signature],
		[401, 'Not verified', "This Portal.io account's email address has not been verified"],
		[
			401,
			saying('Invalid UserName'),
			'Portal.io rejected the email or password',
			'Invalid UserName',
		],
		[401, 'X-MSS-CUSTOM-DATE is too old', 'Portal.io rejected the login: X-MSS-CUSTOM-DATE'],
		[401, '<html>', inBetween(401)],
		[401, { message: 'Invalid signature' }, inBetween(401)],
		[402, saying('Over'), 'Your Portal.io subscription is inactive or expired'],
		[402, '', inBetween(402)],
		[
			403,
			saying('Your signature is invalid'),
			'This Portal.io user does not have access to the API',
		],
		[403, { message: 'Forbidden' }, inBetween(403), 'A proxy or firewall'],
		[405, saying('No method named Get'), 'is not the Portal.io API', 'Check '],
		[404, saying('Not found'), 'is not the Portal.io API', 'Check '],
		[400, bad, 'Portal.io rejected the login (status 400)', 'Bad\nUserName: is empty'],
		[200, '', 'api.example.com/v2 responded to the login, but not with a user API key'],
		[200, { meta: { apiKey: 5 } }, '/v2 responded to the login, but not with a user API key'],
		[200, { meta: { apiKey: '' } }, '/v2 responded to the login, but not with a user API key'],
		[200, { message: 'Locked' }, '/v2 responded to the login, but not with', 'Locked'],
	])('explains a login that failed with status %i and %j', async (status, body, ...said) => {
		const [message, description = ''] = said;
		const { logIn } = refusing(status, body);
		await expect(logIn({ baseUrl: 'https://api.example.com/v2' })).rejects.toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringContaining(description),
		});
	});

	it.each<[isRejected: boolean, status: number, body: unknown]>([
		[true, 401, saying('Invalid UserName')],
		[true, 401, 'Not verified'],
		[true, 401, 'It is locked'],
		[false, 401, 'Your signature is invalid'],
		[false, 401, 'X-MSS-CUSTOM-DATE is too old'],
		[false, 401, '<html></html>'],
		[false, 401, ''],
		[false, 402, saying('Over')],
		[false, 403, saying('Forbidden')],
		[false, 403, '<html></html>'],
		[false, 404, saying('Not found')],
		[false, 407, ''],
		[false, 302, ''],
		[false, 200, ''],
		[false, 200, '<html></html>'],
	])('is treated as a rejected email or password (%s) with status %i and %j', async (...row) => {
		const [isRejected, status, body] = row;
		const error = await refusing(status, body).failedLogIn();
		expect(error.facts?.login?.isRejected).toBe(isRejected);
	});

	it.each([
		[404, (url: string) => ({ message: `Route GET:${url} not found`, error: 'Not Found' })],
		[404, (url: string) => `Handler for Request not found: \n\nRequest.RawUrl: ${url}`],
		[500, (url: string) => ({ responseStatus: { ...empty, message: `GET ${url}` } })],
	])('never shows a password that a response contains: %i', async (status, say) => {
		const location = '/authenticate/apikeyexchange?UserName=a&Password=swordfish';
		const error = await refusing(status, say(location), { location }).failedLogIn();
		const shown = `${error.message} ${error.description} ${JSON.stringify(error)}`;
		expect(shown).not.toContain('swordfish');
	});

	it.each([
		['Your signature is invalid', /'Secret Key'\. The n8n server's clock .* ahead of/],
		[
			'X-MSS-CUSTOM-DATE is too old',
			/^Portal\.io rejected the login\. The n8n server's clock .* ahead of/,
		],
		['Invalid password', /^Portal\.io rejected the email or password$/],
		['It is locked', /^Portal\.io rejected the login: It is locked$/],
	])(
		'mentions a wrong clock in the message only for a rejected signature or date, and otherwise in the description: %s',
		async (words, message) => {
			const date = new Date(Date.now() - 3600_000).toUTCString();
			const error = await refusing(401, words, { date }).failedLogIn();
			expect(error.message).toMatch(message);
			expect(`${error.message} ${error.description}`).toContain(' ahead of');
		},
	);

	it('reports the status, Retry-After, or error code that a retry depends on', async () => {
		expect(await refusing(429, '', { 'retry-after': '7' }).failedLogIn()).toMatchObject({
			facts: { login: { status: '429', retryAfterMs: 7000 } },
		});
		const failing = async (error: object) =>
			await setUp(async () => await Promise.reject(error)).failedLogIn();
		expect(await failing({ code: 'ENOTFOUND' })).toMatchObject({
			description: expect.stringMatching(/^The host \S+ does not exist \(ENOTFOUND\)\. /),
			facts: { login: { code: 'ENOTFOUND' } },
		});
		expect((await failing({ name: 'SsrfBlockedIpError' })).message).toBe(
			"n8n's SSRF protection blocked the request to this host",
		);
	});

	it.each([
		[402, 'Your Portal.io subscription is inactive or expired'],
		[
			403,
			'The keys are correct, but this Portal.io user does not have permission to list proposals',
		],
	])('explains a credential test that failed with status %i', (value, message) =>
		expect(new PortalIoApi().test.rules).toContainEqual({
			type: 'responseCode',
			properties: { value, message },
		}),
	);
});
