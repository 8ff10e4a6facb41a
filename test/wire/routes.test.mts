/** Operations with two documented paths, at services that have only one of the two. */
import { afterEach, describe, expect, it } from 'vitest';
import { runner, seed, startService } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/aiBuild/index.ts';
import '../../nodes/PortalIo/resources/aiContent/index.ts';
import '../../nodes/PortalIo/resources/aiOutline/index.ts';
import '../../nodes/PortalIo/resources/areaOption/index.ts';

let service: Awaited<ReturnType<typeof startService>>;
afterEach(async () => {
	expect(service.control.contractViolations).toEqual([]);
	await service.simulator.stop();
});

const proposalId = seed.proposals.staleTheatre;

/** Runs each operation that has an alternate. */
async function useAll(routes: string) {
	const credential = service.credential();
	const run = runner(() => credential);
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

	await service.upload(credential, proposalId, 'walk');
	await service.upload(credential, proposalId, 'more');
	await service.control.finishAi();
	const contents = await run('aiContent.getMany', { proposalId });
	expect(contents.length).toBeGreaterThanOrEqual(2);
	await run('aiContent.delete', { proposalId, contentId: contents.at(-1)!.id });
	await run('aiOutline.generate', { proposalId });
	await service.control.finishAi();
	await run('aiBuild.start', { proposalId });
}

describe('a service with', () => {
	it.each(['specification', 'alternate', 'both'] as const)('%s paths', async (routes) => {
		service = await startService({ routes });
		await useAll(routes);
		await useAll(routes);
		const missed = service.control.requests.filter(({ status }) => status === 404);
		// Each route is missed once at most, and remembered from then on.
		const routesMissed = missed.map(({ path }) => path.replace(/\d+/g, '*'));
		expect(new Set(routesMissed).size).toBe(missed.length);
		if (routes !== 'alternate') expect(missed).toEqual([]);
		else expect(missed.length).toBe(6);
	});
});

it('nothing with that ID is an answer, and is not looked for elsewhere', async () => {
	service = await startService();
	const credential = service.credential();
	const run = runner(() => credential);
	await expect(run('aiContent.delete', { proposalId, contentId: 99999999 })).rejects.toMatchObject({
		httpCode: '404',
		message: 'No record found with this ID',
	});
	const deletions = service.control.requests.filter(({ method }) => method === 'DELETE');
	expect(deletions).toHaveLength(1);
});
