/** The requests after a refusal. The words for each response: test/unit/words. */
import { beforeEach, expect, it } from 'vitest';
import { execute, restartWorker, restoredService, seed } from './account.mts';
import { skipWaits } from './waits.mts';

skipWaits();
const service = restoredService();
const { count, fail } = service;
// The rate limit of an account must not affect the next test.
beforeEach(restartWorker);
const proposalId = seed.proposals.staleTheater;
const LOGIN = 'authentication.exchangeKey';

/** Reads a proposal for each input, after a login by default; returns each error once. */
const errorsOf = async (inputs: number, more = {}, credential = service.credential()) => {
	const output = await execute({
		credential,
		parameters: { resource: 'proposal', operation: 'get', proposalId, ...more },
		items: Array(inputs).fill({}),
		continueOnFail: true,
	});
	return [...new Set(output.map(({ json: { error } }) => error))];
};

it.each([
	[
		'You are not authorized. Your request signature (hash) is invalid.',
		'Portal.io did not accept the signature of the request',
	],
	[
		{ message: 'Unauthorized' },
		'Unexpected response: status 401 did not come from the Portal.io API',
	],
])('logs in once for ten inputs whose key is rejected with %j', async (words, message) => {
	const credential = service.credential();
	await errorsOf(1, {}, credential);
	service.control.clearRequests();
	fail('proposal.get', { status: 401, body: JSON.stringify(words), times: 99 });
	for (const itemsInParallel of [1, 10]) {
		const inParallel = { requestOptions: { itemsInParallel } };
		expect(await errorsOf(10, inParallel, credential)).toEqual([message]);
	}
	expect(count(LOGIN)).toBe(2);
	expect(count('proposal.get')).toBeLessThanOrEqual(2 * 20);
});

it('replaces a user key whenever it expires after it has worked', async () => {
	const credential = service.credential();
	await errorsOf(1, {}, credential);
	service.control.clearRequests();
	let requests = 0;
	// Each input is refused once, and then succeeds.
	credential.onRequest = () => {
		if (++requests % 2 === 1) service.control.expireUserKeys();
	};
	const inTurn = { requestOptions: { itemsInParallel: 1 } };
	expect(await errorsOf(3, inTurn, credential)).toEqual([undefined]);
	expect(count(LOGIN)).toBe(3);
});

it.each([
	[{ password: 'other' }, 'Portal.io rejected the email or password'],
	[
		{ secretKey: 'bm90LXRoZS1zZWNyZXQ=' },
		"Portal.io rejected the signature of the login: check 'Application Key' and 'Secret Key'.",
	],
])('logs in once for 20 inputs with the wrong %j', async (changes, message) => {
	expect(await errorsOf(20, {}, service.credential('dealer', changes))).toEqual([message]);
	expect(count(LOGIN)).toBe(1);
});

it.each([401, 403])('logs in once for 20 inputs where a proxy sends a page, %i', async (status) => {
	const headers = { 'Content-Type': 'text/html' };
	fail(LOGIN, { status, headers, body: '<html>Denied</html>', times: 99 });
	expect(await errorsOf(20)).toEqual([
		`Something between n8n and Portal.io rejected the login (status ${status})`,
	]);
	expect(count(LOGIN)).toBe(1);
});

it.each(['proposal.get', LOGIN])('sends nothing after a long Retry-After for %s', async (name) => {
	fail(name, { status: 429, headers: { 'Retry-After': '600' }, times: 99 });
	const started = Date.now();
	const inParallel = { requestOptions: { itemsInParallel: 4 } };
	expect(await errorsOf(40, inParallel)).toEqual(['Portal.io rate limit reached']);
	expect(count(name)).toBeLessThanOrEqual(4);
	expect(Date.now() - started).toBeLessThan(600_000);
});
