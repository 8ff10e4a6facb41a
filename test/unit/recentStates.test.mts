import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RecentStates } from '../../client/recentStates.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const HOUR = 3600_000;
const pass = (hours: number) => void vi.advanceTimersByTime(hours * HOUR);

it('returns the same state if it is used at least once a day', () => {
	const states = new RecentStates(() => ({}));
	const state = states.get('daily');
	for (let day = 0; day < 3; day++) {
		pass(12);
		states.get('another');
		pass(12);
		expect(states.get('daily')).toBe(state);
	}
	pass(25);
	expect(states.get('daily')).not.toBe(state);
});

it('creates a new state after it was deleted', () => {
	const states = new RecentStates(() => ({}));
	const state = states.get('key');
	states.delete('key');
	expect(states.get('key')).not.toBe(state);
});

it('frees the memory of a state that is not used for a day', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const states = new RecentStates(() => ({}));
	const state = new WeakRef(states.get('unused'));
	pass(25);
	states.get('another');
	// Wait, because the target of a new `WeakRef` lives until the current task ends.
	await new Promise(setImmediate);
	collectGarbage();
	expect(state.deref()).toBeUndefined();
});
