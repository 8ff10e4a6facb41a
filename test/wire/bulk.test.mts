/** Tests many input items with a service that throttles and fails. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Run } from '../../dev/testbed/nodeRunner.mts';
import { by, fileService, seed } from './account.mts';
import { calls, preparedService } from './calls.mts';
import { skipWaits } from './waits.mts';

skipWaits();
const service = fileService();
const { count, fail, requestsOf } = service;
beforeEach(async () => {
	// Log in, because a test can leave an expired key.
	await service.run('user.getMany');
	service.control.clearRequests();
});
afterEach(() => service.control.clearFaults());

const { staleTheater, staleOffice, empty } = seed.proposals;
const execution = (
	operation: string,
	ids: unknown[],
	parameters: object,
	more: Partial<Run> = {},
): Run => ({
	credential: service.account,
	operation,
	parameters: { proposalId: '={{ $json.id }}', ...parameters },
	items: ids.map((id) => ({ id }) as never),
	...more,
});
const read = async (inputs: number, requestOptions: object, more: Partial<Run> = {}) => {
	const ids = Array.from({ length: inputs }, (_, index) =>
		index % 2 ? staleTheater : staleOffice,
	);
	return await execute(execution('proposal.get', ids, { requestOptions }, more));
};
const write = async (ids: unknown[], updateFields: object, more: Partial<Run> = {}) =>
	await execute(execution('proposal.update', ids, { updateFields, output: 'raw' }, more));

describe('the order of input items', () => {
	it.each([1, 3])(
		'runs %i input items at a time and returns them in order',
		async (itemsInParallel) => {
			const gate = service.control.hold('proposal.get');
			const output = read(20, { itemsInParallel });
			for (let ended = 0; ended <= 20 - itemsInParallel; ended++) {
				await gate.arrived(ended + itemsInParallel);
				expect(gate.waiting).toBe(itemsInParallel);
				gate.release(1);
			}
			gate.release();
			expect((await output).map(({ json, pairedItem }) => [json.proposalId, pairedItem])).toEqual(
				Array.from({ length: 20 }, (_, item) => [item % 2 ? staleTheater : staleOffice, { item }]),
			);
		},
	);

	it('changes one proposal in the order of the input items', async () => {
		const gate = service.control.hold('proposal.updateInternalNotes');
		const ids = [staleTheater, staleOffice, empty];
		const ways = [
			(id: number) => id,
			(id: number) => ` 0${id} `,
			(id: number) => `https://app.portal.io/proposals/${id}`,
			(id: number) => by('number', service.control.proposal(id).number),
		];
		const output = write(
			Array.from({ length: 12 }, (_, index) => ways[Math.floor(index / 3)]!(ids[index % 3]!)),
			{ internalNotes: '={{ $itemIndex }}' },
		);
		for (let round = 1; round <= 4; round++) {
			await gate.arrived(3 * round);
			// Run another execution. By the time it ends, every request that does not wait for an earlier change has
			// arrived.
			await read(3, { itemsInParallel: 1 });
			expect(gate.waiting).toBe(3);
			gate.release(3);
		}
		gate.release();
		await output;
		for (const [index, id] of ids.entries()) {
			const notes = requestsOf('proposal.updateInternalNotes')
				.filter(({ path }) => path.includes(String(id)))
				.map(({ bodyText }) => Number(new URLSearchParams(bodyText).get('InternalNotes')));
			expect(notes).toEqual([index, index + 3, index + 6, index + 9]);
		}
	});

	it('reads the same proposal for several input items at the same time', async () => {
		const gate = service.control.hold('proposal.get');
		const output = service.run('item.getMany', { proposalId: empty }, { items: [{}, {}, {}] });
		await gate.arrived(3);
		expect(gate.waiting).toBe(3);
		gate.release();
		await output;
	});

	it('copies the same proposal for several input items at the same time', async () => {
		const gate = service.control.hold('proposal.create');
		const output = service.run('proposal.duplicate', { proposalId: empty }, { items: [{}, {}] });
		await gate.arrived(2);
		gate.release();
		expect(await output).toHaveLength(2);
	});
});

describe('failed input items', () => {
	it('skips changes that wait behind a failed one', async () => {
		fail('proposal.update', { status: 400 });
		const output = write([empty, empty, empty], { name: '={{ $itemIndex }}' });
		await expect(output).rejects.toMatchObject({ context: { itemIndex: 0 } });
		expect(count('proposal.update')).toBe(1);
	});

	it('starts no input item after the execution is stopped', async () => {
		const stopping = new AbortController();
		const gate = service.control.hold('proposal.get');
		const more = { signal: stopping.signal, continueOnFail: true };
		const output = read(50, { itemsInParallel: 3 }, more);
		const outcome = expect(output).rejects.toThrow('was stopped');
		await gate.arrived(3);
		stopping.abort();
		await outcome;
		expect(count('proposal.get')).toBe(3);
		gate.release();
	});

	it('with Continue on Fail, returns a linked result or error for each input item', async () => {
		const bad: [unknown, RegExp][] = [
			['not an ID', /must be a numeric ID/],
			[99999999, /No record found with this ID/],
			[seed.proposals.accepted, /^The proposal's state prevents this change$/],
			['', /is empty/],
		];
		const inputs = bad.flatMap(([id]) => [id, staleTheater, staleOffice]);
		const updateFields = { description: '=Input {{ $itemIndex }}' };
		const output = await write(inputs, updateFields, { continueOnFail: true });
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(inputs.map((_, item) => ({ item })));
		for (const [index, { json }] of output.entries()) {
			if (index % 3 === 0) expect(json.error).toMatch(bad[index / 3]![1]);
			else expect(json).toMatchObject({ id: inputs[index], projectDescription: `Input ${index}` });
		}
	});

	it('returns failed input items on the error output, with the reason', async () => {
		const parameters = { proposalId: '={{ $json.proposal }}', name: '={{ $json.room }}' };
		const errorCode = 'ValidationException';
		const fieldErrors = [{ errorCode: 'Unique', fieldName: 'Name', message: 'taken' }];
		const body = {
			errorCode,
			message: 'The name is taken',
			responseStatus: { errors: fieldErrors },
		};
		fail('area.create', { status: 400, body });
		fail('area.create', { when: 'after', disconnect: true });
		const rooms = ['Den', 'Attic', 'Cellar', 'Porch'];
		const { after, errors } = await service.workflow('area.create', parameters, {
			items: rooms.map((room) => ({ room, proposal: room === 'Cellar' ? 'none' : staleOffice })),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(after.map(({ json }) => json.areaName)).toEqual(['Porch']);
		expect(errors.map(({ json }) => json)).toEqual([
			{
				room: 'Den',
				proposal: staleOffice,
				error: expect.stringContaining('did not accept the values'),
				message: 'The name is taken (ValidationException)\nName: taken',
				details: {
					httpCode: '400',
					errorCode,
					fieldErrors,
				},
			},
			{
				room: 'Attic',
				proposal: staleOffice,
				error: expect.stringContaining('cannot be reached'),
				message: expect.stringContaining('might have processed the request'),
				details: { mayHaveBeenProcessed: true },
			},
			{
				room: 'Cellar',
				proposal: 'none',
				error: expect.stringContaining("'Proposal' must be"),
			},
		]);
	});

	it('returns failed input items on the regular output, with the reason as the first field', async () => {
		const parameters = { proposalId: '={{ $json.proposal }}', name: '={{ $json.room }}' };
		const { after, hints } = await service.workflow('area.create', parameters, {
			items: [
				{ room: 'Cellar', proposal: 'none', message: 'of the client' },
				{ room: 'Loft', proposal: 999999 },
			],
			settings: { onError: 'continueRegularOutput' },
		});
		const [invalid, missing] = after.map(({ json }) => json);
		expect(Object.entries(invalid!)).toEqual([
			['error', expect.stringContaining("'Proposal' must be")],
			['room', 'Cellar'],
			['proposal', 'none'],
			['message', 'of the client'],
		]);
		expect(Object.keys(missing!)).toEqual(['error', 'message', 'details', 'room', 'proposal']);
		expect(hints).toContain(
			"2 of 2 input items failed. The reason is in the field 'error' of their output.",
		);
	});

	it('lists in a hint the input items for which nothing was found', async () => {
		const items = [{ model: 'LX77' }, { model: 'None' }, { model: 'LX65' }, { model: 'Nor this' }];
		const { outputs, hints } = await service.workflow(
			'catalog.search',
			{ searchText: '={{ $json.model }}' },
			{ items },
		);
		expect(outputs[0]!.map(({ json }) => json.model)).toEqual(['LX77', 'LX65']);
		expect(hints).toEqual(['Nothing was found for these input items: 1 and 3']);
	});
});

describe('changes to one record', () => {
	const own = preparedService();
	const changes = Object.entries(calls).filter(
		// Skip operations that create a record without changing another one, because they do not wait for other
		// changes.
		([name, { kind }]) =>
			kind !== 'read' &&
			!/^(proposal\.(create|duplicate)|contact\.create|webhookSubscription\.create)$/.test(name),
	);

	it.each(changes)(
		'sends only one change to a record at a time: %s',
		async (name, { parameters, file, requests }) => {
			const gate = own.control.hold(requests[0]!);
			const input = { json: {}, ...(file && { binary: { data: file } }) };
			const more = { inputs: [input, input], continueOnFail: true };
			const running = own.run(name, parameters, more);
			await gate.arrived(1);
			// Run another execution. By the time it ends, every request that does not wait for an earlier change has
			// arrived.
			await own.run('user.getMany');
			expect(gate.waiting).toBe(1);
			gate.release();
			expect(await running).toHaveLength(2);
		},
	);
});

describe('rate limits and attempts', () => {
	it('holds back the other requests of the account during a rate limit', async () => {
		fail('proposal.get', { status: 429, headers: { 'Retry-After': '60' } });
		await read(6, { itemsInParallel: 1 });
		const [first, ...others] = requestsOf('proposal.get');
		expect(others).toHaveLength(6);
		for (const { time } of others) expect(time - first!.time).toBeGreaterThanOrEqual(60_000);
	});

	it('makes the chosen number of attempts in addition to the renewal of a key', async () => {
		service.control.expireUserKeys();
		fail('proposal.get', { status: 401 });
		fail('proposal.get', { status: 503, times: 9 });
		await expect(read(1, { requestAttempts: 3 })).rejects.toMatchObject({
			httpCode: '503',
			description: expect.stringContaining('Tried 3 times.'),
		});
		expect(requestsOf('proposal.get').map(({ status }) => status)).toEqual([401, 503, 503, 503]);
	});
});
