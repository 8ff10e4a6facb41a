/** What the tests of the shared workflow *Once per Proposal* call it with, and what it returns. */
import { expect } from 'vitest';
import { callShared } from '../../../testbed/sharedWorkflows.mts';
import type { Stage } from '../../../testbed/stage.mts';

/** The name of the shared workflow. */
export const ONCE = 'Once per Proposal';

/** What a call returns. */
export interface Result {
	go?: boolean;
	state: string;
	targetId?: string;
	isNews?: boolean;
}

/** What a call for the first version of a proposal is made of; each test has a job of its own. */
export const call = (job: string, step: string, more: object = {}) => ({
	step,
	job,
	proposalId: 48_201,
	proposalNumber: 1001,
	version: 'first',
	targetId: '',
	reason: '',
	...more,
});

/** Who starts may go on. */
export const go = (state: string, targetId = '') => ({ go: true, state, targetId });

/** Another execution is at it. */
export const wait = (targetId = '') => ({ go: false, state: 'running', targetId });

/** It was done. */
export const done = (targetId: string) => ({ state: 'done', targetId });

/** Calls one after another, and compares what each returns. */
export async function expectCalls(stage: Stage, ...calls: [input: object, result: object][]) {
	const results = await callShared<Result>(
		stage,
		ONCE,
		calls.map(([input]) => input),
	);
	expect(results).toEqual(calls.map(([, result]) => result));
}
