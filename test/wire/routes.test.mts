/** Operations with two documented paths, at services that have only one of the two. */
import { describe, expect, it } from 'vitest';
import { fileService, seed } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/aiBuild/index.ts';
import '../../nodes/PortalIo/resources/aiContent/index.ts';
import '../../nodes/PortalIo/resources/aiOutline/index.ts';
import '../../nodes/PortalIo/resources/areaOption/index.ts';

const proposalId = seed.proposals.staleTheatre;

const ROUTES = ['specification', 'alternate', 'both'] as const;
describe.each(ROUTES)('a service with %s paths', (routes) => {
	const service = fileService({ routes });
	const { run } = service;

	/** Runs each operation that has an alternate. */
	async function useAll() {
		const [area] = service.control.proposal(proposalId).areas;
		const ids = { proposalId, areaId: area.id, areaOptionId: area.options[0].id };
		const updateFields = { clientDescription: 'Told', installerNotes: 'Noted' };
		const output = await run('areaOption.update', { ...ids, updateFields });
		expect(output).toEqual([
			expect.objectContaining({ areaOptionId: ids.areaOptionId, ...updateFields }),
		]);
		const changed = service.control.proposal(proposalId).areas[0].options[0];
		expect(changed).toMatchObject({ clientDescription: 'Told', installerDescription: 'Noted' });
		const { proposalId: proposal, areaId, areaOptionId } = ids;
		const base =
			routes === 'alternate'
				? `/public/proposals/${proposal}/area-options/${areaOptionId}`
				: `/public/proposals/${proposal}/area/${areaId}/option/${areaOptionId}`;
		const done = service.control.requests.filter(
			({ status, operationId = '' }) => status === 200 && operationId.startsWith('areaOption.'),
		);
		expect(done.slice(-2).map(({ path, bodyText }) => [path, bodyText])).toEqual([
			[`${base}/clientdescription`, 'ClientDescription=Told'],
			[`${base}/installernotes`, 'InstallerNotes=Noted'],
		]);

		await service.upload(proposalId, 'walk');
		await service.upload(proposalId, 'more');
		await service.control.finishAi();
		const contents = await run('aiContent.getMany', { proposalId });
		expect(contents.length).toBeGreaterThanOrEqual(2);
		await run('aiContent.delete', { proposalId, contentId: contents.at(-1)!.id });
		await run('aiOutline.generate', { proposalId });
		await service.control.finishAi();
		await run('aiBuild.start', { proposalId });
	}

	it('is asked by the other path where it has not the first, which it remembers', async () => {
		await useAll();
		await useAll();
		const missed = service.control.requests.filter(({ status }) => status === 404);
		const routesMissed = missed.map(({ path }) => path.replace(/\d+/g, '*'));
		expect(new Set(routesMissed).size).toBe(missed.length);
		expect(missed).toHaveLength(routes === 'alternate' ? 6 : 0);
	});
});

describe('nothing with an ID', () => {
	const service = fileService();

	it('is an answer, and is not looked for elsewhere', async () => {
		const deletion = service.run('aiContent.delete', { proposalId, contentId: 99999999 });
		await expect(deletion).rejects.toMatchObject({
			httpCode: '404',
			message: 'No record found with this ID',
		});
		expect(service.control.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
	});
});
