/** Replaces n8n's `sleep`, by which the nodes wait: time stands still but for their waits, which pass at once. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';

const load = createRequire(import.meta.url);
const helpers = createRequire(load.resolve('n8n-workflow'))('@n8n/utils/sleep') as {
	sleep(milliseconds: number): Promise<void>;
};

/** After this a new key is forgotten. Nobody waits for that. */
const FRESH_MS = 10_000;

export interface Waits {
	/** Lets nobody go on until `release` is called; resolves when somebody waits, and nobody else may. */
	hold(): Promise<void>;
	release(): void;
}

/** @param onTime is called whenever time has passed, with what else goes by it */
export function skipWaits(onTime: () => Promise<void> = async () => {}): Waits {
	let waiting: { end: number; goOn: () => void }[] = [];
	type Held = {
		waits: number;
		reached: () => void;
		promise: Promise<unknown>;
		release: () => void;
	};
	let held: Held | undefined;

	const pass = async (end: number) => {
		held?.reached();
		await held?.promise;
		if (Date.now() < end) vi.setSystemTime(end);
		await onTime();
		const over = waiting.filter((one) => one.end <= Date.now());
		waiting = waiting.filter((one) => !over.includes(one));
		for (const { goOn } of over) goOn();
	};
	beforeAll(() => {
		vi.useFakeTimers({ toFake: ['Date'] });
		vi.spyOn(helpers, 'sleep').mockImplementation(async (milliseconds) => {
			// A test that waits for what is held would never end.
			if (held && milliseconds !== FRESH_MS && ++held.waits > 1)
				throw new Error('Waits although another wait is held');
			const end = Date.now() + Math.ceil(milliseconds);
			const { promise, resolve } = Promise.withResolvers();
			waiting.push({ end, goOn: () => resolve(undefined) });
			if (milliseconds !== FRESH_MS) setImmediate(() => void pass(end));
			await promise;
		});
	});
	afterAll(() => {
		vi.restoreAllMocks();
		vi.useRealTimers();
	});
	const release = () => {
		held?.release();
		held = undefined;
	};
	return {
		async hold() {
			onTestFinished(release);
			const reached = Promise.withResolvers();
			const released = Promise.withResolvers();
			held = {
				waits: 0,
				promise: released.promise,
				reached: () => reached.resolve(undefined),
				release: () => released.resolve(undefined),
			};
			await reached.promise;
		},
		release,
	};
}
