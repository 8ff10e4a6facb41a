/** The words of an error response, in any JSON, and the user's message. */
import fc from 'fast-check';
import { assertUrlAllowed, NodeApiError, type INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { CredentialError } from '../../client/account.ts';
import { explainFailure } from '../../client/explain.ts';
import { isLasting, type Failure } from '../../client/errors.ts';
import { isFromApi, linesOf, readWords, toFailure } from '../../client/response.ts';
import { toNodeError } from '../../nodes/shared/failure.ts';

const node = { name: 'Portal.io' } as INode;
const explain = (failure: Partial<Failure>, more = {}) =>
	explainFailure(
		{ status: '', code: '', headers: {}, ...failure },
		{ path: '/public/proposals/7', ...more },
	);
const errorOf = (failure: Partial<Failure>, more = {}) =>
	toNodeError(node, explain(failure, more), 3) as NodeApiError;
const lines = (body: unknown) => {
	const words = readWords(body);
	return words && linesOf(words);
};

describe('the words of an error', () => {
	it.each<[string, unknown, string[] | undefined]>([
		['an object', { errorCode: 'Odd', message: 'Is odd' }, ['Is odd (Odd)']],
		[
			'the plain shape',
			{ responseStatus: { errorCode: 'Odd', message: 'Is odd' } },
			['Is odd (Odd)'],
		],
		['names in another case', { ResponseStatus: { Message: 'Is odd' } }, ['Is odd']],
		[
			'a text',
			'The proposal is locked by another user',
			['The proposal is locked by another user'],
		],
		[
			'fields alone',
			{ responseStatus: { errors: [{ fieldName: 'Name', errorCode: 'NotEmpty' }] } },
			['Name: NotEmpty'],
		],
		['a number for a message', { message: 5, errorCode: 'Odd' }, ['(Odd)']],
		[
			'errors that are an object',
			{ message: 'Is odd', responseStatus: { errors: {} } },
			['Is odd'],
		],
		['no words', { message: 5 }, undefined],
		['nothing', '', undefined],
		['a page behind a blank line', '\n<html>Sign in</html>', undefined],
		['a long text', 'Is odd. '.repeat(100), undefined],
		['a code with blanks', { message: ' Is odd ', errorCode: ' Odd ' }, ['Is odd (Odd)']],
		['a message with its code', { message: 'Odd: is odd', errorCode: 'Odd' }, ['Odd: is odd']],
		[
			'fields beside a summary',
			{
				message: 'Is long',
				responseStatus: {
					errors: [{ fieldName: 'Name', message: 'Is long' }, { message: 'Is long' }, {}],
				},
			},
			['Is long', 'Name: Is long'],
		],
	])('reads the words of an error from %s', (_from, body, expected) =>
		expect(lines(body)).toEqual(expected),
	);

	it.each<[unknown, boolean]>([
		[{ responseStatus: { errorCode: 'Odd', message: 'Is odd' } }, true],
		[{ responseStatus: { errors: [{ fieldName: 'Name', errorCode: 'NotEmpty' }] } }, true],
		[{ errorCode: 'Odd', message: 'Is odd' }, true],
		[{ message: 'Forbidden' }, false],
		[{ responseStatus: {} }, false],
		[{ responseStatus: { message: 'Handler for Request not found' } }, false],
		['The proposal is locked by another user', false],
		[404, false],
	])('says whether the API wrote the body of an error: %j', (body, expected) =>
		expect(isFromApi(body)).toBe(expected),
	);

	it('reads the words of an error from any JSON, and keeps its status, its input and the doubt', () => {
		const names = fc.constantFrom('message', 'errorCode', 'responseStatus', 'errors', 'fieldName');
		const { body } = fc.letrec((tie) => ({
			body: fc.oneof(
				{ maxDepth: 4 },
				fc.constantFrom(null, true, 5, '', 'Is odd', '<html>'),
				fc.array(tie('body'), { maxLength: 3 }),
				fc.dictionary(names, tie('body')),
			),
		}));
		const status = fc.constantFrom('400', '401', '403', '404', '409', '451', '500', '503');
		fc.assert(
			fc.property(status, body, (code, data) => {
				const error = errorOf({ status: code, data }, { doubt: 'It may have been done.' });
				expect(error).toMatchObject({ name: 'NodeApiError', httpCode: code });
				expect(error.context.itemIndex).toBe(3);
				expect(error.message).not.toBe('');
				expect(error.description).toContain('It may have been done.');
				expect(error.context.mayHaveBeenProcessed).toBe(true);
			}),
		);
	});
});

describe('an error', () => {
	const saying = (message: string) => ({ responseStatus: { message } });
	const said = saying('Words of the service');

	it.each(['400', '402', '403', '409', '418', '421', '431', '451'])(
		'does not ascribe an error of status %s of another shape to the service',
		(status) => {
			for (const data of ['', '<html>Denied</html>', { message: 'Forbidden' }, 'Denied']) {
				const { message, description } = errorOf({ status, data });
				expect(message).toBe(
					`Unexpected response: status ${status} did not come from the Portal.io API`,
				);
				expect(description).toContain('A proxy or firewall');
			}
		},
	);

	const noContact = 'The proposal has no contact yet';
	const state = "The proposal's state prevents this change";
	const responseStatus = { errors: [{ message: 'A contact must be set.' }] };
	const filled = new CredentialError('Fill it in', 'It is empty');
	const values = 'Portal.io did not accept the values of this request';
	const reset = 'The connection failed with ECONNRESET. Check the';
	it.each<[Partial<Failure>, message: string, description?: string | RegExp, path?: string]>([
		[{ status: '401', data: '' }, 'Portal.io did not accept the credential'],
		[{ status: '401', data: 'x < y' }, 'Portal.io did not accept the credential'],
		[{ status: '401', data: '<html>' }, 'Unexpected response: status 401 did not come from'],
		[{ credential: filled }, 'Fill it in', 'It is empty'],
		[
			{ status: '401', data: 'Your request signature (hash) is invalid.' },
			'Portal.io did not accept the signature of the request',
			/^Your request signature/,
		],
		[{ status: '407', data: '' }, 'A proxy between n8n and Portal.io requires a login'],
		[{ status: '401', data: { message: 'Unauthorized' } }, 'status 401 did not come from'],
		[{ status: '401', data: said }, 'Portal.io did not accept the credential'],
		[{ status: '400', data: saying('The signature is missing') }, values],
		[{ status: '422', data: said }, values],
		[{ status: '413', data: '' }, 'The request is larger than Portal.io accepts'],
		[{ status: '409', data: saying('The proposal has no contact.') }, noContact],
		[{ status: '409', data: saying('Assign a contact first.') }, noContact],
		[{ status: '409', data: saying('It is accepted.') }, state],
		[
			{ status: '409', data: saying('It is taken.') },
			'Portal.io rejected the request: It is taken.',
			'It is taken.',
			'/public/webhook/subscribe',
		],
		[{ status: '409', data: { message: 'Is odd', responseStatus } }, noContact],
		[{ status: '500', data: '' }, 'Portal.io could not process', /^Try again after a moment\.\nIf/],
		[{ code: 'ECONNRESET' }, 'Portal.io cannot be reached', reset],
		[
			{ code: 'ENOTFOUND' },
			'Portal.io cannot be reached',
			/^The address of Portal.io does not exist \(ENOTFOUND\)\. Check/,
		],
		[
			{ code: 'ECONNREFUSED' },
			'Portal.io cannot be reached',
			/^Portal.io refuses connections \(ECONNREFUSED\)\. /,
		],
		[
			{ code: 'EPROTO' },
			'Portal.io cannot be reached',
			/^Portal.io does not speak https \(EPROTO\)\. /,
		],
		[{}, 'Portal.io cannot be reached', /^Check the 'Environment'/],
		[{ unusable: 'large' }, "Portal.io's response is larger than 64 MB"],
		[{ unusable: 'empty' }, 'Portal.io returned an empty response'],
	])('says what happened after %j: %s', (failure, message, description = '', path) => {
		const error = errorOf(failure, path === undefined ? {} : { path });
		expect(error.message).toContain(message);
		expect(error.description).toMatch(description);
		expect(error.context.mayHaveBeenProcessed).toBeUndefined();
	});

	it('names a clock that is off where a signature may have been refused for it', () => {
		const headers = { date: new Date(Date.now() - 3600_000).toUTCString() };
		const descriptionAt = (status: string) => errorOf({ status, data: said, headers }).description;
		expect(descriptionAt('401')).toMatch(/clock .*ahead of/);
		expect(descriptionAt('403')).not.toMatch(/ahead of/);
	});

	it.each([
		['120', false],
		['121', true],
	])('says until when to wait after a Retry-After of %s: %s', (seconds, isSaid) => {
		const { description } = errorOf({ status: '429', headers: { 'retry-after': seconds } });
		expect(/asks to wait until 20\d\d-.* UTC\./.test(description!)).toBe(isSaid);
	});

	it('says how often it was tried, where that was more than once', () => {
		const tried = (attempts: number) => errorOf({ status: '503' }, { attempts }).description;
		expect(tried(3)).toContain('Tried 3 times.');
		expect(tried(1)).not.toContain('Tried');
	});

	it('keeps of an error body only the words of the service', () => {
		const body = { errorCode: 'Odd', message: 'Is odd', stackTrace: 'at x' };
		const { httpCode, errorResponse } = errorOf({ status: '400', data: body });
		expect([httpCode, errorResponse]).toEqual(['400', { errorCode: 'Odd', message: 'Is odd' }]);
		const errors = [{ fieldName: 'Name', message: 'Is long', errorCode: '' }];
		const withFields = errorOf({ status: '400', data: { responseStatus: { errors } } });
		expect(withFields.errorResponse).toMatchObject({ responseStatus: { errors } });
		expect(errorOf({ code: 'ECONNRESET' }).httpCode).toBeNull();
	});

	it.each<[string, unknown, boolean]>([
		['404', '', true],
		['404', 404, true],
		['404', 'Handler for Request not found: /x', true],
		['404', { message: 'no Route matched with those values' }, true],
		['405', '', true],
		['405', said, true],
		['302', '', false],
	])('knows a route that does not exist by status %s with %j', (status, data, isMissingRoute) => {
		const error = explain({ status, data });
		expect(error.message).toBe('This Portal.io endpoint does not exist');
		expect(error.facts).toMatchObject({ isMissingRoute });
	});

	it.each<[Partial<Failure>, object | undefined, isForGood?: boolean]>([
		[
			{ status: '429', headers: { 'retry-after': '7' } },
			{ cause: 'rate-limited', retryAfterMs: 7000 },
		],
		[{ status: '503' }, { cause: 'temporarily-unavailable' }],
		[{ code: 'ECONNRESET' }, { cause: 'temporarily-unavailable' }],
		[{ status: '401', data: said }, { cause: 'credential-invalid' }, true],
		[{ credential: new CredentialError('Fill it in') }, { cause: 'credential-invalid' }, true],
		[{ refusal: 'ssrf' }, { cause: 'configuration-invalid' }, true],
		[{ status: '400', data: said }, undefined],
	])('carries in an error of %j why it failed, for n8n', (failure, expected, isForGood = false) => {
		expect(errorOf(failure)).toMatchObject({ failure: expected });
		expect(isLasting(explain(failure))).toBe(isForGood);
	});

	it('names the setting of n8n in its error', () => {
		const thrown = (run: () => void): unknown => {
			try {
				return run();
			} catch (error) {
				return { cause: { cause: error } };
			}
		};
		const domains = thrown(() =>
			assertUrlAllowed({ url: 'https://api.portal.io/x', allowedDomains: 'example.com' }),
		);
		expect(errorOf(toFailure(domains)).message).toContain("'Allowed Domains' of the credential");
		const blocked = { cause: { name: 'SsrfBlockedIpError' } };
		expect(errorOf(toFailure(blocked)).description).toContain('N8N_SSRF_ALLOWED_IP_RANGES');
		const circular: { cause?: unknown } = {};
		circular.cause = circular;
		expect(errorOf(toFailure(circular)).message).toBe('Portal.io cannot be reached');
	});
});
