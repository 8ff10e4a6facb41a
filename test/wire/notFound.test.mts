/** What the error of a 404 says of the ID that is wrong. */
import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

const service = restoredService();
const { run } = service;
const { staleTheater, staleWholeHome } = seed.proposals;
const asked = () => service.control.requests.map(({ operationId }) => operationId);
const failing = async (name: string, given: object) =>
	await run(name, given).catch((error: Error & { description?: string }) => error.description);

describe('an error of an ID that nothing has', () => {
	it.each([
		['proposal.get', {}, ['proposal.get', 'proposal.getMany']],
		[
			'item.update',
			{ itemId: 1, updateFields: { quantity: 2 } },
			['item.updateQuantity', 'proposal.get', 'proposal.getMany'],
		],
	])(
		'names By Number in the error of an ID that is the number of a proposal: %s',
		async (name, given, requests) => {
			const { number } = service.control.proposal(staleTheater);
			expect(await failing(name, { proposalId: number, ...given })).toMatch(
				new RegExp(
					`^${number} is the number of a proposal, not its ID: set 'Proposal' to 'By Number'`,
					'm',
				),
			);
			expect(asked()).toEqual(requests);
		},
	);

	it('keeps the error of an unknown ID where no proposal has that number', async () => {
		expect(await failing('proposal.get', { proposalId: 99_999_999 })).not.toContain('By Number');
	});

	it('keeps the error of another ID where the proposal exists', async () => {
		const itemId = Number(service.control.items(staleTheater)[0]!.id);
		const given = { proposalId: staleWholeHome, itemId, supplierId: 1 };
		expect(await failing('item.setSupplier', given)).toMatch(/^Proposal item \d+ not found/);
		expect(asked()).toEqual(['item.setSupplier', 'proposal.get']);
	});
});
