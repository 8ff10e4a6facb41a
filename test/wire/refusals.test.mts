/** What a refusal costs and says, when it is not the error object that the documentation describes. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../dev/simulator/index.mts';
import { execute, restartWorker } from '../../dev/testbed/nodeRunner.mts';
import { restoredService, seed } from './account.mts';
import { skipWaits } from './waits.mts';

skipWaits();
const service = restoredService();
beforeEach(() => {
	service.control.clearFaults();
	// What an account has learned of a rate limit is no business of the next test.
	restartWorker();
});
const proposalId = seed.proposals.staleTheater;
const LOGIN = 'authentication.exchangeKey';
const json = { 'Content-Type': 'application/json' };
const text = { 'Content-Type': 'text/plain' };
const html = { status: 403, headers: { 'Content-Type': 'text/html' }, body: '<html>Denied</html>' };

const fail = (operationId: string, fault: Fault) =>
	service.control.failNext({ operationId, times: 99, ...fault });
const asked = (id: string) =>
	service.control.requests.filter(({ operationId }) => operationId === id).length;
const update = { proposalId, updateFields: { name: 'New' } };
/** Reads a proposal for each input, without a key that is stored already unless the credential has one. */
const read = async (count: number, more = {}, credential = service.credential()) => {
	return await execute({
		credential,
		parameters: { resource: 'proposal', operation: 'get', proposalId, ...more },
		items: Array(count).fill({}),
		continueOnFail: true,
	});
};
const errorsOf = (output: Awaited<ReturnType<typeof read>>) => [
	...new Set(output.map(({ json: { error } }) => error)),
];

describe('a refused key', () => {
	const signature = '"You are not authorized. Your request signature (hash) is invalid."';
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
	])('costs ten inputs one login, whatever is the reason: %s', async (_why, fault, message) => {
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
	});

	it('is replaced whenever it expires after it has worked', async () => {
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
});

it.each([
	[400, { responseStatus: { message: 'It is odd' } }, 'did not accept the values of this request'],
	[403, { responseStatus: { message: 'It is odd' } }, 'user does not have permission to do this'],
	[403, { message: 'Forbidden' }, 'Unexpected response: status 403 did not come from the Portal'],
	[404, { responseStatus: { message: 'It is odd' } }, 'No record found with this ID'],
	[404, { message: 'Not Found' }, 'This Portal.io endpoint does not exist'],
	[409, 'It is locked', 'Unexpected response: status 409 did not come from the Portal.io API'],
])('takes a body for the word of the API by its shape: %i, %j', async (status, body, message) => {
	fail('proposal.update', { status, headers: typeof body === 'string' ? text : json, body });
	const [words] = Object.values(body).slice(-1);
	await expect(service.run('proposal.update', update)).rejects.toMatchObject({
		message: expect.stringContaining(message),
		description: expect.stringContaining(typeof words === 'string' ? words : 'It is odd'),
	});
});

it('takes a success whose body is an error as none', async () => {
	const subscriptionId = service.control.addSubscription({
		url: 'http://127.0.0.1:9',
		events: 'proposal.status_changed',
	});
	const body = { responseStatus: { errorCode: 'Locked', message: 'It is locked' } };
	fail('webhookSubscription.delete', { status: 200, body });
	await expect(service.run('webhookSubscription.delete', { subscriptionId })).rejects.toMatchObject(
		{
			message: 'Portal.io reported a failure in a successful response',
			description: expect.stringMatching(/^It is locked \(Locked\)\nPortal.io may have processed/),
		},
	);
});

describe('a login', () => {
	it.each<[string, Fault, RegExp]>([
		[
			'of a wrong signature',
			{ status: 401, body: { responseStatus: { message: 'Invalid signature' } } },
			/refused the signature of the login/,
		],
		[
			'without a verified email',
			{ status: 401, headers: json, body: '"Email is not verified"' },
			/is not verified yet/,
		],
		[
			'that a proxy refuses',
			html,
			/^Something between n8n and Portal\.io rejected the login \(status 403\)$/,
		],
		[
			'that a proxy wants another one for',
			{ status: 407, body: '' },
			/^A proxy .* requires a login$/,
		],
	])(
		'asks for a login once that fails with %s, and names the reason',
		async (_what, fault, message) => {
			fail(LOGIN, fault);
			expect(errorsOf(await read(20))).toEqual([expect.stringMatching(message)]);
			expect(asked(LOGIN)).toBe(1);
		},
	);

	it.each<Fault>([{ status: 503 }, { status: 522, body: '' }, { disconnect: true }])(
		'retries a login that fails with %j, as the read that needs it',
		async (fault) => {
			fail(LOGIN, { ...fault, times: 2 });
			expect(errorsOf(await read(1))).toEqual([undefined]);
			expect(asked(LOGIN)).toBe(3);
		},
	);
});

it.each([
	['proposal.get', 'Portal.io rate limit reached'],
	[LOGIN, 'Portal.io rate limit reached'],
])(
	'names a Retry-After beyond two minutes of %s, and rests the account as long',
	async (operationId, message) => {
		fail(operationId, { status: 429, headers: { 'Retry-After': '600' } });
		const before = Date.now();
		const output = await read(40, { requestOptions: { itemsInParallel: 4 } });
		expect(output[0]!.json.error).toBe(message);
		for (const index of [0, 39]) {
			const [, until] = /asks to wait until (.+) UTC/.exec(String(output[index]!.json.message))!;
			const time = Date.parse(`${until}Z`);
			// It is told to the minute.
			expect(time).toBeGreaterThan(before + 600_000 - 60_000);
			expect(time).toBeLessThanOrEqual(Date.now() + 600_000);
		}
		expect(asked(operationId)).toBeLessThanOrEqual(4);
	},
);

it('ends reading a list with a count that nothing bears out', async () => {
	const body = { proposals: [{ id: 1 }], proposalCount: 9_999_999 };
	fail('proposal.getMany', { status: 200, body });
	expect(await service.run('proposal.getMany', { returnAll: true })).toHaveLength(1);
	expect(asked('proposal.getMany')).toBeLessThanOrEqual(12);
});
