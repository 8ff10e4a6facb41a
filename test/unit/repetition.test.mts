/** The memory of inputs of a node that *Retry On Fail* repeats. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { PortalError } from '../../client/errors.ts';
import {
	continueFrom,
	progressOfItems,
	type Progress,
} from '../../nodes/PortalIo/run/repetition.ts';

const progressOf = (item: INodeExecutionData, isTool = false, id = 'a node') =>
	progressOfItems({
		getInputData: () => [item],
		getNode: () => ({ id }),
		isToolExecution: () => isTool,
	} as unknown as IExecuteFunctions)(0);

it('distinguishes the calls of a tool by their arguments, which come in a new item at each try', () => {
	const [first, second] = [{ name: 'Den' }, { name: 'Den' }];
	expect(progressOf({ json: first }, true)).toBe(progressOf({ json: first }, true));
	expect(progressOf({ json: first }, true)).not.toBe(progressOf({ json: second }, true));
});

it('distinguishes nodes that get the same item', () => {
	const item = { json: {} };
	expect(progressOf(item)).toBe(progressOf(item));
	expect(progressOf(item, false, 'another node')).not.toBe(progressOf(item));
});

it('keeps nothing of an item that n8n has dropped', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const progress = new WeakRef(progressOf({ json: {} }));
	// A reference that was made stays until the end of the task.
	await new Promise(setImmediate);
	collectGarbage();
	expect(progress.deref()).toBeUndefined();
});

const read = { method: 'GET', path: '/a', query: { page: 1 } } as const;
const add = { method: 'POST', path: '/a' } as const;
const addOther = { method: 'POST', path: '/b' } as const;
const set = { ...add, isRepeatable: true };
const gives = (response: unknown) => async () => response;
const fails = (error: Error) => async () => await Promise.reject(error);
const sent = async () => await Promise.reject(new Error('It was sent'));
const lost = () => new PortalError('It is lost', { doubt: 'It may have been done.' });
const begin = (): Progress => ({ changes: [], newOptionIds: new Set() });

it('replays the reads of the earlier try up to its last change, then continues', async () => {
	const progress = begin();
	const first = continueFrom(progress);
	expect(await first.read(read, gives(1))).toBe(1);
	expect(await first.change(add, gives('added'))).toBe('added');
	expect(await first.read(read, gives(2))).toBe(2);
	const second = continueFrom(progress);
	expect(await second.read(read, sent)).toBe(1);
	expect(await second.read({ ...read, query: { page: 2 } }, gives('page 2'))).toBe('page 2');
	expect(await second.change(add, sent)).toBe('added');
	expect(await second.read(read, gives(3))).toBe(3);
});

it('replays nothing after a change that differs from the earlier try', async () => {
	const progress = begin();
	const first = continueFrom(progress);
	await first.change(add, gives('added'));
	await first.change(addOther, gives('added other'));
	const second = continueFrom(progress);
	expect(await second.change(addOther, gives('now'))).toBe('now');
	expect(progress.changes.map(({ route }) => route)).toEqual(['POST /b']);
	expect(await second.change(addOther, gives('again'))).toBe('again');
});

it('sends no change again that may have been processed', async () => {
	const progress = begin();
	const { description, message } = lost();
	await expect(continueFrom(progress).change(add, fails(lost()))).rejects.toThrow(message);
	const again = continueFrom(progress).change(add, gives('twice'));
	await expect(again).rejects.toMatchObject({
		message,
		description: `${description}\n'Retry On Fail' does not repeat such a request.`,
	});
	expect(await continueFrom(progress).change(addOther, gives('other'))).toBe('other');
});

it.each([
	['a value that may be set twice', set, lost()],
	['what was refused', add, new PortalError('It is refused')],
	['what failed otherwise', add, new Error('Broken')],
])('sends %s once more in another try', async (_, request, error) => {
	const progress = begin();
	await expect(continueFrom(progress).change(request, fails(error))).rejects.toBe(error);
	expect(await continueFrom(progress).change(request, gives('done'))).toBe('done');
});
