/** Operations with several documented paths, at services that have only one of them. */
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../dev/simulator/index.mts';
import { fileService, runner, seed, startService } from './account.mts';

const proposalId = seed.proposals.staleTheater;

/** The services, with how many requests find no route before each path is known. */
const ROUTES = [
	['specification', 0],
	['alternate', 8],
	['newest', 10],
	['all', 0],
] as const;
describe.each(ROUTES)('a service with %s paths', (routes, missing) => {
	const service = fileService({ routes });
	const { run } = service;

	/** Runs each operation that has several: from the recording to the proposal that is built from it. */
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
			missing > 0
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
		const outline = await run('aiOutline.get', { proposalId });
		expect(outline).toMatchObject([{ status: 'Completed' }]);
		const areas = service.control.proposal(proposalId).areas.length;
		await run('aiBuild.start', { proposalId });
		await service.control.finishAi();
		expect(service.control.proposal(proposalId).areas.length).toBeGreaterThan(areas);
	}

	it('asks a service on its own paths after one request to each of those it does not have', async () => {
		await useAll();
		await useAll();
		const missed = service.control.requests.filter(
			({ status }) => status === 404 || status === 405,
		);
		const routesMissed = missed.map(({ method, path }) => method + path.replace(/\d+/g, '*'));
		expect(new Set(routesMissed).size).toBe(missed.length);
		expect(missed).toHaveLength(missing);
	});
});

it.each<Fault>([
	{ status: 404, body: 'Not Found' },
	{ status: 404, body: '404' },
	{ status: 404, body: '' },
	{ status: 404, body: 'Handler for Request not found (404):' },
	// With a JSON body of the API.
	{ status: 405 },
])('says that the path may have changed when all of them end with %j', async (fault) => {
	const { simulator, control, credential } = await startService();
	control.failNext({ operationId: 'aiContent.getMany', times: 3, ...fault });
	const listing = runner(credential)('aiContent.getMany', { proposalId });
	await expect(listing).rejects.toMatchObject({
		message: 'This Portal.io endpoint does not exist',
		description: expect.stringContaining(
			'\nIf other operations work, Portal.io may have changed the path',
		),
	});
	expect(new Set(control.requests.map(({ path }) => path)).size).toBe(4);
	await simulator.stop();
});

describe('nothing with an ID', () => {
	const service = fileService();

	it('takes nothing with an ID as an answer, and does not look for it elsewhere', async () => {
		const deletion = service.run('aiContent.delete', { proposalId, contentId: 99999999 });
		await expect(deletion).rejects.toMatchObject({
			httpCode: '404',
			message: 'No record found with this ID',
		});
		expect(service.control.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
	});
});
