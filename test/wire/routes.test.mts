/** Tests operations that have several documented paths, with services that support only one. */
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../dev/simulator/index.mts';
import { fileService, restoredService, seed } from './account.mts';

const proposalId = seed.proposals.staleTheater;

/**
 * Paths that a service supports, and the number of requests to unsupported paths before the node knows the supported
 * ones.
 */
describe.each([
	['specification', 2],
	['alternate', 7],
	['newest', 8],
	['all', 0],
] as const)('a service with %s paths', (routes, missing) => {
	const service = fileService({ routes });
	const { run } = service;

	async function useAll() {
		const { areas } = service.control.proposal(proposalId);
		const [{ id: areaId, options }] = areas;
		const areaOptionId = options[0].id;
		const updateFields = { clientDescription: 'Told', installerNotes: 'Noted' };
		await run('areaOption.update', { proposalId, areaId, areaOptionId, updateFields });
		const base =
			routes === 'alternate' || routes === 'newest'
				? `/public/proposals/${proposalId}/area-options/${areaOptionId}`
				: `/public/proposals/${proposalId}/area/${areaId}/option/${areaOptionId}`;
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
		await run('aiContent.delete', { proposalId, contentId: contents.at(-1)!.contentId });
		await run('aiOutline.generate', { proposalId });
		await service.control.finishAi();
		const outline = await run('aiOutline.get', { proposalId });
		expect(outline).toMatchObject([{ status: 'Completed' }]);
		await run('aiBuild.start', { proposalId });
		await service.control.finishAi();
		expect(service.control.proposal(proposalId).areas.length).toBeGreaterThan(areas.length);
	}

	it(`requests each missing path only once: ${routes}`, async () => {
		await useAll();
		await useAll();
		const missed = service.control.requests.filter(({ status }) => /40[45]/.test(String(status)));
		const routesMissed = missed.map(({ method, path }) => method + path.replace(/\d+/g, '*'));
		expect(new Set(routesMissed).size).toBe(missed.length);
		expect(missed).toHaveLength(missing);
	});
});

describe('a service with the newest paths', () => {
	const newest = fileService({ routes: 'newest' });

	it('receives a file directly at the path of its content list', async () => {
		await newest.upload(proposalId, 'walk');
		const { requests } = newest.control;
		const isUpload = ({ method, path }: (typeof requests)[number]) =>
			method === 'POST' && path.endsWith('/ai/content');
		expect(requests.filter(isUpload).map(({ path }) => path)).toEqual([
			`/public/proposals/${proposalId}/ai/content`,
		]);
		const lists = newest.count('aiContent.getMany.newest');
		await newest.upload(proposalId, 'more');
		expect([lists, newest.count('aiContent.getMany.newest')]).toEqual([1, 1]);
	});
});

describe('a service whose content list has a path without the proposal ID', () => {
	const general = fileService({ routes: 'specification' });

	it('omits the proposal ID of content that might belong to another proposal', async () => {
		const items = [
			{ id: 1, name: 'walk' },
			{ id: 2, proposalId: 1 },
			{ id: 3, proposalId },
		];
		general.respond('aiContent.getMany', { items });
		expect(await general.run('aiContent.getMany', { proposalId })).toEqual([
			{ contentId: 1, name: 'walk' },
			{ contentId: 3, proposalId },
		]);
	});
});

describe('a service whose upload path lacks the proposal ID', () => {
	const general = fileService({ routes: 'alternate' });

	it('omits the proposal ID of an upload', async () => {
		expect(await general.upload(proposalId, 'walk')).not.toHaveProperty('proposalId');
	});
});

describe.each([400, 403, 500])('a service whose content list fails with %i', (status) => {
	const failing = fileService();

	it('uploads a file to the first path', async () => {
		failing.fail('aiContent.getMany', { status, times: 9 });
		expect(await failing.upload(proposalId, 'walk')).toMatchObject({ proposalId, name: 'walk' });
		expect(failing.control.uploads()).toHaveLength(1);
	});
});

const service = restoredService();

it.each<Fault>([
	{ status: 404, body: 'Not Found' },
	{ status: 404, body: '' },
	{ status: 404, body: 'Handler for Request not found (404):' },
	// The body defaults to JSON, which shows that the response comes from the API.
	{ status: 405 },
])('reports a possibly changed path if all paths respond with %j', async (fault) => {
	service.fail('aiContent.getMany', { times: 3, ...fault });
	await expect(service.run('aiContent.getMany', { proposalId })).rejects.toMatchObject({
		message: expect.stringContaining('does not exist'),
		description: expect.stringContaining('\nIf other operations work, Portal.io might have moved'),
	});
	expect(new Set(service.control.requests.map(({ path }) => path)).size).toBe(3);
});

it('requests a missing record under only one path', async () => {
	const deletion = service.run('aiContent.delete', { proposalId, contentId: 99999999 });
	await expect(deletion).rejects.toThrow('No record found');
	expect(service.control.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});
