/** A proposal given by its number: people know that, and not the ID that the service works with. */
import { beforeAll, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
import { execute } from '../../dev/testbed/nodeRunner.mts';

const service = restoredService();
const { run } = service;
// So that the largest page is known.
beforeAll(async () => void (await run('proposal.getMany', { returnAll: true })));

const byNumber = (value: string | number) => ({ __rl: true as const, mode: 'number', value });
const numberOf = (id: number): number => service.control.proposal(id).number;
const searches = () => service.control.requests.filter(({ path }) => path === '/public/proposals');

it.each([
	['a number', (number: number) => number],
	['text', (number: number) => ` ${number} `],
	['text as the service writes it', (number: number) => `#${number}`],
	['an expression', (number: number) => `={{ ${number} }}`],
])('finds a proposal by its number as %s, in one request', async (_case, write) => {
	const id = seed.proposals.staleTheater;
	const [found] = await run('proposal.get', {
		proposalId: byNumber(write(numberOf(id))),
		simplify: false,
	});
	expect(found).toMatchObject({ id, number: numberOf(id) });
	expect(searches()).toHaveLength(1);
	expect(service.control.requests).toHaveLength(2);
});

it('finds no proposal whose ID or part of the number it is', async () => {
	const id = seed.proposals.staleTheater;
	for (const value of [id, String(numberOf(id)).slice(0, -1)]) {
		service.control.clearRequests();
		await expect(run('proposal.get', { proposalId: byNumber(value) })).rejects.toThrow(
			`'Proposal' was not found: no proposal has the number ${value}. Check the number, or choose the proposal from the list.`,
		);
		// The proposals at work, and the archived ones.
		expect(searches()).toHaveLength(2);
		expect(service.control.requests).toHaveLength(2);
	}
});

it('finds an archived proposal by its number too', async () => {
	const id = seed.proposals.archived;
	const [found] = await run('proposal.get', {
		proposalId: byNumber(numberOf(id)),
		simplify: false,
	});
	expect(found).toMatchObject({ id });
	expect(searches()).toHaveLength(2);
});

it('refuses a proposal number that two proposals have', async () => {
	const number = 770077;
	// The simulator numbers the proposals of an account; nothing says that the service does.
	const proposals = [1, 2].map((id) => ({ id, number, name: 'Twin', status: 'Draft' }));
	const body = { proposals, proposalCount: 2 };
	service.control.failNext({ operationId: 'proposal.getMany', status: 200, body });
	await expect(run('proposal.get', { proposalId: byNumber(number) })).rejects.toThrow(
		`'Proposal' matches 2 proposals with the number ${number}. Choose one from the list, or enter its ID.`,
	);
});

it.each([
	['', "'Proposal' is empty: choose or enter one"],
	[undefined, "'Proposal' has no value: the expression returned nothing"],
	['Theater', "'Proposal' must be the number of a proposal, such as 1042; it is 'Theater'"],
	['0', "'Proposal' must be the number of a proposal, such as 1042; it is '0'"],
	['12345678901234567890', "'Proposal' must be the number of a proposal, such as 1042; it is"],
])('refuses %j as a proposal number', async (value, message) => {
	// By an expression: n8n itself refuses such a number in the field.
	const given = { proposalId: byNumber('={{ $json.number }}') };
	const get = run('proposal.get', given, { items: [{ number: value }] });
	await expect(get).rejects.toThrow(message);
	expect(service.control.requests).toEqual([]);
});

it('looks up a proposal number once for many inputs, of which one fails alone', async () => {
	const ids = [seed.proposals.staleTheater, seed.proposals.viewed];
	const numbers = Array.from({ length: 20 }, (_, index) =>
		index === 7 ? 999_999 : numberOf(ids[index % 2]!),
	);
	const output = await execute({
		credential: service.account,
		parameters: {
			resource: 'proposal',
			operation: 'get',
			simplify: false,
			proposalId: byNumber('={{ $json.number }}'),
		},
		items: numbers.map((number) => ({ number })),
		continueOnFail: true,
	});
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(numbers.map((_, item) => ({ item })));
	for (const [index, { json }] of output.entries()) {
		if (index === 7) {
			expect(json.error).toMatch(/no proposal has the number 999999/);
		} else {
			expect(json.id).toBe(ids[index % 2]);
		}
	}
	// Two numbers at once, and one in both lists.
	expect(searches()).toHaveLength(4);
});

it('fails each input under its own index when the look-up of its proposal number is refused', async () => {
	const output = await execute({
		credential: service.credential('lapsed'),
		parameters: { resource: 'proposal', operation: 'get', proposalId: byNumber('1001') },
		items: [{}, {}, {}],
		continueOnFail: true,
	});
	expect(output).toMatchObject(
		[0, 1, 2].map((item) => ({ json: { details: { httpCode: '402' } }, pairedItem: { item } })),
	);
	expect(searches()).toHaveLength(1);
});
