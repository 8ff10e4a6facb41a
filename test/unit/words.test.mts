/** Tests the messages for error responses. */
import fc from 'fast-check';
import { assertUrlAllowed, NodeApiError, type INode } from 'n8n-workflow';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
	CredentialError,
	isSetupError,
	isTemporaryError,
	PortalError,
	toFailure,
	type Failure,
} from '../../client/errors.ts';
import { explainFailure } from '../../client/explain.ts';
import { readServiceMessage } from '../../client/response.ts';
import { toNodeError } from '../../nodes/shared/nodeError.ts';

const node = { name: 'Portal.io', type: 'n8n-nodes-portal-io.portalIo' } as INode;
const explain = (failure: Partial<Failure>, more = {}) =>
	explainFailure(failure, { path: '/public/proposals/7', ...more });
const errorOf = (failure: Partial<Failure>, more = {}) =>
	toNodeError(node, explain(failure, more), 3) as NodeApiError;

const status = (responseStatus: object, more: object = {}) => ({ ...more, responseStatus });
const errors = [{ fieldName: 'Name', message: 'Is long' }, { message: 'Is long' }, {}];

const saying = (message: string) => ({ responseStatus: { message } });
const said = saying('Words of the service');

describe('an error response', () => {
	it.each<[body: unknown, lines: string[] | undefined, isFromApi: boolean]>([
		[{ errorCode: 'Odd', message: 'Is odd' }, ['Is odd (Odd)'], true],
		[status({ errorCode: 'Odd', message: 'Is odd' }), ['Is odd (Odd)'], true],
		[{ ResponseStatus: { Message: 'Is odd' } }, ['Is odd'], true],
		[status({ errors: [{ fieldName: 'Name', errorCode: 'NotEmpty' }] }), ['Name: NotEmpty'], true],
		[status({ errors }, { message: 'Is long' }), ['Is long', 'Name: Is long'], true],
		[status({ errors: {} }, { message: 'Is odd' }), ['Is odd'], true],
		[{ message: 5, errorCode: 'Odd' }, ['(Odd)'], true],
		[{ message: ' Is odd ', errorCode: ' Odd ' }, ['Is odd (Odd)'], true],
		[{ message: 'Odd: is odd', errorCode: 'Odd' }, ['Odd: is odd'], true],
		[
			status({ message: 'Handler for Request not found' }),
			['Handler for Request not found'],
			false,
		],
		[{ message: 'Forbidden' }, ['Forbidden'], false],
		[status({}), undefined, false],
		[{ message: 5 }, undefined, false],
		[404, undefined, false],
		['The proposal is locked', ['The proposal is locked'], false],
		['', undefined, false],
		// A web page after a blank line, text of the maximum length, and text with one more character.
		['\n<html>Sign in</html>', undefined, false],
		['x'.repeat(500), ['x'.repeat(500)], false],
		['x'.repeat(501), undefined, false],
	])('reads the message of an error from %j', (body, lines, isApi) => {
		const words = readServiceMessage(body);
		expect([words?.lines, words?.isFromApi ?? false]).toEqual([lines, isApi]);
	});

	it('creates an error from any JSON', () => {
		const names = fc.constantFrom('message', 'errorCode', 'responseStatus', 'errors', 'fieldName');
		const { body } = fc.letrec((tie) => ({
			body: fc.oneof(
				{ maxDepth: 4 },
				fc.constantFrom(null, true, 5, '', 'Is odd', '<html>'),
				fc.array(tie('body'), { maxLength: 3 }),
				fc.dictionary(names, tie('body')),
			),
		}));
		const statuses = fc.constantFrom('400', '401', '403', '404', '409', '451', '500', '503');
		fc.assert(
			fc.property(statuses, body, (code, data) => {
				const error = errorOf({ status: code, data }, { doubt: 'It may have been done.' });
				expect(error).toMatchObject({ name: 'NodeApiError', httpCode: code });
				expect(error.context).toMatchObject({ itemIndex: 3, mayHaveBeenProcessed: true });
				expect(error.message).not.toBe('');
				expect(error.description).toContain('It may have been done.');
			}),
		);
	});

	it.each(['400', '402', '403', '409', '418', '421', '431', '451'])(
		'attributes status %s to a proxy if the body is not from Portal.io',
		(status) => {
			for (const data of ['', '<html>Denied</html>', { message: 'Forbidden' }, 'Denied']) {
				const { message, description } = errorOf({ status, data });
				expect(message).toBe(
					`Unexpected response with status ${status} that did not come from the Portal.io API`,
				);
				expect(description).toContain('A proxy or firewall');
			}
		},
	);
});
const responseStatus = { errors: [{ message: 'A contact must be set.' }] };

describe('an error for the user', () => {
	const credential = 'Portal.io accepted the login, but rejected the request';
	const noContact = 'The proposal has no contact yet';
	const filled = new CredentialError('Fill it in', 'It is empty');
	const values = 'Portal.io did not accept the values in this request';
	const broken = 'Portal.io cannot be reached';
	const hash = 'Your request signature (hash) is invalid.';
	const signature = "Portal.io accepted the login, but rejected the request's signature";
	const [taken, subscribe] = ['It is taken.', '/public/webhook/subscribe'];
	it.each<[Partial<Failure>, message: string, description?: string | RegExp, path?: string]>([
		[{ status: '401', data: '' }, credential],
		[{ status: '401', data: 'x < y' }, credential],
		[{ status: '401', data: '\n<html>' }, 'status 401 that did not come from'],
		[{ status: '401', data: { message: 'Unauthorized' } }, 'status 401 that did not come from'],
		[{ credentialError: filled }, 'Fill it in', 'It is empty'],
		[
			{ status: '401', data: saying('It is locked') },
			credential,
			/^It is locked\nCheck in Portal\.io/,
		],
		[{ status: '401', data: hash }, signature, /^Your request signature .*\n.*same keys.* correct/],
		[{ status: '407', data: '' }, 'A proxy between n8n and Portal.io requires a login'],
		[{ status: '400', data: saying('The signature is missing') }, values],
		[{ status: '422', data: said }, values],
		[{ status: '409', data: saying('The proposal has no contact.') }, noContact],
		[{ status: '409', data: saying('Assign a contact first.') }, noContact],
		[{ status: '409', data: { message: 'Is odd', responseStatus } }, noContact],
		[{ status: '409', data: saying('It is accepted.') }, "The proposal's state prevents this"],
		[{ status: '409', data: saying(taken) }, `rejected the request: ${taken}`, taken, subscribe],
		[{ status: '500', data: '' }, 'Portal.io could not process', /^Try again in a moment\.\nIf/],
		[{ unusable: 'empty' }, 'Portal.io returned an empty response'],
		[{ code: 'ECONNRESET' }, broken, /^The connection failed with ECONNRESET\. Check '/],
		[{ code: 'ENOTFOUND' }, broken, /^The host of Portal.io does not exist \(ENOTFOUND\)\. Ch/],
		[{ code: 'ECONNREFUSED' }, broken, /^Portal.io refused the connection \(ECONNREFUSED\)\. /],
		[{ code: 'EPROTO' }, broken, /^Portal.io does not support https \(EPROTO\)\. /],
		[{}, broken, /^Check 'Environment'/],
	])('explains %j: %s', (failure, message, description = '', path) => {
		const error = errorOf(failure, path === undefined ? {} : { path });
		expect(error.message).toContain(message);
		expect(error.description).toMatch(description);
		expect(error.context.mayHaveBeenProcessed).toBeUndefined();
	});

	it('mentions a wrong clock only if the signature might be rejected because of it', () => {
		const descriptionAt = (status: string) =>
			errorOf({ status, data: said, clockLeadMs: -3600_000 }).description;
		expect(descriptionAt('401')).toMatch(/clock .*ahead of/);
		expect(descriptionAt('403')).not.toMatch(/ahead of/);
	});

	it.each([
		[119_999, 1, /^Run the step again in a moment\.(?!.*Tried)/],
		[120_000, 3, /^Run the step again after 2026-11-26 00:02 UTC\..*Tried 3 times\./s],
	])('explains when to run the step again for a Retry-After of %i ms and %i attempts', (...row) => {
		const [retryAfterMs, attempts, description] = row;
		vi.useFakeTimers({ now: new Date('2026-11-25T23:59:30Z') });
		onTestFinished(() => void vi.useRealTimers());
		expect(errorOf({ status: '429', retryAfterMs }, { attempts }).description).toMatch(description);
	});

	it('returns only the codes, messages, and field names from an error response', () => {
		const body = { errorCode: 'Odd', message: 'Is odd', stackTrace: 'at x' };
		const { httpCode, errorResponse } = errorOf({ status: '400', data: body });
		expect([httpCode, errorResponse]).toEqual(['400', { errorCode: 'Odd', message: 'Is odd' }]);
		const errors = [{ fieldName: 'Name', message: 'Is long', errorCode: '' }];
		const withFields = errorOf({ status: '400', data: { responseStatus: { errors } } });
		expect(withFields.errorResponse).toMatchObject({ responseStatus: { errors } });
		expect(errorOf({ code: 'ECONNRESET' }).httpCode).toBeNull();
		const text = errorOf({ status: '401', data: 'Denied' });
		expect(text.errorResponse).toEqual({ errorCode: '', message: 'Denied' });
	});

	it.each<[string, unknown, boolean]>([
		['404', '', true],
		['404', 404, true],
		['404', 'Handler for Request not found: /x', true],
		['404', { message: 'no Route matched with those values' }, true],
		['405', said, true],
		['302', '', false],
	])(
		'distinguishes a missing route from a redirect: status %s with %j',
		(status, data, isMissingRoute) => {
			expect(explain({ status, data })).toMatchObject({
				message: 'This Portal.io endpoint does not exist',
				facts: { isMissingRoute },
			});
		},
	);

	it.each<[Partial<Failure>, object | undefined, isForGood?: boolean]>([
		[{ status: '429', retryAfterMs: 7 }, { cause: 'rate-limited', retryAfterMs: 7 }, false],
		[{ status: '503' }, { cause: 'temporarily-unavailable' }],
		[{ code: 'ECONNRESET' }, { cause: 'temporarily-unavailable' }],
		[{ status: '401', data: said }, { cause: 'credential-invalid' }, true],
		[{ credentialError: filled }, { cause: 'credential-invalid' }, true],
		[{ blockedBy: 'ssrf' }, { cause: 'configuration-invalid' }, true],
		[{ status: '400', data: said }, undefined],
	])('gives n8n the cause of %j', (failure, expected, isForGood = false) => {
		expect(errorOf(failure)).toMatchObject({ failure: expected });
		expect(isSetupError(explain(failure))).toBe(isForGood);
		expect(isTemporaryError(explain(failure))).toBe(expected !== undefined && !isForGood);
	});

	it.each(['Try again', ''])(
		'preserves the message and description of another error: %j',
		(description) => {
			const error = PortalError.from(
				Object.assign(new Error('Is odd'), description && { description }),
			);
			expect(error).toMatchObject({ message: 'Is odd', description });
		},
	);

	it('refers to the responsible n8n setting', () => {
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
		expect(errorOf(toFailure(domains)).message).toContain("'Allowed Domains' in the credential");
		const blocked = { cause: { name: 'SsrfBlockedIpError' } };
		expect(errorOf(toFailure(blocked)).description).toContain('N8N_SSRF_ALLOWED_IP_RANGES');
	});
});
