/** The requests after a refusal. The words for each response: test/unit/words. */
import { beforeEach, expect, it } from 'vitest';
import { execute, restartWorker } from '../../dev/testbed/nodeRunner.mts';
import { restoredService, seed } from './account.mts';
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
		operation: 'proposal.get',
		parameters: {
			proposalId,
			...more,
		},
		items: Array(inputs).fill({}),
		continueOnFail: true,
	});
	return [...new Set(output.map(({ json: { error } }) => error))];
};

it.each([
	// The first input sends its request again after the login; those in parallel share that login.
	{ itemsInParallel: 1, requests: 20 + 1 },
	{ itemsInParallel: 10, requests: 20 + 10 },
])('logs in once for 20 inputs whose key the login returns again: %j', async (expected) => {
	const { itemsInParallel, requests } = expected;
	const credential = service.credential();
	await errorsOf(1, {}, credential);
	service.control.clearRequests();
	const body = { responseStatus: { message: 'Your request signature (hash) is invalid.' } };
	fail('proposal.get', { status: 401, body, times: requests });
	const inParallel = { requestOptions: { itemsInParallel } };
	expect(await errorsOf(20, inParallel, credential)).toEqual([
		'Portal.io accepted the login, but rejected the signature of the request',
	]);
	expect([count(LOGIN), count('proposal.get')]).toEqual([1, requests]);
});

it('logs in once for ten inputs of a credential without a key whose requests are rejected', async () => {
	fail('proposal.get', { status: 401, body: { message: 'Unauthorized' }, times: 99 });
	expect(await errorsOf(10)).toEqual([
		'Unexpected response: status 401 did not come from the Portal.io API',
	]);
	expect([count(LOGIN), count('proposal.get')]).toEqual([1, 10]);
});

it('logs in once for 20 inputs with a wrong password', async () => {
	const credential = service.credential('dealer', { password: 'other' });
	expect(await errorsOf(20, {}, credential)).toEqual(['Portal.io rejected the email or password']);
	expect(count(LOGIN)).toBe(1);
});

it.each([
	['proposal.get', 4],
	[LOGIN, 1],
])('sends nothing after a long Retry-After for %s, of which it sent %i', async (name, sent) => {
	fail(name, { status: 429, headers: { 'Retry-After': '600' }, times: 99 });
	const inParallel = { requestOptions: { itemsInParallel: 4 } };
	expect(await errorsOf(40, inParallel)).toEqual(['Portal.io rate limit reached']);
	expect(count(name)).toBe(sent);
});
