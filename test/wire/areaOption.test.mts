import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runner, seed, startService } from './account.mts';
import type { StoredCredential } from '../../testbed/nodeRunner.mts';

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
const run = runner(() => credential);
const proposalId = seed.proposals.staleTheatre;
const firstArea = () => service.control.proposal(proposalId).areas[0];

describe('areaOption', () => {
	it('create: with its texts, three to an area at the most', async () => {
		const { id: areaId, options } = firstArea();
		const texts = { clientDescription: 'In oak', internalNotes: 'Bring the long ladder' };
		for (let count = options.length; count < 3; count++) {
			await run('areaOption.create', { proposalId, areaId, additionalFields: texts });
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

	it('updateClientDescription and updateInstallerNotes: set and clear', async () => {
		const { id: areaId, options } = firstArea();
		const ids = { proposalId, areaId, optionId: options[0].id };
		await run('areaOption.updateClientDescription', { ...ids, clientDescription: 'In walnut' });
		await run('areaOption.updateInstallerNotes', { ...ids, installerNotes: 'Mind the cat' });
		expect(firstArea().options[0]).toMatchObject({
			clientDescription: 'In walnut',
			installerDescription: 'Mind the cat',
		});
		const [answer] = await run('areaOption.updateClientDescription', {
			...ids,
			clientDescription: '',
		});
		expect(answer).toEqual(service.control.proposal(proposalId));
		expect(firstArea().options[0].clientDescription ?? '').toBe('');
	});

	it('404: an option that is not there', async () => {
		const ids = { proposalId, areaId: firstArea().id, optionId: 99999999 };
		await expect(
			run('areaOption.updateInstallerNotes', { ...ids, installerNotes: 'x' }),
		).rejects.toMatchObject({ httpCode: '404', message: 'No record found with this ID' });
	});

	it('409: once the proposal is accepted', async () => {
		const { areas } = service.control.proposal(seed.proposals.accepted);
		await expect(
			run('areaOption.create', { proposalId: seed.proposals.accepted, areaId: areas[0].id }),
		).rejects.toMatchObject({ httpCode: '409' });
	});
});
