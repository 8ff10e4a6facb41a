/** What one input of the node sends and says. */
import { expect, it } from 'vitest';
import type { PortalError } from '../../client/errors.ts';
import { readRequestOptions } from '../../nodes/PortalIo/fields/requestOptions.ts';
import { callOf } from '../../nodes/PortalIo/run/call.ts';
import { playedSession, Refusal } from './playedSession.mts';

function setUp() {
	const said: unknown[] = [];
	const { session, context } = playedSession(({ method }) => ({ method }), {
		logger: { warn: (text: string) => said.push(text) },
		addExecutionHints: (hint: object) => said.push(hint),
	});
	return { call: callOf(context, session, {}), said };
}
const hint = (message: string, type: string) => ({ message, type, location: 'outputPane' });

it('records whether a call has changed anything', async () => {
	const { call } = setUp();
	await call.send({ method: 'GET', path: '/a' });
	expect(call.doubt).toBe('');
	await call.send({ method: 'POST', path: '/a' });
	expect(call.doubt).not.toBe('');
});

it('reports no doubt after a read', async () => {
	const { session, context } = playedSession(() => new Refusal(500));
	const call = callOf(context, session, {});
	const doubtAbout = async (method: 'GET' | 'POST') =>
		await call.send({ method, path: '/a' }).catch((error: PortalError) => error.doubt !== '');
	expect([await doubtAbout('GET'), await doubtAbout('POST')]).toEqual([false, true]);
});

it('shows hints and warnings next to the output, and logs the warnings', () => {
	const { call, said } = setUp();
	call.hint('All copied');
	expect(said).toEqual([hint('All copied', 'info')]);
	call.warn('One is gone');
	expect(said.slice(1)).toEqual([hint('One is gone', 'warning'), 'Portal.io: One is gone']);
});

const read = async (options: object, kind: 'read' | 'change' = 'read') =>
	await readRequestOptions(
		{
			getNode: () => ({ type: 'n8n-nodes-portal-io.portalIo' }),
			getNodeParameter: () => options,
		} as never,
		kind,
	);

it.each([
	[undefined, 'read', 20, 4],
	['', 'read', 20, 4],
	[undefined, 'change', 5, 4],
	['1', 'read', 1, 1],
	[10, 'change', 10, 10],
] as const)('reads the request option %j of a %s, or its default', async (...row) => {
	const [given, kind, concurrency, attempts] = row;
	expect(await read({ itemsInParallel: given, requestAttempts: given }, kind)).toEqual({
		concurrency,
		attempts,
	});
});

it.each(['many', 0, 2.9, 51])('names the wrong request option %j', async (given) => {
	const must = (label: string, max: number) =>
		`'${label}' must be a whole number from 1 to ${max}; it is '${given}'`;
	const refusal = async (name: string, message: string) =>
		await expect(read({ [name]: given })).rejects.toThrow(message);
	await refusal('itemsInParallel', must('Items in Parallel', 50));
	await refusal('requestAttempts', must('Request Attempts', 10));
});
