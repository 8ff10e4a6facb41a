/** *Wait for Completion* of outlines and builds. How a wait goes and what it says: test/unit/waitUntil. */
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

it('returns the outline when it is completed', async () => {
	const outline = expect.stringContaining('# ');
	expect(await generate(60)).toMatchObject([{ proposalId, status: 'Completed', outline }]);
	expect(count('aiOutline.generate')).toBe(1);
});

it('returns before the outline is complete, unless it is to wait', async () => {
	const output = await run('aiOutline.generate', { proposalId, options: { maxWait: 60 } });
	expect(output).toMatchObject([{ proposalId, status: 'Generating' }]);
	expect(count('aiOutline.get')).toBe(0);
});

it('waits with an outline for content that is still being transcribed', async () => {
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

it.each(['Completed', 'Failed'])('waits past the earlier outline, which was %s', async (status) => {
	const earlier = { proposalId, status, outline: status === 'Failed' ? null : '# Earlier' };
	for (const body of [earlier, earlier, { maintenance: true }, earlier]) {
		respond('aiOutline.get', body);
	}
	const [output] = await generate(60);
	expect(output).toMatchObject({ status: 'Completed' });
	expect(output!.outline).not.toBe('# Earlier');
});

it('fails with an outline that failed, or is not completed in time', async () => {
	service.control.failNextAi('ai_outlines');
	await expect(generate(60)).rejects.toThrow('The outline was not completed by Portal.io');
	await expect(generate(2)).rejects.toThrow('The outline did not finish within 2 seconds');
	const before = count('aiOutline.generate');
	fail('aiOutline.get', { status: 403 });
	await expect(generate(60)).rejects.toMatchObject({ httpCode: '403' });
	expect(count('aiOutline.generate')).toBe(before);
});

it('ends the wait for an outline once the execution is stopped', async () => {
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

describe('Start Build', () => {
	const proposalId = seed.proposals.freshNetwork;
	const areas = (): object[] => service.control.proposal(proposalId).areas;
	const start = async (maxWait: number, more: object = {}) =>
		await run('aiBuild.start', { proposalId, ...wait(maxWait) }, more);
	const completed = [{ proposalId, status: 'Completed' }];

	/** Starts a build and prepares what is read next, before the response to the start. */
	async function startWith(prepare: () => void, more: object = {}) {
		const gate = service.control.hold('aiBuild.start');
		const output = start(60, more);
		await gate.arrived(1);
		prepare();
		gate.release();
		return await output;
	}

	it('returns a build when its areas are there, also where the response to its start was empty', async () => {
		const before = areas().length;
		fail('aiBuild.start', { brokenResponse: 'empty' });
		expect(await start(60)).toEqual(completed);
		expect(areas().length).toBeGreaterThan(before);
		expect(count('aiBuild.start')).toBe(1);
	});

	it('waits until a build that grows has stopped growing', async () => {
		let before = 0;
		await startWith(() => {
			before = count('proposal.get');
			const proposal = service.control.proposal(proposalId);
			const [one, other] = [1, 2].map((id) => ({ id, name: `Room ${id}`, options: [] }));
			for (const more of [[], [one], [one, other], [one, other]]) {
				respond('proposal.get', { ...proposal, areas: [...areas(), ...more] });
			}
		});
		expect(count('proposal.get')).toBe(before + 4);
	});

	it('waits for a build through a response that is not the proposal', async () => {
		const maintenance = { maintenance: true };
		respond('proposal.get', maintenance);
		await expect(start(60)).rejects.toThrow('Portal.io did not return a proposal');
		expect(count('aiBuild.start')).toBe(0);
		const before = areas().length;
		const output = await startWith(() => respond('proposal.get', maintenance, { times: 3 }));
		expect(output).toEqual(completed);
		expect(areas().length).toBeGreaterThan(before);
	});

	it('starts a build once when Retry On Fail waits for it again', async () => {
		const settings = { retryOnFail: true, waitBetweenTries: 1 };
		const failFirst = () => fail('proposal.get', { status: 403 });
		expect(await startWith(failFirst, { settings })).toEqual(completed);
		expect(count('aiBuild.start')).toBe(1);
	});

	it('fails with a build that adds nothing in time', async () => {
		service.control.failNextAi('ai_builds');
		await expect(start(20)).rejects.toMatchObject({
			message: 'The build did not finish within 20 seconds',
			description: expect.stringContaining("Increase 'Max Wait"),
		});
	});
});
