/** Many inputs, long lists, a service that throttles and fails, keys that expire. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runner, seed, startService } from './account.mts';
import { anotherWorker, execute, type StoredCredential } from '../../testbed/nodeRunner.mts';

let service: Awaited<ReturnType<typeof startService>>;
let credential: StoredCredential;
beforeAll(async () => {
	service = await startService();
	credential = service.credential();
});
afterAll(async () => {
	expect(service.control.contractViolations).toEqual([]);
	await service.simulator.stop();
});
beforeEach(async () => {
	// A test may leave a key that has expired.
	await run('user.getMany');
	service.control.clearRequests();
});
afterEach(() => service.control.clearFaults());

const run = runner(() => credential);
const { staleTheatre, staleOffice } = seed.proposals;
const asked = (operationId: string) =>
	service.control.requests.filter((one) => one.operationId === operationId);
const untilAsked = async (operationId: string, times: number) =>
	await expect.poll(() => asked(operationId).length, { interval: 5, timeout: 20_000 }).toBe(times);
const read = (count: number, requestOptions: object, more: object = {}) =>
	execute({
		credential,
		parameters: {
			resource: 'proposal',
			operation: 'get',
			proposalId: '={{ $json.id }}',
			requestOptions: requestOptions as never,
		},
		items: Array.from({ length: count }, (_, index) => ({
			id: index % 2 ? staleTheatre : staleOffice,
		})),
		...more,
	});

describe('many inputs', () => {
	it.each([1, 3, 10])('run %i at a time, with results in their order', async (itemsInParallel) => {
		service.control.failNext({
			operationId: 'proposal.get',
			status: 504,
			delayMs: 200,
			times: itemsInParallel,
		});
		const output = read(20, { itemsInParallel, requestAttempts: 5 });
		await untilAsked('proposal.get', itemsInParallel);
		// All that may be under way is; nothing else starts before one of them has ended.
		await sleep(50);
		expect(asked('proposal.get')).toHaveLength(itemsInParallel);
		const records = await output;
		expect(records.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
			Array.from({ length: 20 }, (_, item) => [item % 2 ? staleTheatre : staleOffice, { item }]),
		);
	});

	it('write to one proposal one after the other, in their order', async () => {
		const proposals = [staleTheatre, staleOffice, seed.proposals.empty];
		await execute({
			credential,
			parameters: {
				resource: 'proposal',
				operation: 'update',
				proposalId: '={{ $json.id }}',
				updateFields: { internalNotes: '={{ $itemIndex }}' },
			},
			items: Array.from({ length: 60 }, (_, index) => ({ id: proposals[index % 3]! })),
		});
		for (const [index, id] of proposals.entries()) {
			const notes = asked('proposal.updateInternalNotes')
				.filter(({ path }) => path.includes(String(id)))
				.map(({ bodyText }) => Number(new URLSearchParams(bodyText).get('InternalNotes')));
			expect(notes).toEqual(Array.from({ length: 20 }, (_, round) => round * 3 + index));
		}
	});

	it('write to one proposal in their order, however its ID is written', async () => {
		const written = [
			staleOffice,
			` ${staleOffice} `,
			`0${staleOffice}`,
			`https://app.portal.io/proposals/${staleOffice}`,
		];
		// The first change takes so long that the others, if they did not wait, would come before it.
		service.control.failNext({
			operationId: 'proposal.updateInternalNotes',
			status: 503,
			delayMs: 200,
		});
		await execute({
			credential,
			parameters: {
				resource: 'proposal',
				operation: 'update',
				proposalId: '={{ $json.id }}',
				updateFields: { internalNotes: '={{ $itemIndex }}' },
			},
			items: written.map((id) => ({ id })),
		});
		const notes = asked('proposal.updateInternalNotes')
			.filter(({ status }) => status === 200)
			.map(({ bodyText }) => new URLSearchParams(bodyText).get('InternalNotes'));
		expect(notes).toEqual(['0', '1', '2', '3']);
	});

	it('begin nothing new once the execution is stopped', async () => {
		const stopping = new AbortController();
		// Of its own: the delayed responses must not count in another test.
		const { simulator, control, credential: credentialOf } = await startService();
		const requests = () =>
			control.requests.filter(({ operationId }) => operationId === 'proposal.get');
		control.failNext({ operationId: 'proposal.get', delayMs: 5000, times: 3, status: 504 });
		const output = read(
			50,
			{ itemsInParallel: 3 },
			{ credential: credentialOf(), signal: stopping.signal, continueOnFail: true },
		);
		const outcome = expect(output).rejects.toThrow();
		await expect.poll(() => requests().length, { interval: 5, timeout: 20_000 }).toBe(3);
		stopping.abort();
		await outcome;
		await sleep(50);
		expect(requests()).toHaveLength(3);
		await simulator.stop();
	});

	it('begin nothing new once one has failed, and report the first failure', async () => {
		// Of its own: what is under way then must not count in another test.
		const { simulator, control, credential: credentialOf } = await startService();
		const outcome = execute({
			credential: credentialOf(),
			parameters: { resource: 'proposal', operation: 'get', proposalId: '={{ $json.id }}' },
			items: [
				{ id: staleTheatre },
				{ id: 99999998 },
				{ id: 99999999 },
				...Array(50).fill({ id: 1 }),
			],
		});
		await expect(outcome).rejects.toMatchObject({ context: { itemIndex: 1 } });
		expect(control.requests.length).toBeLessThan(25);
		await simulator.stop();
	});

	it('make no change that waits behind one that has failed', async () => {
		service.control.failNext({ operationId: 'proposal.update', status: 400, delayMs: 100 });
		const outcome = execute({
			credential,
			parameters: {
				resource: 'proposal',
				operation: 'update',
				proposalId: staleTheatre,
				updateFields: { name: '={{ $json.name }}' },
			},
			items: [{ name: 'First' }, { name: 'Second' }, { name: 'Third' }],
		});
		await expect(outcome).rejects.toMatchObject({ context: { itemIndex: 0 } });
		await sleep(200);
		expect(asked('proposal.update')).toHaveLength(1);
	});
});

describe('what passes by itself', () => {
	it.each([
		['429', { status: 429 }],
		['503', { status: 503 }],
		['502', { status: 502 }],
		['504', { status: 504 }],
		['a broken connection', { disconnect: true }],
		['an answer that is lost', { disconnect: true, when: 'after' }],
	] as const)('%s: a read is tried again', async (_case, fault) => {
		service.control.failNext({ operationId: 'proposal.get', times: 2, ...fault });
		expect(await run('proposal.get', { proposalId: staleTheatre })).toHaveLength(1);
		expect(asked('proposal.get')).toHaveLength(3);
	});

	it('waits as long as the service asks for', async () => {
		const headers = { 'Retry-After': '1' };
		service.control.failNext({ operationId: 'proposal.get', status: 429, headers });
		await run('proposal.get', { proposalId: staleTheatre });
		const [first, second] = asked('proposal.get');
		expect(second!.time - first!.time).toBeGreaterThanOrEqual(1000);
	});

	it('slows down the other requests too', async () => {
		const headers = { 'Retry-After': '1' };
		service.control.failNext({ operationId: 'proposal.get', status: 429, headers });
		await read(6, { itemsInParallel: 1 });
		const [first, ...others] = asked('proposal.get');
		expect(others).toHaveLength(6);
		for (const { time } of others) expect(time - first!.time).toBeGreaterThanOrEqual(1000);
	});

	it('does not slow down the requests of another account', async () => {
		const theirs = service.credential('otherDealer');
		const listOf = async (one: StoredCredential) =>
			await execute({
				credential: one,
				parameters: { resource: 'proposal', operation: 'getMany', limit: 1 },
			});
		await listOf(theirs);
		const headers = { 'Retry-After': '2' };
		service.control.failNext({ operationId: 'proposal.get', status: 429, headers });
		const ended: string[] = [];
		const mine = read(1, {}).then(() => ended.push('throttled account'));
		await untilAsked('proposal.get', 1);
		await listOf(theirs).then(() => ended.push('other account'));
		await mine;
		expect(ended).toEqual(['other account', 'throttled account']);
	});

	it('says how often it was tried, and no more often than the user allows', async () => {
		service.control.failNext({ operationId: 'proposal.get', status: 503, times: 9 });
		const outcome = run('proposal.get', {
			proposalId: staleTheatre,
			requestOptions: { requestAttempts: 3 },
		});
		await expect(outcome).rejects.toMatchObject({
			httpCode: '503',
			description: expect.stringContaining('Tried 3 times.'),
		});
		expect(asked('proposal.get')).toHaveLength(3);
	});

	it('a write that sets a value is tried again', async () => {
		service.control.failNext({ operationId: 'proposal.update', disconnect: true, when: 'after' });
		const updateFields = { name: 'Set twice' };
		await run('proposal.update', { proposalId: staleOffice, updateFields });
		expect(asked('proposal.update')).toHaveLength(2);
	});

	it.each([
		['503', { status: 503 }],
		['a broken connection', { disconnect: true }],
		['an answer that is lost', { disconnect: true, when: 'after' }],
	] as const)('%s: what creates something is sent once', async (_case, fault) => {
		service.control.failNext({ operationId: 'proposal.create', ...fault });
		const before = service.control.proposals().length;
		await expect(
			run('proposal.create', { salesPersonId: seed.users.salesPriya }),
		).rejects.toThrow();
		expect(asked('proposal.create')).toHaveLength(1);
		const isDone = 'when' in fault;
		expect(service.control.proposals().length - before).toBe(isDone ? 1 : 0);
	});

	it('429: what creates something is sent again, as it was certainly not taken', async () => {
		service.control.failNext({ operationId: 'proposal.create', status: 429 });
		const before = service.control.proposals().length;
		await run('proposal.create', { salesPersonId: seed.users.salesPriya });
		expect(asked('proposal.create').map(({ status }) => status)).toEqual([429, 200]);
		expect(service.control.proposals().length - before).toBe(1);
	});
});

describe('the user key', () => {
	it('is exchanged once when a hundred inputs find it expired', async () => {
		service.control.expireUserKeys();
		expect(await read(100, { itemsInParallel: 50 })).toHaveLength(100);
		expect(service.control.exchangeCount()).toBe(1);
	});

	it('is exchanged once when many executions find it expired', async () => {
		service.control.expireUserKeys();
		await Promise.all(Array.from({ length: 20 }, () => read(3, {})));
		expect(service.control.exchangeCount()).toBe(1);
	});

	it('is asked for once with a wrong password, for a hundred inputs', async () => {
		const wrong = service.credential('dealer', { password: 'not the one' });
		const output = await read(100, {}, { credential: wrong, continueOnFail: true });
		expect(new Set(output.map(({ json }) => json.error))).toEqual(
			new Set(['Portal.io refused the email or password']),
		);
		expect(service.control.exchangeCount()).toBe(1);
	});

	it('is renewed once for inputs that all started without one and had it refused', async () => {
		const { simulator, control, credential: credentialOf } = await startService();
		const theirs = credentialOf();
		theirs.onExchange = () => {
			if (control.exchangeCount() === 1) control.expireUserKeys();
		};
		const output = await read(20, { itemsInParallel: 10 }, { credential: theirs });
		expect(output).toHaveLength(20);
		expect(control.exchangeCount()).toBe(2);
		await simulator.stop();
	});

	it('settles between workers of whose exchanges each ends the key of the other', async () => {
		const shared = service.credential();
		shared.onExchange = (key) => {
			service.control.expireUserKeys(key);
		};
		const workers = [undefined, anotherWorker(), anotherWorker()];
		await read(1, {}, { credential: shared });
		service.control.expireUserKeys();
		service.control.clearRequests();
		const outputs = await Promise.all(
			workers.map((worker) => read(30, { itemsInParallel: 5 }, { credential: shared, worker })),
		);
		expect(outputs.map(({ length }) => length)).toEqual([30, 30, 30]);
		expect(service.control.exchangeCount()).toBeLessThanOrEqual(workers.length * 2);
	});

	it('is refused for a clock that is off, and the error says by how much', async () => {
		// Of another account in another worker: a refusal is remembered for a moment.
		const credential = service.credential('otherDealer');
		service.control.setClockOffset(45 * 60);
		const outcome = read(1, {}, { credential, worker: anotherWorker() });
		await expect(outcome).rejects.toThrow(
			'Portal.io refused the login. The clock of this machine is about 45 minutes behind that of Portal.io',
		);
		service.control.setClockOffset(0);
	});
});

describe('a long list', () => {
	// A service for each test: they change the list, and the page size that a service gives is learned.
	let service: Awaited<ReturnType<typeof startService>>;
	let credential: StoredCredential;
	const run = runner(() => credential);
	const add = (count: number, number: number) =>
		service.control.addProposals(count, {
			like: seed.proposals.empty,
			name: 'Long list',
			number,
		});
	const stored = () => service.control.proposals().filter(({ name }) => name === 'Long list');
	const filters = { searchText: 'Long list' };
	const readAll = () => run('proposal.getMany', { returnAll: true, filters });
	const reads = () =>
		service.control.requests.filter((one) => one.operationId === 'proposal.getMany');
	const sizes = () =>
		reads().map(({ query, status }) => [
			Number(new URLSearchParams(query).get('PageSize')),
			status,
		]);
	beforeEach(async () => {
		service = await startService();
		credential = service.credential();
		add(730, 50_000);
		await run('user.getMany');
	});
	afterEach(async () => {
		expect(service.control.contractViolations).toEqual([]);
		await service.simulator.stop();
	});

	it('comes in pages as large as the service gives, which is learned once', async () => {
		expect(await readAll()).toHaveLength(730);
		expect(sizes()).toEqual([[500, 400], ...Array(8).fill([100, 200])]);
		service.control.clearRequests();
		expect(await readAll()).toHaveLength(730);
		expect(sizes()).toEqual(Array(8).fill([100, 200]));
	});

	it('is read no further than the limit', async () => {
		await readAll();
		service.control.clearRequests();
		expect(await run('proposal.getMany', { limit: 250, filters })).toHaveLength(250);
		expect(reads()).toHaveLength(3);
	});

	it.each([
		[
			'goes',
			() => {
				const { id } = stored().find(({ number }) => number === 50_001)!;
				service.control.updateProposal(Number(id), { isArchived: true });
			},
		],
		['comes', () => add(1, 49_000)],
	])('has each record once although one %s while it is read', async (_what, change) => {
		let requests = 0;
		credential.onRequest = () => {
			requests++;
			if (requests === 3) change();
		};
		const numbers = (await readAll()).map(({ number }) => Number(number));
		credential.onRequest = () => {};
		expect(new Set(numbers).size).toBe(numbers.length);
		const there = stored()
			.filter((one) => !one.is_archived)
			.map(({ number }) => Number(number));
		for (const number of there) expect(numbers).toContain(number);
	});

	it('ends also when the service gives no count, or smaller pages than asked for', async () => {
		const page = (proposals: object[], more: object = {}) =>
			service.control.failNext({
				operationId: 'proposal.getMany',
				status: 200,
				body: { proposals, ...more },
			});
		page([{ id: 1 }, { id: 2 }]);
		page([{ id: 3 }, { id: 4 }]);
		page([{ id: 4 }]);
		expect((await readAll()).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
		page([{ id: 1 }, { id: 2 }], { proposalCount: 3 });
		page([{ id: 3 }], { proposalCount: 3 });
		expect((await readAll()).map(({ id }) => id)).toEqual([1, 2, 3]);
	});

	it.each([4e15, -1, 'many', null, {}])('ends also when it counts %j', async (proposalCount) => {
		const page = (proposals: object[]) =>
			service.control.failNext({
				operationId: 'proposal.getMany',
				status: 200,
				body: { proposals, proposalCount },
			});
		page([{ id: 1 }, { id: 2 }]);
		page([{ id: 3 }]);
		page([]);
		expect((await readAll()).map(({ id }) => id)).toEqual([1, 2, 3]);
	});
});
