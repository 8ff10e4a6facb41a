/** Many rows of a spreadsheet for areas that are not there yet. */
import { expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

const service = restoredService();
const { run } = service;
const count = (name: string) =>
	service.control.requests.filter(({ operationId }) => operationId === name).length;

it('creates a missing area once for many rows: 521 requests and a search for 500 rows in 20 areas', async () => {
	const proposalId = seed.proposals.empty;
	const areas = (): object[] => service.control.proposal(proposalId).areas;
	const before = areas().length;
	const items = Array.from({ length: 500 }, (_, index) => ({ room: `Room ${index % 20}` }));
	const output = await run(
		'item.add',
		{
			proposalId,
			areaOptionId: { __rl: true, mode: 'name', value: '={{ $json.room }}' },
			items: { item: [{ itemType: 'Part', itemId: { mode: 'model', value: 'CV-6C' } }] },
			options: { createMissingArea: true },
		},
		{ items },
	);
	expect(output.map(({ areaName }) => areaName)).toEqual(items.map(({ room }) => room));
	expect(areas()).toHaveLength(before + 20);
	expect(count('item.add')).toBe(500);
	expect(count('area.create')).toBe(20);
	expect(count('proposal.get')).toBe(1);
	expect(count('catalog.search')).toBe(1);
	expect(service.control.requests).toHaveLength(522);
});
