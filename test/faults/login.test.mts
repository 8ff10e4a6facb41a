/** Makes the login fail in every way. No error or log is allowed to show the password, which is in the URL's query. */
import { beforeAll, expect, it } from 'vitest';
import { findSecrets, collectSecrets } from '../../dev/testbed/secrets.mts';
import type { Fault } from '../../dev/simulator/index.mts';
import { fileService, runner, seed, startService } from '../wire/account.mts';
import { skipWaits } from '../wire/waits.mts';
import { logLines, watchLog } from './log.mts';
import { observeError } from './observedOperations.mts';

/** Host that no request is allowed to reach, even after a redirect to it. */
const otherService = fileService();
beforeAll(watchLog);
skipWaits();

const html = { 'Content-Type': 'text/html' };
const unreachable = /^127\.0\.0\.1:\d+ cannot be reached$/;
const otherHost = /^127\.0\.0\.1:\d+ is not the Portal\.io API$/;
const noKey = /^127\.0\.0\.1:\d+ responded to the login, but not with a user API key$/;

const faults: [name: string, fault: () => Fault, message: RegExp][] = [
	['connection dropped before the request is read', () => ({ disconnect: true }), unreachable],
	[
		'connection dropped after the request is read',
		() => ({ disconnect: true, when: 'after' }),
		unreachable,
	],
	[
		'connection dropped in the middle of the response',
		() => ({ brokenResponse: 'cut' }),
		unreachable,
	],
	['response longer than announced', () => ({ brokenResponse: 'short' }), noKey],
	['response of broken JSON', () => ({ brokenResponse: 'broken' }), noKey],
	['empty response', () => ({ brokenResponse: 'empty' }), noKey],
	['response of 200 MB', () => ({ brokenResponse: 'huge' }), noKey],
	['web page', () => ({ status: 200, headers: html, body: '<html></html>' }), noKey],
	[
		'redirect',
		() => ({ status: 307, headers: { Location: otherService.simulator.url } }),
		otherHost,
	],
	['401', () => ({ status: 401 }), /^Portal\.io rejected the login: Injected by a test\. \(Unauth/],
	['404', () => ({ status: 404 }), otherHost],
	['429', () => ({ status: 429 }), /^Portal\.io rate limit reached$/],
	['500', () => ({ status: 500 }), /^Portal\.io could not process the login \(status 500\)$/],
	['522', () => ({ status: 522 }), /^Portal\.io could not process the login \(status 522\)$/],
];

it.each(faults)(
	'reports why a login failed, without the password: %s',
	async (name, fault, message) => {
		// Start a service for each fault, because a rejected login isn't repeated at the same service for ten
		// seconds.
		const { simulator, control, credential } = await startService();
		control.failNext({ operationId: 'authentication.exchangeKey', times: 9, ...fault() });
		const { sees, traces } = await runner(() => credential())('user.getMany').then(
			() => expect.unreachable('there is no key'),
			observeError,
		);
		expect(sees).toMatch(message);
		// Expect four attempts if the failure is transient, as many as for the read that needs the login.
		const isTransient = message === unreachable || /429|522/.test(name);
		expect(control.requests).toHaveLength(isTransient ? 4 : 1);
		expect(control.loginCount()).toBe(control.requests.length);
		expect(control.requests[0]!.query).toContain(encodeURIComponent(seed.dealer.password));
		const secrets = collectSecrets({ control });
		expect(findSecrets(`${traces} ${logLines().join(' ')}`, secrets)).toEqual([]);
		expect(traces).not.toContain('apikeyexchange');
		expect(otherService.control.requests).toEqual([]);
		await simulator.stop();
	},
);
