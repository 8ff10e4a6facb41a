import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/item/index.ts';

const service = restoredService();

const { run } = service;

/** The items of a proposal as the simulator has stored them. */
const stored = (proposalId: number) => service.control.items(proposalId);

describe('item', () => {
	it('getMany: one output item for each, with the area and option it stands in', async () => {
		const proposalId = seed.proposals.staleWholeHome;
		const found = await run('item.getMany', { proposalId, returnAll: true, simplify: false });
		const where = found.map((one) => ({
			id: one.id,
			item_type: one.itemType,
			option_id: one.areaOptionId,
			option_status: one.areaOptionStatus,
			area_id: one.areaId,
			area_name: one.areaName,
		}));
		expect(where.sort((a, b) => Number(a.id) - Number(b.id))).toEqual(
			stored(proposalId).map(({ id, item_type, option_id, option_status, area_id, area_name }) => ({
				id,
				item_type,
				option_id,
				option_status,
				area_id,
				area_name,
			})),
		);
		for (const one of found) expect(one).toMatchObject({ proposalId });
		expect(await run('item.getMany', { proposalId, limit: 3 })).toHaveLength(3);
	});

	it('getMany: simplified to ten flat fields', async () => {
		const proposalId = seed.proposals.staleTheatre;
		const [first] = await run('item.getMany', { proposalId });
		const [area] = service.control.proposal(proposalId).areas;
		const [raw] = area.options[0].items;
		expect(first).toEqual({
			id: raw.id,
			proposalId,
			areaName: area.name,
			areaOptionId: area.options[0].id,
			itemType: raw.itemType,
			name: `${raw.brand} ${raw.model}`,
			quantity: raw.quantity,
			cost: raw.cost,
			sellPrice: raw.sellPrice,
			total: raw.total.amount,
		});
	});

	it('getMany: filtered by area, option and type', async () => {
		const proposalId = seed.proposals.staleWholeHome;
		const rows = stored(proposalId);
		const [{ area_id: areaId, option_id: areaOptionId }] = rows as [(typeof rows)[0]];
		const count = async (filters: object) =>
			(await run('item.getMany', { proposalId, returnAll: true, filters })).length;
		expect(await count({ areaId })).toBe(rows.filter((row) => row.area_id === areaId).length);
		expect(await count({ areaOptionId: String(areaOptionId) })).toBe(
			rows.filter((row) => row.option_id === areaOptionId).length,
		);
		expect(await count({ itemTypes: ['Labor', 'Fee'] })).toBe(
			rows.filter((row) => ['Labor', 'Fee'].includes(String(row.item_type))).length,
		);
	});

	it('refreshCosts: all items, or those named, to the costs of the catalog', async () => {
		const proposalId = seed.proposals.staleTheatre;
		const costs = () =>
			new Map(stored(proposalId).map(({ id, cost_cents }) => [Number(id), Number(cost_cents)]));
		const before = costs();
		const catalogCosts = new Map(
			service.control
				.catalogItems(seed.accounts.dealer)
				.map((one) => [one.id, one.default_cost_cents]),
		);
		const outdated = stored(proposalId)
			.filter((one) => {
				const cost = catalogCosts.get(one.referenced_item_id!);
				return cost !== null && cost !== one.cost_cents;
			})
			.map(({ id }) => Number(id));
		expect(outdated.length).toBeGreaterThan(1);
		const [first] = outdated;

		await run('item.refreshCosts', { proposalId, itemIds: String(first) });
		const changed = () =>
			[...costs()].filter(([id, cost]) => before.get(id) !== cost).map(([id]) => id);
		expect(changed()).toEqual([first]);

		const [answer] = await run('item.refreshCosts', { proposalId, simplify: false });
		expect(changed().sort()).toEqual(outdated.sort());
		expect(answer).toEqual(service.control.proposal(proposalId));
		const [simple] = await run('item.refreshCosts', { proposalId });
		expect(simple).toMatchObject({
			id: proposalId,
			proposalId,
			number: answer!.number,
			proposalTotal: (answer!.financialSummary as { proposalTotal: number }).proposalTotal,
		});
	});

	it('refreshCosts: not for an accepted proposal', async () => {
		await expect(
			run('item.refreshCosts', { proposalId: seed.proposals.accepted }),
		).rejects.toMatchObject({ httpCode: '409' });
	});
});
