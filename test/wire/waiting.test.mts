/** Waiting for outlines and builds: for their end, not beyond the limit, and not after a stop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nextPause } from '../../nodes/PortalIo/sendAndWait.ts';
import { runner, seed, startService } from './account.mts';
import { store, uploadWith } from './files.mts';
import type { StoredCredential } from '../../testbed/nodeRunner.mts';

const proposalId = seed.proposals.freshLighting;

let service: Awaited<ReturnType<typeof startService>>;
let credential: StoredCredential;
beforeAll(async () => {
	// Nothing moves unless a test says so.
	service = await startService({ aiStepSeconds: 3600 });
	credential = service.credential();
	await runner(() => credential)('proposal.get', { proposalId });
});
afterAll(async () => {
	expect(service.control.contractViolations).toEqual([]);
	await service.simulator.stop();
});
beforeEach(() => service.control.clearRequests());
afterEach(() => {
	service.control.finishAi();
	service.control.clearFaults();
});
const run = runner(() => credential);
const wait = (maxWait: number) => ({ options: { waitForCompletion: true, maxWait } });

const requested = (operationId: string) =>
	service.control.requests.filter((one) => one.operationId === operationId).length;

/** Calls back as soon as the service was asked something for the given time. */
async function onRequest(operationId: string, times: number, then: () => unknown): Promise<void> {
	while (requested(operationId) < times) await sleep(20);
	await then();
}

describe('the outline', () => {
	it('is returned when it is completed', async () => {
		const [output] = (await Promise.all([
			run('aiOutline.generate', { proposalId, ...wait(60) }),
			onRequest('aiOutline.get', 2, () => service.control.finishAi()),
		])) as [object[], unknown];
		expect(output).toEqual([
			expect.objectContaining({
				proposalId,
				status: 'Completed',
				outline: expect.stringContaining('# '),
			}),
		]);
		expect(requested('aiOutline.generate')).toBe(1);
		expect(requested('aiOutline.get')).toBe(3);
	});

	it('waits for content that is still being transcribed', async () => {
		const binary = await store(Buffer.from('x'), { fileName: 'upstairs.txt' }, 'memory');
		await uploadWith(credential, binary, { proposalId });
		const [[output]] = (await Promise.all([
			run('aiOutline.generate', { proposalId, ...wait(60) }),
			onRequest('aiContent.getMany', 2, () => {
				expect(requested('aiOutline.generate')).toBe(0);
				service.control.finishAi();
			}),
			onRequest('aiOutline.get', 1, () => service.control.finishAi()),
		])) as unknown as [{ outline: string }[]];
		expect(output!.outline).toContain('- upstairs.txt');
	});

	it('that failed is told from one that is late', async () => {
		service.control.failNextOutline();
		const failed = run('aiOutline.generate', { proposalId, ...wait(60) });
		await Promise.all([
			expect(failed).rejects.toMatchObject({
				message: 'The outline failed in Portal.io',
				description: expect.stringContaining("the status 'Failed'"),
			}),
			onRequest('aiOutline.get', 1, () => service.control.finishAi()),
		]);

		await expect(run('aiOutline.generate', { proposalId, ...wait(2) })).rejects.toMatchObject({
			message: 'The outline did not finish within 2 seconds',
			description: expect.stringMatching(
				/^Its last status was 'Generating'\. It continues in Portal/,
			),
		});
	});

	it('is waited for through failures of single reads, but not through refusals', async () => {
		service.control.failNext({ operationId: 'aiOutline.get', status: 503 });
		service.control.failNext({ operationId: 'aiOutline.get', disconnect: true });
		await Promise.all([
			run('aiOutline.generate', { proposalId, ...wait(60) }),
			onRequest('aiOutline.get', 3, () => service.control.finishAi()),
		]);
		service.control.failNext({ operationId: 'aiOutline.get', status: 403 });
		await expect(run('aiOutline.generate', { proposalId, ...wait(60) })).rejects.toMatchObject({
			httpCode: '403',
		});
	});

	it('is waited for with a key that expires meanwhile', async () => {
		const [[output]] = (await Promise.all([
			run('aiOutline.generate', { proposalId, ...wait(60) }),
			onRequest('aiOutline.get', 1, () => {
				service.control.expireUserKeys();
				service.control.finishAi();
			}),
		])) as [object[], unknown];
		expect(output).toMatchObject({ status: 'Completed' });
	});

	it('is not waited for unless asked for', async () => {
		const output = await run('aiOutline.generate', { proposalId, options: { maxWait: 60 } });
		expect(output).toEqual([expect.objectContaining({ proposalId, status: 'Generating' })]);
		expect(requested('aiOutline.get')).toBe(0);
	});

	it('is not waited for any more once the execution is stopped', async () => {
		const stop = new AbortController();
		const stopped = run(
			'aiOutline.generate',
			{ proposalId, ...wait(3600) },
			{ signal: stop.signal, items: [{}, {}], continueOnFail: true },
		);
		await Promise.all([
			expect(stopped).rejects.toThrow('The execution was stopped while waiting'),
			onRequest('aiOutline.get', 2, () => stop.abort()),
		]);
		expect(requested('aiOutline.generate')).toBe(1);
		expect(requested('aiOutline.get')).toBe(2);
	});

	it.each([0, -1, 'soon'])('is not waited for %s seconds', async (maxWait) => {
		const options = { waitForCompletion: true, maxWait };
		await expect(run('aiOutline.generate', { proposalId, options })).rejects.toThrow(
			"'Max Wait (Seconds)' must be a number above 0",
		);
		expect(service.control.requests).toEqual([]);
	});
});

describe('the build', () => {
	const built = seed.proposals.freshNetwork;
	const areas = () => service.control.proposal(built).areas.length;

	it('is returned with the proposal when the areas are there', async () => {
		const before = areas();
		const [[output]] = (await Promise.all([
			run('aiBuild.start', { proposalId: built, simplify: false, ...wait(60) }),
			onRequest('proposal.get', 2, () => service.control.finishAi()),
		])) as [{ proposal: { areas: object[] } }[], unknown];
		expect(areas()).toBeGreaterThan(before);
		expect(output).toMatchObject({ proposalId: built, status: 'Completed' });
		expect(output!.proposal.areas).toHaveLength(areas());
		expect(requested('aiBuild.start')).toBe(1);
	});

	it('is returned without the proposal when simplified', async () => {
		const [output] = (await Promise.all([
			run('aiBuild.start', { proposalId: built, ...wait(60) }),
			onRequest('proposal.get', 2, () => service.control.finishAi()),
		])) as [object[], unknown];
		expect(output).toEqual([{ proposalId: built, status: 'Completed' }]);
	});

	it('is waited for although the response to its start was empty', async () => {
		service.control.failNext({ operationId: 'aiBuild.start', spoil: 'empty' });
		const [output] = (await Promise.all([
			run('aiBuild.start', { proposalId: built, ...wait(60) }),
			onRequest('proposal.get', 2, () => service.control.finishAi()),
		])) as [object[], unknown];
		expect(output).toEqual([{ proposalId: built, status: 'Completed' }]);
	});

	it('that brings nothing is late', async () => {
		service.control.failNextBuild();
		const late = run('aiBuild.start', { proposalId: built, ...wait(3) });
		await Promise.all([
			expect(late).rejects.toMatchObject({
				message: 'The build did not finish within 3 seconds',
				description: expect.stringContaining("Increase 'Max Wait"),
			}),
			onRequest('proposal.get', 2, () => service.control.finishAi()),
		]);
	});
});

describe('the pauses', () => {
	it('grow, up to half a minute', () => {
		const pauses = [1];
		while (pauses.length < 12) pauses.push(nextPause(pauses.at(-1)!));
		expect(pauses.slice(0, 4)).toEqual([1, 1.5, 2.25, 3.375]);
		expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
		expect(pauses.at(-1)).toBe(30);
	});
});
