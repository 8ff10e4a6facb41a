/** Tests *Wait for Completion* of an outline. */
import { describe, expect, it } from 'vitest';
import { restoredService, seed } from './account.mts';
import { store, uploadWith } from './files.mts';
import { skipWaits } from './waits.mts';

skipWaits(async () => await service.control.advance(0));
const service = restoredService({ aiStepSeconds: 5 });
const { count, fail, respond, run } = service;
const wait = (maxWait: unknown) => ({ options: { waitForCompletion: true, maxWait } });

const proposalId = seed.proposals.freshLighting;
const generate = async (maxWait: unknown, more: object = {}) =>
	await run('aiOutline.generate', { proposalId, ...wait(maxWait) }, more);

describe('the end of a wait', () => {
	it('returns the outline when it is completed', async () => {
		const outline = expect.stringContaining('# ');
		expect(await generate(60)).toMatchObject([{ proposalId, status: 'Completed', outline }]);
		expect(count('aiOutline.generate')).toBe(1);
	});

	it('by default, returns before the outline is completed', async () => {
		const output = await run('aiOutline.generate', { proposalId, options: { maxWait: 60 } });
		expect(output).toMatchObject([{ proposalId, status: 'Generating' }]);
		expect(count('aiOutline.get')).toBe(0);
	});

	it('waits until content is transcribed before starting an outline', async () => {
		const binary = await store(Buffer.from('x'), { fileName: 'upstairs.txt' }, 'memory');
		await uploadWith(service.account, binary, { proposalId });
		expect((await generate(60))[0]!.outline).toContain('- upstairs.txt');
		const items = ['Transcribed', 'Transcribing'].map((status, id) => ({ id, status }));
		respond('aiContent.getMany', { items }, { times: 9 });
		await expect(generate(2)).rejects.toMatchObject({
			message: 'The transcription of the content did not finish within 2 seconds',
			description: expect.stringMatching(/^Its last status was 'Transcribing'\./),
		});
	});

	it.each(['Completed', 'Failed'])(
		'ignores an earlier outline with the status %s',
		async (status) => {
			const earlier = { proposalId, status, outline: status === 'Failed' ? null : '# Earlier' };
			for (const body of [earlier, earlier, { maintenance: true }, earlier]) {
				respond('aiOutline.get', body);
			}
			const [output] = await generate(60);
			expect(output).toMatchObject({ status: 'Completed' });
			expect(output!.outline).not.toBe('# Earlier');
		},
	);

	it('fails if the outline fails or is not completed in time', async () => {
		service.control.failNextAi('ai_outlines');
		await expect(generate(60)).rejects.toThrow('Portal.io did not complete the outline');
		await expect(generate(2)).rejects.toThrow('The outline did not finish within 2 seconds');
		const before = count('aiOutline.generate');
		fail('aiOutline.get', { status: 403 });
		await expect(generate(60)).rejects.toMatchObject({ httpCode: '403' });
		expect(count('aiOutline.generate')).toBe(before);
	});

	it('waits while a new outline cannot be read yet', async () => {
		const generation = service.control.hold('aiOutline.generate');
		const running = generate(60);
		await generation.arrived(1);
		expect(count('aiOutline.get')).toBe(1);
		fail('aiOutline.get', { status: 404, times: 3 });
		generation.release();
		expect(await running).toMatchObject([{ proposalId, status: 'Completed' }]);
		expect(count('aiOutline.get')).toBeGreaterThan(4);
	});
});

describe('content', () => {
	it('starts no outline if Portal.io cannot use any of the content', async () => {
		const items = ['upstairs.m4a', 'den.mp3'].map((name, id) => ({ id, name, status: 'Invalid' }));
		respond('aiContent.getMany', { items });
		await expect(generate(60)).rejects.toMatchObject({
			message: "Portal.io cannot use any of this proposal's content",
			description: expect.stringContaining('status Invalid: upstairs.m4a and den.mp3.\n'),
		});
		expect(count('aiContent.getMany.alternate')).toBe(1);
		expect(count('aiOutline.generate')).toBe(0);
	});

	it('starts an outline even if some content is invalid', async () => {
		const items = ['Invalid', 'Transcribed'].map((status, id) => ({ id, status }));
		respond('aiContent.getMany', { items });
		expect(await generate(60)).toMatchObject([{ status: 'Completed' }]);
	});
});

describe('a retried or stopped execution', () => {
	it('starts an outline only once across all tries of Retry On Fail', async () => {
		const settings = { retryOnFail: true, waitBetweenTries: 1 };
		const generation = service.control.hold('aiOutline.generate', 'after');
		const running = generate(60, { settings });
		await generation.arrived(1);
		fail('aiOutline.get', { status: 403 });
		generation.release();
		await expect(running).rejects.toThrow('does not have permission');
		expect(count('aiOutline.generate')).toBe(1);
	});

	it('ends the wait for an outline as soon as the execution is stopped', async () => {
		const stop = new AbortController();
		const generation = service.control.hold('aiOutline.generate');
		const running = generate(3600, { signal: stop.signal, items: [{}, {}], continueOnFail: true });
		const stopped = expect(running).rejects.toThrow(/^The execution was stopped while waiting/);
		await generation.arrived(1);
		const before = count('aiOutline.get');
		const gate = service.control.hold('aiOutline.get');
		generation.release();
		await gate.arrived(1);
		stop.abort();
		gate.release();
		await stopped;
		expect(count('aiOutline.generate')).toBe(1);
		expect(count('aiOutline.get')).toBe(before + 1);
	});
});
