import { expect, it } from 'vitest';
import { restoredService, runner, seed } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/changeOrder/index.ts';

const service = restoredService();
const { run } = service;
const proposalId = seed.proposals.accepted;

it('changeOrder getMany: those of a proposal, or none', async () => {
	const all = await run('changeOrder.getMany', { proposalId, returnAll: true });
	expect(all.map(({ id }) => id).sort()).toEqual(Object.values(seed.changeOrders).sort());
	expect(Object.keys(all[0]!)).toHaveLength(10);
	expect(all[0]!.proposalTotal).toEqual(expect.any(Number));
	for (const one of all) expect(one.proposalId).toBe(proposalId);
	const full = await run('changeOrder.getMany', { proposalId, returnAll: true, simplify: false });
	for (const one of full) {
		expect(one.proposalId).toBe(proposalId);
		expect(Object.values(seed.changeOrders)).toContain(one.id);
	}
	expect(await run('changeOrder.getMany', { proposalId: seed.proposals.empty })).toEqual([]);
});

it('changeOrder get: in full, or simplified', async () => {
	const changeOrderId = seed.changeOrders.draft;
	const [full] = await run('changeOrder.get', { proposalId, changeOrderId, simplify: false });
	expect(full).toHaveProperty('financialSummary.changeOrderSubtotal');
	expect(full).toMatchObject({ id: changeOrderId, proposalId });
	const all = await run('changeOrder.getMany', { proposalId, returnAll: true, simplify: false });
	const listed: unknown = all.find(({ id }) => id === changeOrderId);
	const [simple] = await run('changeOrder.get', { proposalId, changeOrderId });
	expect(simple).toEqual({
		id: changeOrderId,
		proposalId,
		number: full!.number,
		name: full!.name,
		status: 'Draft',
		customerName: expect.any(String),
		customerEmail: expect.any(String),
		salesPersonName: expect.any(String),
		proposalTotal: (listed as { total: { changeOrderTotal: number } }).total.changeOrderTotal,
		lastModifiedDate: full!.lastModifiedDate,
	});
});

it.each([
	['404', 'dealer', seed.proposals.empty],
	['404', 'otherDealer', proposalId],
	['402', 'lapsed', proposalId],
] as const)('changeOrder get: %s for the %s', async (httpCode, account, id) => {
	const theirs = runner(() => service.credential(account));
	const parameters = { proposalId: id, changeOrderId: seed.changeOrders.draft };
	await expect(theirs('changeOrder.get', parameters)).rejects.toMatchObject({ httpCode });
});

it('changeOrder getMany: 403 for a user who may not list', async () => {
	const theirs = runner(() => service.credential('restricted'));
	await expect(theirs('changeOrder.getMany', { proposalId })).rejects.toMatchObject({
		httpCode: '403',
	});
});
