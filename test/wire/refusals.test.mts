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
		...{ credential, operation: 'proposal.get', parameters: { proposalId, ...more } },
		items: Array(inputs).fill({}),
		continueOnFail: true,
	});
	return [...new Set(output.map(({ json: { error } }) => error))];
};

it('logs in once for ten inputs whose key is rejected', async () => {
	const credential = service.credential();
	await errorsOf(1, {}, credential);
	service.control.clearRequests();
	fail('proposal.get', { status: 401, body: { message: 'Unauthorized' }, times: 99 });
	for (const itemsInParallel of [1, 10]) {
		const inParallel = { requestOptions: { itemsInParallel } };
		expect(await errorsOf(10, inParallel, credential)).toEqual([
			'Unexpected response: status 401 did not come from the Portal.io API',
		]);
	}
	expect(count(LOGIN)).toBe(2);
	expect(count('proposal.get')).toBeLessThanOrEqual(2 * 20);
});

it('logs in once for 20 inputs with a wrong password', async () => {
	const credential = service.credential('dealer', { password: 'other' });
	expect(await errorsOf(20, {}, credential)).toEqual(['Portal.io rejected the email or password']);
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
