/** Replaces n8n's `sleep`, so the nodes' waits end immediately. The clock advances only by these waits. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, vi } from 'vitest';

const load = createRequire(import.meta.url);
const helpers = createRequire(load.resolve('n8n-workflow'))('@n8n/utils/sleep') as {
	sleep(milliseconds: number): Promise<void>;
};

/** @param onTime function to call whenever time has passed */
export function skipWaits(onTime: () => Promise<void> = async () => {}): void {
	let waiting: { end: number; goOn: () => void }[] = [];
	const pass = async (end: number) => {
		// Do nothing after the file's tests have ended.
		if (!vi.isFakeTimers()) return;
		if (Date.now() < end) vi.advanceTimersByTime(end - Date.now());
		await onTime();
		const over = waiting.filter((one) => one.end <= Date.now());
		waiting = waiting.filter((one) => !over.includes(one));
		for (const { goOn } of over) goOn();
	};
	beforeAll(() => {
		vi.useFakeTimers({ toFake: ['Date', 'performance'] });
		vi.spyOn(helpers, 'sleep').mockImplementation(async (milliseconds) => {
			const end = Date.now() + Math.ceil(milliseconds);
			const { promise, resolve } = Promise.withResolvers();
			waiting.push({ end, goOn: () => resolve(undefined) });
			setImmediate(() => void pass(end));
			await promise;
		});
	});
	afterAll(() => {
		vi.restoreAllMocks();
		vi.useRealTimers();
	});
}
