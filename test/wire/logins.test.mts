/** Tests how many logins and requests n8n sends. test/unit/userApiKeys tests when another login can help. */
import { beforeEach, expect, it } from 'vitest';
import { loadWorker, execute, restartWorker } from '../../dev/testbed/nodeRunner.mts';
import { restoredService, seed, startService } from './account.mts';
import { skipWaits } from './waits.mts';

skipWaits();
const service = restoredService();
const { count, fail } = service;
// Reload the package, because what the process remembers about the account must not affect the next test.
beforeEach(restartWorker);
const proposalId = seed.proposals.staleTheater;
const LOGIN = 'authentication.exchangeKey';

/** Reads a proposal for each input item. Returns the distinct errors. */
async function errorsOf(
	items: number,
	itemsInParallel = 20,
	credential = service.credential(),
): Promise<unknown[]> {
	const output = await execute({
		credential,
		operation: 'proposal.get',
		parameters: { proposalId, requestOptions: { itemsInParallel } },
		items: Array(items).fill({}),
		continueOnFail: true,
	});
	return [...new Set(output.map(({ json: { error } }) => error))];
}

interface Row {
	executions: number;
	/** Number of input items in each execution. */
	items: number;
	parallel: number;
	/** Key that n8n has stored. */
	key: 'valid' | 'expired' | 'none';
	/** Response to each request with a key. */
	response: 'success' | 'rejected signature' | 'rejected by a proxy';
	password?: string;
	logins: number;
	requests: number;
	error: RegExp | undefined;
}

const one = { executions: 1, items: 20, parallel: 20 };
const rejected = { key: 'valid', response: 'rejected signature', error: /signature/ } as const;

it.each<Row>([
	// The login returns the rejected key, so each request that was sent with this key is retried once.
	{ ...one, ...rejected, parallel: 1, logins: 1, requests: 20 + 1 },
	{ ...one, ...rejected, parallel: 10, logins: 1, requests: 20 + 10 },
	{ executions: 3, items: 1, parallel: 1, ...rejected, logins: 1, requests: 3 + 3 },
	// n8n has just logged in for these requests, so another login would not help.
	{ ...one, key: 'none', response: 'rejected by a proxy', logins: 1, requests: 20, error: /401/ },
	{
		...one,
		key: 'none',
		response: 'success',
		password: 'another',
		logins: 1,
		requests: 0,
		error: /password/,
	},
	{ ...one, key: 'none', response: 'success', logins: 1, requests: 20, error: undefined },
	{ ...one, key: 'expired', response: 'success', logins: 1, requests: 40, error: undefined },
	{
		executions: 10,
		items: 10,
		parallel: 1,
		key: 'expired',
		response: 'success',
		logins: 1,
		requests: 10 * 10 + 10,
		error: undefined,
	},
])(
	'sends $logins login and $requests requests: $executions executions, $items items, $parallel parallel, key $key, $response, password $password',
	async ({ executions, items, parallel, key, response, password, logins, requests, error }) => {
		const credential = service.credential('dealer', password === undefined ? {} : { password });
		if (key !== 'none') await errorsOf(1, 1, credential);
		if (key === 'expired') service.control.expireUserKeys();
		service.control.clearRequests();
		if (response !== 'success') {
			const message = 'Your request signature (hash) is invalid.';
			const body =
				response === 'rejected signature'
					? { responseStatus: { message } }
					: { message: 'Unauthorized' };
			fail('proposal.get', { status: 401, body, times: 99 });
		}
		const running = Array.from({ length: executions }, async () => {
			return await errorsOf(items, parallel, credential);
		});
		for (const errors of await Promise.all(running)) {
			expect(errors).toEqual([error && expect.stringMatching(error)]);
		}
		expect([count(LOGIN), count('proposal.get')]).toEqual([logins, requests]);
	},
);

it.each([
	['proposal.get', 4],
	[LOGIN, 1],
])('sends no further request after a long Retry-After: %s, %i sent', async (name, sent) => {
	fail(name, { status: 429, headers: { 'Retry-After': '600' }, times: 99 });
	expect(await errorsOf(40, 4)).toEqual([expect.stringContaining('rate limit')]);
	expect(count(name)).toBe(sent);
});

it("completes the requests of three workers that replace each other's keys, with at most two logins each", async () => {
	const workers = [undefined, loadWorker(), loadWorker()];
	const { simulator, control, credential } = await startService({ userKeys: 'new' });
	const shared = credential();
	shared.onExchange = (key) => void control.expireUserKeys(key);
	const users = { credential: shared, operation: 'user.getMany' };
	const { length: userCount } = await execute(users);
	control.expireUserKeys();
	control.clearRequests();
	const runs = workers.map((worker) => execute({ ...users, worker, items: Array(30).fill({}) }));
	for (const output of await Promise.all(runs)) expect(output).toHaveLength(30 * userCount);
	expect(control.loginCount()).toBeLessThanOrEqual(workers.length * 2);
	await simulator.stop();
});
