/** What the node says beside its output. */
import { describe, expect, it } from 'vitest';
import { executeWorkflow } from '../../dev/testbed/nodeRunner.mts';
import { restoredService, seed } from './account.mts';

const service = restoredService();
const hints = async (name: string, parameters: object, items: object[] = [{}]) => {
	const [resource, operation] = name.split('.') as [string, string];
	const run = { credential: service.account, items: items as never };
	const { hints, outputs } = await executeWorkflow({
		...run,
		parameters: { resource, operation, ...parameters },
	});
	return { hints, count: outputs[0]!.length };
};

describe('a list that Limit has cut', () => {
	const { staleTheater: proposalId, staleWholeHome, empty } = seed.proposals;

	it('says how many of how many records a list cut by Limit has', async () => {
		// The theater has 6 items.
		expect(await hints('item.getMany', { proposalId, limit: 4 })).toEqual({
			hints: ["4 of 6 items. Turn on 'Return All'."],
			count: 4,
		});
		service.control.addProposals(55, { like: empty, name: 'Countable' });
		const filters = { searchText: 'Countable' };
		expect(await hints('proposal.getMany', { filters })).toEqual({
			hints: ["50 of 55 items. Turn on 'Return All'."],
			count: 50,
		});
	});

	it('says once for all inputs that a list is cut by Limit', async () => {
		const parameters = { proposalId: '={{ $json.id }}', limit: 4 };
		const inputs = [{ id: proposalId }, { id: staleWholeHome }];
		// The second has 3 + 3 + 2 + 5 + 4 items.
		expect((await hints('item.getMany', parameters, inputs)).hints).toEqual([
			"8 of 23 items. Turn on 'Return All'.",
		]);
	});

	it.each([{ limit: 6 }, { returnAll: true }])(
		'says nothing when a list is whole: %j',
		async (more) => {
			expect(await hints('item.getMany', { proposalId, ...more })).toEqual({ hints: [], count: 6 });
		},
	);
});

it('says what a duplicate has and what was not copied', async () => {
	const { staleWholeHome: proposalId } = seed.proposals;
	const said = (await hints('proposal.duplicate', { proposalId })).hints;
	const { number } = service.control.proposals().at(-1)!;
	expect(said).toEqual([
		`Proposal ${number} has all 3 areas, 5 options, 17 items. ` +
			'Not copied: internal notes, costs and suppliers, discount.',
	]);
});
