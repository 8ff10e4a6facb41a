/** AI content, outline and build, as far as they are plain requests. */
import { describe, expect, it } from 'vitest';
import { restoredService, runner, seed } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/aiBuild/index.ts';
import '../../nodes/PortalIo/resources/aiContent/index.ts';
import '../../nodes/PortalIo/resources/aiOutline/index.ts';

const service = restoredService();
const { run } = service;
const proposalId = seed.proposals.empty;

/** Uploads a text by n8n's own request helper, the node's upload being an issue of its own. */
const upload = async (name: string) => await service.upload(service.account, proposalId, name);

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
