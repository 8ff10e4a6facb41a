/** What is known of the inputs of a node that *Retry On Fail* repeats. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { findProgress } from '../../nodes/PortalIo/run/repetition.ts';

const progressOf = (item: INodeExecutionData, isTool = false, retryOnFail = true) =>
	findProgress({
		getNode: () => ({ retryOnFail }),
		getInputData: () => [item],
		isToolExecution: () => isTool,
	} as unknown as IExecuteFunctions)(0);

it('keeps nothing without Retry On Fail', () => {
	expect(progressOf({ json: {} }, false, false)).toBeUndefined();
});

it('tells the calls of a tool apart by their arguments, which come in a new item at each try', () => {
	const [first, second] = [{ name: 'Den' }, { name: 'Den' }];
	expect(progressOf({ json: first }, true)).toBe(progressOf({ json: first }, true));
	expect(progressOf({ json: first }, true)).not.toBe(progressOf({ json: second }, true));
});

it('tells inputs apart that have the same data, as in two runs of a loop', () => {
	const json = { name: 'Den' };
	expect(progressOf({ json })).not.toBe(progressOf({ json }));
});

it('keeps nothing of an item that n8n has dropped', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const progress = new WeakRef(progressOf({ json: {} })!);
	// A reference that was made stays until the end of the task.
	await new Promise(setImmediate);
	collectGarbage();
	expect(progress.deref()).toBeUndefined();
});
