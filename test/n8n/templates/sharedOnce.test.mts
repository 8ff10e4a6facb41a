/** The shared workflow *Once per Proposal*, called in the real n8n by hand. */
import { expect, test } from 'vitest';
import { createCaller, returned } from '../../../testbed/sharedWorkflows.mts';
import { changeRows } from '../../../testbed/tableSteps.mts';
import { manualStart } from '../../../testbed/workflowBuilder.mts';
import { ownStage } from '../stages.mts';
import { call, done, expectCalls as expectCallsOn, go, ONCE, wait, type Result } from './once.mts';

const stage = ownStage({ examples: [ONCE] });

const second = { version: 'second' };
const third = { version: 'third' };

const rowsOf = async (job: string) =>
	(await stage().n8n.dataTableRows('portal_jobs')).filter((row) => row.job === job);

/** Makes the claims of a job look as if their executions had ended an hour ago. */
const abandon = (job: string) =>
	changeRows(
		stage(),
		'portal_jobs',
		{ job, state: 'started' },
		{ claimedAt: new Date(Date.now() - 3_600_000).toISOString() },
	);

const held = (isNews: boolean) => ({ state: 'held', isNews });

const expectCalls = async (...calls: [input: object, result: object][]) =>
	await expectCallsOn(stage(), ...calls);

test('does each version of a proposal once, and another proposal or job on its own', async () => {
	const job = 'once';
	await expectCalls(
		[call(job, 'start'), go('new')],
		[call(job, 'start'), wait()],
		[call(job, 'start', { proposalId: 48_202, proposalNumber: 1002 }), go('new')],
		[call('once too', 'start'), go('new')],
		[call(job, 'done', { targetId: 'T-1' }), done('T-1')],
		[call(job, 'start'), { go: false, ...done('T-1') }],
		// A second delivery of the end changes nothing.
		[call(job, 'done', { targetId: 'T-2' }), done('T-2')],
		[call(job, 'start'), { go: false, ...done('T-1') }],
	);
	expect(await rowsOf(job)).toEqual([
		expect.objectContaining({
			proposalId: 48_201,
			proposalNumber: 1001,
			version: 'first',
			state: 'done',
			targetId: 'T-1',
			reason: '',
		}),
		expect.objectContaining({ proposalId: 48_202, proposalNumber: 1002, state: 'started' }),
	]);
});

test('does a proposal again when it has changed, and when it has changed back', async () => {
	const job = 'again';
	await expectCalls(
		[call(job, 'start'), go('new')],
		[call(job, 'done', { targetId: 'T-1' }), done('T-1')],
		[call(job, 'start', second), go('new', 'T-1')],
		[call(job, 'done', second), done('T-1')],
		[call(job, 'start', second), { go: false, ...done('T-1') }],
		[call(job, 'start'), go('new', 'T-1')],
		[call(job, 'done'), done('T-1')],
		[call(job, 'start'), { go: false, ...done('T-1') }],
	);
	const versions = (await rowsOf(job)).map(({ version, targetId }) => [version, targetId]);
	expect(versions).toEqual([
		['first', 'T-1'],
		['second', 'T-1'],
		['first', 'T-1'],
	]);
});

test('lets another version wait while one is in progress', async () => {
	const job = 'waiting';
	await expectCalls(
		[call(job, 'start'), go('new')],
		[call(job, 'start', second), wait()],
		[call(job, 'done', { targetId: 'T-1' }), done('T-1')],
		[call(job, 'start', second), go('new', 'T-1')],
		[call(job, 'start', third), wait('T-1')],
		[call(job, 'done', second), done('T-1')],
	);
	expect(await rowsOf(job)).toHaveLength(2);
});

test('holds with a reason, says once that it is new, and tries again', async () => {
	const job = 'holding';
	const unknown = { reason: 'No product for LX65' };
	const several = { reason: 'Several customers match' };
	await expectCalls(
		[call(job, 'start'), go('new')],
		[call(job, 'hold', unknown), held(true)],
		[call(job, 'start'), go('held')],
		[call(job, 'start'), wait()],
		[call(job, 'hold', unknown), held(false)],
		[call(job, 'start'), go('held')],
		[call(job, 'hold', several), held(true)],
	);
	expect(await rowsOf(job)).toMatchObject([{ state: 'held', ...several }]);
	await expectCalls(
		// The proposal has changed in the meantime: the same row, for the new version.
		[call(job, 'start', second), go('held')],
		[call(job, 'hold', { ...second, ...several }), held(false)],
		[call(job, 'start', second), go('held')],
		[call(job, 'done', { ...second, targetId: 'T-1' }), done('T-1')],
		[call(job, 'start', second), { go: false, ...done('T-1') }],
		[call(job, 'start', third), go('new', 'T-1')],
		// After a success, the old reason is news again.
		[call(job, 'hold', { ...third, ...several }), held(true)],
	);
	expect(await rowsOf(job)).toMatchObject([
		{ version: 'second', state: 'done', reason: '' },
		{ version: 'third', state: 'held', ...several },
	]);
});

test('resumes what an execution left, for this version or the next', async () => {
	const job = 'abandoned';
	await expectCalls([call(job, 'start'), go('new')]);
	await abandon(job);
	await expectCalls([call(job, 'start'), go('resumed')], [call(job, 'start'), wait()]);
	await abandon(job);
	await expectCalls(
		[call(job, 'start', second), go('resumed')],
		[call(job, 'done', { ...second, targetId: 'T-1' }), done('T-1')],
	);
	expect(await rowsOf(job)).toMatchObject([{ version: 'second', state: 'done' }]);
});

test('lets one of eight executions go that start at the same moment', async () => {
	const { n8n } = stage();
	const job = 'eight';
	const caller = await createCaller(stage(), ONCE, [call(job, 'start')]);
	const startEight = async () => {
		const runs = Array.from({ length: 8 }, () => n8n.runManually(caller, manualStart.name));
		const results = (await Promise.all(runs)).map((run) => returned<Result>(run)[0]!);
		expect(results).toHaveLength(8);
		const [one, ...others] = results.toSorted((a, b) => Number(b.go) - Number(a.go));
		expect(others).toEqual(Array.from({ length: 7 }, () => wait()));
		return one;
	};
	expect(await startEight()).toEqual(go('new'));
	expect(await rowsOf(job)).toHaveLength(1);
	await abandon(job);
	expect(await startEight()).toEqual(go('resumed'));
	await expectCalls([call(job, 'hold', { reason: 'x' }), held(true)]);
	expect(await startEight()).toEqual(go('held'));
	expect(await rowsOf(job)).toMatchObject([{ state: 'started', reason: 'x' }]);
	await expectCalls([call(job, 'done', { targetId: 'T-1' }), done('T-1')]);
	expect(await rowsOf(job)).toMatchObject([{ state: 'done', targetId: 'T-1' }]);
});
