/** Waiting for outlines and builds: for their end, not beyond the limit, and not after a stop. */
import { describe, expect, test } from 'vitest';
import { nextPause } from '../../nodes/PortalIo/sendAndWait.ts';
import { until } from '../../testbed/until.mts';
import { runner, seed, startService } from './account.mts';
import { store, uploadWith } from './files.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/aiBuild/index.ts';
import '../../nodes/PortalIo/resources/aiOutline/index.ts';

const proposalId = seed.proposals.freshLighting;
const wait = (maxWait: number) => ({ options: { waitForCompletion: true, maxWait } });

/** A service of its own for a test: they wait side by side. */
const it = test.extend('service', async ({}, { onCleanup }) => {
	// Nothing moves unless a test says so.
	const started = await startService({ aiStepSeconds: 3600 });
	const { control } = started;
	onCleanup(async () => {
		expect(control.contractViolations).toEqual([]);
		await started.simulator.stop();
	});
	const credential = started.credential();
	const run = runner(() => credential);
	await run('proposal.get', { proposalId });
	control.clearRequests();
	const requested = (operationId: string) =>
		control.requests.filter((one) => one.operationId === operationId).length;
	/** Calls back as soon as the service was asked something for the given time. */
	const onRequest = async (operationId: string, times: number, then: () => unknown) => {
		await until(`${times} × ${operationId}`, () => requested(operationId) >= times || undefined);
		await then();
	};
	return { control, credential, run, requested, onRequest };
});

describe('the outline', { concurrent: true }, () => {
	it('is returned when it is completed', async ({
		service: { control, run, requested, onRequest },
	}) => {
		const [output] = (await Promise.all([
			run('aiOutline.generate', { proposalId, ...wait(60) }),
			onRequest('aiOutline.get', 2, () => control.finishAi()),
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

	it('waits for content that is still being transcribed', async ({
		service: { control, credential, run, requested, onRequest },
	}) => {
		const binary = await store(Buffer.from('x'), { fileName: 'upstairs.txt' }, 'memory');
		await uploadWith(credential, binary, { proposalId });
		const [[output]] = (await Promise.all([
			run('aiOutline.generate', { proposalId, ...wait(60) }),
			onRequest('aiContent.getMany', 2, () => {
				expect(requested('aiOutline.generate')).toBe(0);
				control.finishAi();
			}),
			onRequest('aiOutline.get', 1, () => control.finishAi()),
		])) as unknown as [{ outline: string }[]];
		expect(output!.outline).toContain('- upstairs.txt');
	});

	it('that failed is told from one that is late', async ({
		service: { control, run, onRequest },
	}) => {
		control.failNextOutline();
		const failed = run('aiOutline.generate', { proposalId, ...wait(60) });
		await Promise.all([
			expect(failed).rejects.toMatchObject({
				message: 'The outline failed in Portal.io',
				description: expect.stringContaining("the status 'Failed'"),
			}),
			onRequest('aiOutline.get', 1, () => control.finishAi()),
		]);

		await expect(run('aiOutline.generate', { proposalId, ...wait(2) })).rejects.toMatchObject({
			message: 'The outline did not finish within 2 seconds',
			description: expect.stringMatching(
				/^Its last status was 'Generating'\. It continues in Portal/,
			),
		});
	});

	it('is waited for through failures of single reads, but not through refusals', async ({
		service: { control, run, onRequest },
	}) => {
		control.failNext({ operationId: 'aiOutline.get', status: 503 });
		control.failNext({ operationId: 'aiOutline.get', disconnect: true });
		await Promise.all([
			run('aiOutline.generate', { proposalId, ...wait(60) }),
			onRequest('aiOutline.get', 3, () => control.finishAi()),
		]);
		control.failNext({ operationId: 'aiOutline.get', status: 403 });
		await expect(run('aiOutline.generate', { proposalId, ...wait(60) })).rejects.toMatchObject({
			httpCode: '403',
		});
	});

	it('is waited for with a key that expires meanwhile', async ({
		service: { control, run, onRequest },
	}) => {
		const [[output]] = (await Promise.all([
			run('aiOutline.generate', { proposalId, ...wait(60) }),
			onRequest('aiOutline.get', 1, () => {
				control.expireUserKeys();
				control.finishAi();
			}),
		])) as [object[], unknown];
		expect(output).toMatchObject({ status: 'Completed' });
	});

	it('is not waited for unless asked for', async ({ service: { run, requested } }) => {
		const output = await run('aiOutline.generate', { proposalId, options: { maxWait: 60 } });
		expect(output).toEqual([expect.objectContaining({ proposalId, status: 'Generating' })]);
		expect(requested('aiOutline.get')).toBe(0);
	});

	it('is not waited for any more once the execution is stopped', async ({
		service: { run, requested, onRequest },
	}) => {
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

	it.for([0, -1, 'soon'])(
		'is not waited for %s seconds',
		async (maxWait, { service: { control, run } }) => {
			const options = { waitForCompletion: true, maxWait };
			await expect(run('aiOutline.generate', { proposalId, options })).rejects.toThrow(
				"'Max Wait (Seconds)' must be a number above 0",
			);
			expect(control.requests).toEqual([]);
		},
	);
});

describe('the build', { concurrent: true }, () => {
	const built = seed.proposals.freshNetwork;
	it('is returned with the proposal when the areas are there', async ({
		service: { control, run, requested, onRequest },
	}) => {
		const areas = () => control.proposal(built).areas.length;
		const before = areas();
		const [[output]] = (await Promise.all([
			run('aiBuild.start', { proposalId: built, simplify: false, ...wait(60) }),
			onRequest('proposal.get', 2, () => control.finishAi()),
		])) as [{ proposal: { areas: object[] } }[], unknown];
		expect(areas()).toBeGreaterThan(before);
		expect(output).toMatchObject({ proposalId: built, status: 'Completed' });
		expect(output!.proposal.areas).toHaveLength(areas());
		expect(requested('aiBuild.start')).toBe(1);
	});

	it('is returned without the proposal when simplified', async ({
		service: { control, run, onRequest },
	}) => {
		const [output] = (await Promise.all([
			run('aiBuild.start', { proposalId: built, ...wait(60) }),
			onRequest('proposal.get', 2, () => control.finishAi()),
		])) as [object[], unknown];
		expect(output).toEqual([{ proposalId: built, status: 'Completed' }]);
	});

	it('is waited for although the response to its start was empty', async ({
		service: { control, run, onRequest },
	}) => {
		control.failNext({ operationId: 'aiBuild.start', spoil: 'empty' });
		const [output] = (await Promise.all([
			run('aiBuild.start', { proposalId: built, ...wait(60) }),
			onRequest('proposal.get', 2, () => control.finishAi()),
		])) as [object[], unknown];
		expect(output).toEqual([{ proposalId: built, status: 'Completed' }]);
	});

	it('that brings nothing is late', async ({ service: { control, run, onRequest } }) => {
		control.failNextBuild();
		const late = run('aiBuild.start', { proposalId: built, ...wait(3) });
		await Promise.all([
			expect(late).rejects.toMatchObject({
				message: 'The build did not finish within 3 seconds',
				description: expect.stringContaining("Increase 'Max Wait"),
			}),
			onRequest('proposal.get', 2, () => control.finishAi()),
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
