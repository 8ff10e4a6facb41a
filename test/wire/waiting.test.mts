/** Waiting for outlines and builds: for their end, not beyond the limit, and not after a stop. */
import { beforeEach, describe, expect, it } from 'vitest';
import { nextPause } from '../../nodes/PortalIo/operation/waitUntil.ts';
import { restoredService, seed } from './account.mts';
import { store, uploadWith } from './files.mts';
import { skipWaits } from './waits.mts';

skipWaits(async () => await service.control.advance(0));
const service = restoredService({ aiStepSeconds: 5 });
const { run } = service;
const proposalId = seed.proposals.freshLighting;
const built = seed.proposals.freshNetwork;
const wait = (maxWait: unknown) => ({ options: { waitForCompletion: true, maxWait } });
const requested = (operationId: string) =>
	service.control.requests.filter((one) => one.operationId === operationId).length;
beforeEach(() => service.control.clearFaults());

describe('the outline', () => {
	it('returns the outline when it is completed', async () => {
		const output = await run('aiOutline.generate', { proposalId, ...wait(60) });
		expect(output).toEqual([
			expect.objectContaining({
				proposalId,
				status: 'Completed',
				outline: expect.stringContaining('# '),
			}),
		]);
		expect(requested('aiOutline.generate')).toBe(1);
	});

	it('waits with the outline for content that is still being transcribed', async () => {
		const binary = await store(Buffer.from('x'), { fileName: 'upstairs.txt' }, 'memory');
		await uploadWith(service.account, binary, { proposalId });
		service.control.failNext({ operationId: 'aiContent.getMany', brokenResponse: 'extended' });
		const [output] = await run('aiOutline.generate', { proposalId, ...wait(60) });
		expect(output!.outline).toContain('- upstairs.txt');
	});

	it('tells an outline that failed from one that is late', async () => {
		service.control.failNextOutline();
		await expect(run('aiOutline.generate', { proposalId, ...wait(60) })).rejects.toMatchObject({
			message: 'The outline failed in Portal.io',
			description: expect.stringContaining("the status 'Failed'"),
		});
		await expect(run('aiOutline.generate', { proposalId, ...wait(2) })).rejects.toMatchObject({
			message: 'The outline did not finish within 2 seconds',
			description: expect.stringMatching(
				/^Its last status was 'Generating'\. It continues in Portal/,
			),
		});
	});

	it('says what it waits for, and the last status of that alone', async () => {
		const generate = async () => await run('aiOutline.generate', { proposalId, ...wait(2) });
		const list = (status: string) => [
			{ id: 1, status: 'Transcribed' },
			{ id: 2, status },
		];
		service.control.failNext({
			...{ operationId: 'aiContent.getMany', status: 200, times: 9 },
			body: { items: list('Transcribing') },
		});
		await expect(generate()).rejects.toMatchObject({
			message: 'The transcription of the content did not finish within 2 seconds',
			description: expect.stringMatching(/^Its last status was 'Transcribing'\. It continues/),
		});
		service.control.clearFaults();
		const earlier = { proposalId, status: 'Completed', outline: '# Earlier' };
		const operationId = 'aiOutline.get';
		service.control.failNext({ operationId, status: 200, body: earlier, times: 9 });
		await expect(generate()).rejects.toMatchObject({
			message: 'The outline did not finish within 2 seconds',
			description: expect.stringMatching(/^It continues in Portal/),
		});
	});

	it.each(['Completed', 'Failed'])(
		'tells the outline from the earlier one, which was %s and is still returned',
		async (status) => {
			const earlier = { proposalId, status, outline: status === 'Failed' ? null : '# Earlier' };
			for (const body of [earlier, earlier, { maintenance: true }, earlier]) {
				service.control.failNext({ operationId: 'aiOutline.get', status: 200, body });
			}
			const [output] = await run('aiOutline.generate', { proposalId, ...wait(60) });
			expect(output).toMatchObject({ status: 'Completed' });
			expect(output!.outline).not.toBe('# Earlier');
		},
	);

	it('waits for the outline through failures of single reads and a key that expires', async () => {
		service.control.failNext({ operationId: 'aiOutline.get', status: 503 });
		service.control.failNext({ operationId: 'aiOutline.get', disconnect: true });
		service.control.failNext({ operationId: 'aiOutline.get', expireKeys: true });
		const [output] = await run('aiOutline.generate', { proposalId, ...wait(60) });
		expect(output).toMatchObject({ status: 'Completed' });
	});

	it('stops waiting for the outline when a login is refused, which is made once', async () => {
		const operationId = 'authentication.exchangeKey';
		service.control.failNext({ operationId: 'aiOutline.get', expireKeys: true });
		// To the node another account, as it remembers a refused login for a while.
		const baseUrl = service.simulator.url.replace('127.0.0.1', 'localhost');
		const credential = service.credential('dealer', { baseUrl });
		await run('user.getMany', {}, { credential });
		service.control.clearRequests();
		service.control.failNext({ operationId, status: 401, times: 99 });
		const outcome = run('aiOutline.generate', { proposalId, ...wait(180) }, { credential });
		await expect(outcome).rejects.toThrow('Portal.io refused the login: Injected by a test.');
		expect(requested(operationId)).toBe(1);
	});

	it('stops waiting for the outline at a refusal', async () => {
		service.control.failNext({ operationId: 'aiOutline.get', status: 403 });
		await expect(run('aiOutline.generate', { proposalId, ...wait(60) })).rejects.toMatchObject({
			httpCode: '403',
		});
	});

	it('waits for the outline only if told to', async () => {
		const output = await run('aiOutline.generate', { proposalId, options: { maxWait: 60 } });
		expect(output).toEqual([expect.objectContaining({ proposalId, status: 'Generating' })]);
		expect(requested('aiOutline.get')).toBe(0);
	});

	it('stops waiting for the outline once the execution is stopped', async () => {
		const stop = new AbortController();
		const generation = service.control.hold('aiOutline.generate');
		const stopped = expect(
			run(
				'aiOutline.generate',
				{ proposalId, ...wait(3600) },
				{ signal: stop.signal, items: [{}, {}], continueOnFail: true },
			),
		).rejects.toThrow('The execution was stopped while waiting');
		await generation.arrived(1);
		const before = requested('aiOutline.get');
		const gate = service.control.hold('aiOutline.get');
		generation.release();
		await gate.arrived(1);
		stop.abort();
		gate.release();
		await stopped;
		expect(requested('aiOutline.generate')).toBe(1);
		expect(requested('aiOutline.get')).toBe(before + 1);
	});

	it('refuses to wait 0 seconds for the outline', async () => {
		await expect(run('aiOutline.generate', { proposalId, ...wait(0) })).rejects.toThrow(
			"'Max Wait (Seconds)' must be a number above 0",
		);
		expect(service.control.requests).toEqual([]);
	});
});

describe('the build', () => {
	it('returns the build with the proposal when the areas are there', async () => {
		const areas = () => service.control.proposal(built).areas.length;
		const before = areas();
		const [output] = await run('aiBuild.start', {
			proposalId: built,
			simplify: false,
			...wait(60),
		});
		expect(areas()).toBeGreaterThan(before);
		expect(output).toMatchObject({ proposalId: built, status: 'Completed' });
		expect((output!.proposal as { areas: object[] }).areas).toHaveLength(areas());
		expect(requested('aiBuild.start')).toBe(1);
	});

	it('waits until a build that grows has stopped to grow', async () => {
		const gate = service.control.hold('aiBuild.start');
		const output = run('aiBuild.start', { proposalId: built, simplify: false, ...wait(60) });
		await gate.arrived(1);
		const { areas, ...proposal } = service.control.proposal(built);
		const [one, other] = [1, 2].map((id) => ({ id, name: `Room ${id}`, options: [] }));
		for (const more of [[], [one], [one, other], [one, other]]) {
			const body = { ...proposal, areas: [...areas, ...more] };
			service.control.failNext({ operationId: 'proposal.get', status: 200, body });
		}
		gate.release();
		const [{ proposal: found }] = (await output) as [{ proposal: { areas: object[] } }];
		expect(found.areas).toHaveLength(areas.length + 2);
	});

	it('waits for the build although the response to its start was empty', async () => {
		service.control.failNext({ operationId: 'aiBuild.start', brokenResponse: 'empty' });
		expect(await run('aiBuild.start', { proposalId: built, ...wait(60) })).toEqual([
			{ proposalId: built, status: 'Completed' },
		]);
	});

	it('takes no build for done by something else than the proposal', async () => {
		const before = service.control.proposal(built).areas.length;
		const body = { maintenance: true };
		const other = { operationId: 'proposal.get', status: 200, body };
		service.control.failNext(other);
		const start = async () => await run('aiBuild.start', { proposalId: built, ...wait(60) });
		await expect(start()).rejects.toThrow('Portal.io did not return a proposal');
		expect(requested('aiBuild.start')).toBe(0);
		const gate = service.control.hold('aiBuild.start');
		const output = start();
		await gate.arrived(1);
		service.control.failNext({ ...other, times: 3 });
		gate.release();
		expect(await output).toEqual([{ proposalId: built, status: 'Completed' }]);
		expect(service.control.proposal(built).areas.length).toBeGreaterThan(before);
	});

	it('starts the build once when Retry On Fail waits for it once more', async () => {
		const gate = service.control.hold('aiBuild.start');
		const output = run(
			'aiBuild.start',
			{ proposalId: built, ...wait(60) },
			{ settings: { retryOnFail: true, waitBetweenTries: 1 } },
		);
		await gate.arrived(1);
		// The first time that it is read whether the build has ended.
		service.control.failNext({ operationId: 'proposal.get', status: 403 });
		gate.release();
		expect(await output).toEqual([{ proposalId: built, status: 'Completed' }]);
		expect(requested('aiBuild.start')).toBe(1);
	});

	it('takes a build that brings nothing as late', async () => {
		service.control.failNextBuild();
		await expect(run('aiBuild.start', { proposalId: built, ...wait(20) })).rejects.toMatchObject({
			message: 'The build did not finish within 20 seconds',
			description: expect.stringContaining("Increase 'Max Wait"),
		});
	});
});

it('waits with growing pauses, up to half a minute', () => {
	const pauses = [1];
	while (pauses.length < 12) pauses.push(nextPause(pauses.at(-1)!));
	expect(pauses.slice(0, 4)).toEqual([1, 1.5, 2.25, 3.375]);
	expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
	expect(pauses.at(-1)).toBe(30);
});
