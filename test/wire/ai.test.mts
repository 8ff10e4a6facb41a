/** AI content, outline and build, as far as they are plain requests. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runner, seed, startService } from './account.mts';
import type { StoredCredential } from '../../testbed/nodeRunner.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/aiBuild/index.ts';
import '../../nodes/PortalIo/resources/aiContent/index.ts';
import '../../nodes/PortalIo/resources/aiOutline/index.ts';

let service: Awaited<ReturnType<typeof startService>>;
let credential: StoredCredential;
beforeAll(async () => {
	service = await startService();
	credential = service.credential();
	// So that no exchange is among the requests of a test.
	await runner(() => credential)('user.getMany');
	service.control.keepState();
});
beforeEach(() => {
	service.control.restoreState();
	service.control.clearRequests();
});
afterAll(async () => {
	expect(service.control.contractViolations).toEqual([]);
	await service.simulator.stop();
});
const run = runner(() => credential);
const proposalId = seed.proposals.empty;

/** Uploads a text by n8n's own request helper, the node's upload being an issue of its own. */
const upload = async (name: string) => await service.upload(credential, proposalId, name);

describe('AI', () => {
	it('from content to outline to proposal', async () => {
		await expect(run('aiOutline.generate', { proposalId })).rejects.toMatchObject({
			httpCode: '400',
		});
		await upload('walk');
		await service.control.finishAi();
		const [content] = await run('aiContent.getMany', { proposalId });
		expect(content).toMatchObject({ name: 'walk', status: 'Transcribed', sourceType: 'Text' });

		await expect(run('aiBuild.start', { proposalId })).rejects.toMatchObject({ httpCode: '400' });
		expect(await run('aiOutline.generate', { proposalId })).toEqual([
			expect.objectContaining({ proposalId, status: 'Generating' }),
		]);
		await service.control.finishAi();
		const [outline] = await run('aiOutline.get', { proposalId });
		expect(outline).toMatchObject({ proposalId, status: 'Completed', outline: expect.any(String) });

		expect(await run('aiBuild.start', { proposalId })).toEqual([
			expect.objectContaining({ proposalId, status: 'Building' }),
		]);
		await service.control.finishAi();
		expect(service.control.proposal(proposalId).areas.length).toBeGreaterThan(0);
	});

	it('get an outline by its own ID', async () => {
		const [outline] = await run('aiOutline.get', {
			getBy: 'outline',
			outlineId: seed.aiOutlines.completed,
		});
		expect(outline).toMatchObject({ status: 'Completed' });
	});

	it('delete content', async () => {
		await upload('extra');
		const before = await run('aiContent.getMany', { proposalId, returnAll: true });
		const contentId = before.at(-1)!.id as number;
		expect(await run('aiContent.delete', { proposalId, contentId })).toEqual([
			{ deleted: true, proposalId, contentId },
		]);
		expect(await run('aiContent.getMany', { proposalId, returnAll: true })).toHaveLength(
			before.length - 1,
		);
		await expect(run('aiContent.delete', { proposalId, contentId })).rejects.toMatchObject({
			httpCode: '404',
		});
	});

	it.each([
		['402', 'lapsed'],
		['403', 'restricted'],
		['404', 'otherDealer'],
	] as const)('%s for the %s', async (httpCode, account) => {
		const other = service.credential(account);
		const theirs = runner(() => other);
		await expect(theirs('aiOutline.generate', { proposalId })).rejects.toMatchObject({ httpCode });
		await expect(theirs('aiBuild.start', { proposalId })).rejects.toMatchObject({ httpCode });
	});
});
