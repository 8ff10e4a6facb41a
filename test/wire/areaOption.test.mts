import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/areaOption/index.ts';

const service = restoredService();
const { run } = service;
const proposalId = seed.proposals.staleTheatre;
const firstArea = () => service.control.proposal(proposalId).areas[0];

describe('areaOption', () => {
	it('create: with its texts, three to an area at most', async () => {
		const { id: areaId, options } = firstArea();
		const texts = { clientDescription: 'In oak', installerNotes: 'Bring the long ladder' };
		for (let count = options.length; count < 3; count++) {
			const output = await run('areaOption.create', {
				proposalId,
				areaId,
				additionalFields: texts,
			});
			const { id } = firstArea().options.at(-1);
			expect(output).toEqual([
				{
					id,
					proposalId,
					areaId,
					areaOptionId: id,
					areaName: firstArea().name,
					status: 'Draft',
					clientDescription: 'In oak',
					installerNotes: 'Bring the long ladder',
					total: 0,
				},
			]);
		}
		expect(firstArea().options).toHaveLength(3);
		expect(firstArea().options.at(-1)).toMatchObject({
			status: 'Draft',
			clientDescription: 'In oak',
			installerDescription: 'Bring the long ladder',
		});
		await expect(run('areaOption.create', { proposalId, areaId })).rejects.toMatchObject({
			httpCode: '400',
		});
	});

	it('create: returns the whole proposal without Simplify', async () => {
		const { id: areaId } = service.control.proposal(seed.proposals.staleOffice).areas[0];
		const parameters = { proposalId: seed.proposals.staleOffice, areaId, simplify: false };
		expect(await run('areaOption.create', parameters)).toEqual([
			service.control.proposal(seed.proposals.staleOffice),
		]);
	});

	it('update: sets and clears one text or both, and returns the option', async () => {
		const { id: areaId, name, options } = firstArea();
		const ids = { proposalId, areaId, areaOptionId: options[0].id };
		const update = async (updateFields: object, more: object = {}) =>
			(await run('areaOption.update', { ...ids, updateFields, ...more }))[0];
		await update({ clientDescription: 'In walnut' });
		await update({ installerNotes: 'Mind the cat' });
		expect(firstArea().options[0]).toMatchObject({
			clientDescription: 'In walnut',
			installerDescription: 'Mind the cat',
		});
		expect(await update({ clientDescription: 'In ash', installerNotes: 'And the dog' })).toEqual({
			id: ids.areaOptionId,
			proposalId,
			areaId,
			areaOptionId: ids.areaOptionId,
			areaName: name,
			status: options[0].status,
			clientDescription: 'In ash',
			installerNotes: 'And the dog',
			total: options[0].total,
		});
		expect(await update({ clientDescription: '' }, { simplify: false })).toEqual(
			service.control.proposal(proposalId),
		);
		expect(firstArea().options[0].clientDescription ?? '').toBe('');
		expect(firstArea().options[0].installerDescription).toBe('And the dog');
	});

	it('404: an option that is not there', async () => {
		const ids = { proposalId, areaId: firstArea().id, areaOptionId: 99999999 };
		await expect(
			run('areaOption.update', { ...ids, updateFields: { installerNotes: 'x' } }),
		).rejects.toMatchObject({ httpCode: '404', message: 'No record found with this ID' });
	});

	it('409: once the proposal is accepted', async () => {
		const { areas } = service.control.proposal(seed.proposals.accepted);
		await expect(
			run('areaOption.create', { proposalId: seed.proposals.accepted, areaId: areas[0].id }),
		).rejects.toMatchObject({ httpCode: '409' });
	});
});
