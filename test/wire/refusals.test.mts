/**
 * The requests after a refusal, and the user's message. The words for each response:
 * test/unit/words.
 */
import { beforeEach, expect, it } from 'vitest';
import type { Fault } from '../../dev/simulator/index.mts';
import { execute, restartWorker } from '../../dev/testbed/nodeRunner.mts';
import { restoredService, seed } from './account.mts';
import { skipWaits } from './waits.mts';

skipWaits();
const service = restoredService();
// The rate limit of an account must not affect the next test.
beforeEach(restartWorker);
const proposalId = seed.proposals.staleTheater;
const LOGIN = 'authentication.exchangeKey';

const fail = (operationId: string, fault: Fault) =>
	service.control.failNext({ operationId, times: 99, ...fault });
const asked = (id: string) =>
	service.control.requests.filter(({ operationId }) => operationId === id).length;
/**
 * Reads a proposal for each input, without a key that is stored already unless the credential has
 * one.
 */
const read = async (count: number, more = {}, credential = service.credential()) =>
	await execute({
		credential,
		parameters: { resource: 'proposal', operation: 'get', proposalId, ...more },
		items: Array(count).fill({}),
		continueOnFail: true,
	});
const errorsOf = (output: Awaited<ReturnType<typeof read>>) => [
	...new Set(output.map(({ json: { error } }) => error)),
];

const signature = '"You are not authorized. Your request signature (hash) is invalid."';
const json = { 'Content-Type': 'application/json' };
it.each<[string, Fault, string]>([
	[
		'a wrong signature',
		{ status: 401, headers: json, body: signature },
		'Portal.io did not accept the signature of the request',
	],
	[
		'a gateway',
		{ status: 401, body: { message: 'Unauthorized' } },
		'Unexpected response: status 401 did not come from the Portal.io API',
	],
])(
	'logs in once for ten inputs whose key is refused, whatever the reason: %s',
	async (_why, fault, message) => {
		const credential = service.credential();
		await read(1, {}, credential);
		service.control.clearRequests();
		fail('proposal.get', fault);
		for (const itemsInParallel of [1, 10]) {
			const output = await read(10, { requestOptions: { itemsInParallel } }, credential);
			expect(errorsOf(output)).toEqual([message]);
		}
		// One for each execution.
		expect(asked(LOGIN)).toBe(2);
		expect(asked('proposal.get')).toBeLessThanOrEqual(2 * 20);
	},
);

it('replaces a user key whenever it expires after it has worked', async () => {
	const credential = service.credential();
	await read(1, {}, credential);
	service.control.clearRequests();
	let requests = 0;
	// Each input is refused once, and then succeeds.
	credential.onRequest = () => {
		if (++requests % 2 === 1) service.control.expireUserKeys();
	};
	const output = await read(3, { requestOptions: { itemsInParallel: 1 } }, credential);
	expect(errorsOf(output)).toEqual([undefined]);
	expect(asked(LOGIN)).toBe(3);
});

it('fails where a success holds an error', async () => {
	const subscriptionId = service.control.addSubscription({
		url: 'http://127.0.0.1:9',
		events: 'proposal.status_changed',
	});
	const body = { responseStatus: { errorCode: 'Locked', message: 'It is locked' } };
	fail('webhookSubscription.delete', { status: 200, body });
	await expect(service.run('webhookSubscription.delete', { subscriptionId })).rejects.toMatchObject(
		{
			message: 'Portal.io reported an error in a successful response',
			description: expect.stringMatching(/^It is locked \(Locked\)\nPortal.io may have processed/),
		},
	);
});

const denied = {
	status: 403,
	headers: { 'Content-Type': 'text/html' },
	body: '<html>Denied</html>',
};
it.each<[string, Partial<Record<'password' | 'secretKey', string>>, Fault | undefined, string]>([
	[
		'a wrong password',
		{ password: 'other' },
		undefined,
		'Portal.io rejected the email or password',
	],
	[
		'a wrong secret',
		{ secretKey: 'bm90LXRoZS1zZWNyZXQ=' },
		undefined,
		"Portal.io rejected the signature of the login: check 'Application Key' and 'Secret Key'.",
	],
	['a proxy', {}, denied, 'Something between n8n and Portal.io rejected the login (status 403)'],
])('logs in once for 20 inputs and names the reason: %s', async (_why, changes, fault, message) => {
	if (fault) fail(LOGIN, fault);
	const output = await read(20, {}, service.credential('dealer', changes));
	expect(errorsOf(output)).toEqual([message]);
	expect(asked(LOGIN)).toBe(1);
});

it.each(['proposal.get', LOGIN])(
	'sends nothing more after a Retry-After of ten minutes, and says until when: %s',
	async (operationId) => {
		fail(operationId, { status: 429, headers: { 'Retry-After': '600' } });
		const before = Date.now();
		const output = await read(40, { requestOptions: { itemsInParallel: 4 } });
		expect(errorsOf(output)).toEqual(['Portal.io rate limit reached']);
		for (const index of [0, 39]) {
			const [, until] = /asks to wait until (.+) UTC/.exec(String(output[index]!.json.message))!;
			const time = Date.parse(`${until}Z`);
			// To the minute.
			expect(time).toBeGreaterThan(before + 600_000 - 60_000);
			expect(time).toBeLessThanOrEqual(Date.now() + 600_000);
		}
		expect(asked(operationId)).toBeLessThanOrEqual(4);
	},
);
