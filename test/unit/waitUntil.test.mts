/** Tests the wait for Portal.io's AI work. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PortalError } from '../../client/errors.ts';
import { explainFailure } from '../../client/explain.ts';
import { createWait, type PendingWork } from '../../nodes/PortalIo/operation/waitUntil.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const failure = (status: string, code = '', more: object = {}) =>
	explainFailure({ status, code, ...more });
const CONTINUES = 'Portal.io might still be working on it.';
const FAILED = 'The last attempt to read its status failed:';
const REFUSED = 'Portal.io could not process the request.';
const LAST = "Its last status was 'Running'.";

/** Waits for the status `Done`. The last of the `readings` is repeated. */
async function waitFor(seconds: number, readings: (string | Error)[]) {
	const pauses: number[] = [];
	const left = [...readings];
	const pause = async (length: number) => {
		pauses.push(length);
		vi.setSystemTime(Date.now() + length * 1000);
	};
	const work: PendingWork = {
		what: 'The outline',
		read: async () => {
			const next = left.length > 1 ? left.shift()! : left[0]!;
			if (next instanceof Error) throw next;
			return { status: next };
		},
		progress: (response) => {
			const { status } = response as { status: string };
			if (status === 'Broken') throw new PortalError('The outline is broken');
			return { isDone: status === 'Done', status };
		},
	};
	const outcome = await createWait(
		{ pause },
		seconds,
	)(work).catch((error: Error & { description: string }) => error);
	return { outcome, pauses };
}

it('returns the response that shows that the work is done', async () => {
	const { outcome, pauses } = await waitFor(60, ['', 'Running', 'Done']);
	expect(outcome).toEqual({ status: 'Done' });
	expect(pauses).toEqual([1, 1.5]);
});

it('ends a wait at its time limit, with a shorter last pause', async () => {
	const { outcome, pauses } = await waitFor(4, ['Running']);
	expect(outcome).toMatchObject({ message: 'The outline did not finish within 4 seconds' });
	expect(pauses).toEqual([1, 1.5, 1.5, 0]);
});

it('ends a wait as soon as the work has failed', async () => {
	const { outcome, pauses } = await waitFor(60, ['Running', 'Broken', 'Done']);
	expect(outcome).toMatchObject({ message: 'The outline is broken' });
	expect(pauses).toEqual([1]);
});

it.each<[string, (string | Error)[], string]>([
	['no status', [''], CONTINUES],
	['a status', ['Running'], `${LAST} ${CONTINUES}`],
	['a status that is no longer returned', ['Running', ''], CONTINUES],
	['only failed readings', [failure('503')], `${FAILED} ${REFUSED} ${CONTINUES}`],
	['a failed reading', ['Running', failure('503')], `${FAILED} ${REFUSED} ${LAST} ${CONTINUES}`],
	['a reading after one that failed', [failure('429'), 'Running'], `${LAST} ${CONTINUES}`],
])('reports the last state of a wait that ends with %s', async (_, readings, said) => {
	const { outcome } = await waitFor(4, readings);
	const { description } = outcome as { description: string };
	expect(description.startsWith(said), description).toBe(true);
});

it.each([
	['a record that is not there', failure('404')],
	['a request that is not allowed', failure('415')],
	['a URL that n8n blocks', failure('', '', { blockedBy: 'ssrf' })],
])('ends a wait immediately on a permanent error: %s', async (_, error) => {
	expect(await waitFor(60, [error])).toEqual({ outcome: error, pauses: [] });
});
