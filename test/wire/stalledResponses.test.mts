/** Tests responses that stop midway. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as nextCycle } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { execute, restartWorker } from '../../dev/testbed/nodeRunner.mts';
import { restoredService } from './account.mts';
import { skipWaits } from './waits.mts';

skipWaits();
const service = restoredService();
const LOGIN = 'authentication.exchangeKey';

let limits: Array<{ ms: number; pass: () => void }>;
beforeEach(() => {
	restartWorker();
	limits = [];
	vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const controller = new AbortController();
		limits.push({ ms, pass: () => controller.abort() });
		return controller.signal;
	});
});
afterEach(() => vi.mocked(AbortSignal.timeout).mockRestore());

/** Stops an operation's next response midway. Resolves when n8n has received the beginning of the response. */
async function stall(operationId: string): Promise<void> {
	service.fail(operationId, { brokenResponse: 'stuck' });
	const { promise, resolve } = Promise.withResolvers();
	subscribe('http.client.response.finish', resolve);
	onTestFinished(() => void unsubscribe('http.client.response.finish', resolve));
	await promise;
	// Wait, because n8n reads the beginning in one of the next event loop cycles.
	for (let cycle = 0; cycle < 5; cycle++) await nextCycle();
}

const read = async (credential = service.account) =>
	await execute({
		credential,
		operation: 'user.getMany',
		parameters: { requestOptions: { requestAttempts: 2 } },
	});

it('logs in again if the login that an execution and a poll are waiting for stalls', async () => {
	const credential = service.credential();
	const begun = stall(LOGIN);
	const node = service.polling('paymentStatusChanged', {}, credential);
	const waiting = [read(credential), node.poll()];
	await begun;
	limits.find(({ ms }) => ms === 30_000)!.pass();
	await Promise.all(waiting);
	expect(service.control.loginCount()).toBe(2);
});

it('ends a stopped execution that waits for the rest of a response', async () => {
	const begun = stall('user.getMany');
	const stop = new AbortController();
	const output = service.run('user.getMany', {}, { signal: stop.signal });
	await begun;
	stop.abort();
	await expect(output).rejects.toThrow('was stopped');
});
