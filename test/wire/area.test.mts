import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';

const service = restoredService();
const { run } = service;
const proposalId = seed.proposals.empty;

describe('area', () => {
	it('returns the new area with the ID of its first option', async () => {
		const output = await run('area.create', { proposalId, name: 'Küche & Bar' });
		const [area] = service.control.proposal(proposalId).areas;
		expect(area).toMatchObject({ name: 'Küche & Bar', options: [{ status: 'Draft' }] });
		expect(area.options).toHaveLength(1);
		expect(output).toEqual([
			{ id: area.id, proposalId, name: 'Küche & Bar', areaOptionId: area.options[0].id },
		]);
	});

	it('returns the new area also when the service trims its name', async () => {
		const [output] = await run('area.create', { proposalId, name: '  Loggia ' });
		const { areas } = service.control.proposal(proposalId);
		expect(output).toEqual({
			id: areas.at(-1).id,
			proposalId,
			name: 'Loggia',
			areaOptionId: areas.at(-1).options[0].id,
		});
	});

	it('returns the area that has the name, if wanted, and creates it once for many inputs', async () => {
		const names = ['Kitchen', ' kitchen', 'Den', 'Kitchen'];
		const output = await run(
			'area.create',
			{ proposalId, name: '={{ $json.name }}', options: { reuseExisting: true } },
			{ items: names.map((name) => ({ name })) },
		);
		const { areas } = service.control.proposal(proposalId);
		const [kitchen, den] = areas.slice(-2).map((area: { id: number }) => area.id);
		expect(areas.slice(-2)).toMatchObject([{ name: 'Kitchen' }, { name: 'Den' }]);
		expect(output.map(({ id }) => id)).toEqual([kitchen, kitchen, den, kitchen]);
	});
});
