/** Tests the requests, hints, and options of one input item. */
import { expect, it } from 'vitest';
import { readRequestOptions } from '../../nodes/PortalIo/fields/requestOptions.ts';
import { CallLog, createCall } from '../../nodes/PortalIo/run/call.ts';
import { playedSession, Refusal } from './playedSession.mts';

function setUp(respond: (request: { method?: string }) => unknown = () => ({})) {
	const said: unknown[] = [];
	const { session, context } = playedSession(respond, {
		logger: { warn: (text: string) => said.push(text) },
	});
	const log = new CallLog();
	const hints = new Map<string, string>();
	return {
		call: createCall({ context, hints } as never, session, log, {}, Infinity),
		log,
		hints,
		said,
	};
}

const read = { method: 'GET', path: '/a' } as const;
const add = { method: 'POST', path: '/a' } as const;
const set = { ...add, isRepeatable: true };
const remove = { method: 'DELETE', path: '/a' } as const;
// Throw the errors that n8n throws if no connection was made (`notSent`) or if it broke (`lost`).
const notSent = () => {
	throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
};
const lost = () => {
	throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
};

it.each([
	['a read', read, () => ({}), false, false],
	['an addition', add, () => ({}), true, true],
	['a deletion', remove, () => ({}), true, true],
	['a value that was set', set, () => ({}), true, false],
	['an addition that Portal.io rejected', add, () => new Refusal(400, 'Is odd'), true, false],
	['an addition that was not sent', add, notSent, true, false],
	['an addition without a response', add, lost, true, true],
	['a value without a response', set, lost, true, false],
] as const)('records the outcome of %s', async (_, request, respond, isChange, hasChanged) => {
	const { call, log } = setUp(respond);
	await call.send(request).catch(() => {});
	expect(log.lastChange).toEqual(isChange ? request : undefined);
	expect(log.doubt !== '').toBe(isChange);
	expect(log.hasChanged).toBe(hasChanged);
});

it('shows each hint only once', () => {
	const { call, hints, said } = setUp();
	call.hint('It has no effect');
	call.hint('It has no effect');
	call.warn('One is gone');
	expect([...hints]).toEqual([
		['It has no effect', 'info'],
		['One is gone', 'warning'],
	]);
	expect(said).toEqual(['Portal.io: One is gone']);
});

const readOptions = (options: object, kind: 'read' | 'change' = 'read') =>
	readRequestOptions(
		{
			getNode: () => ({ type: 'n8n-nodes-portal-io.portalIo' }),
			getNodeParameter: () => options,
			getTimezone: () => 'UTC',
		} as never,
		kind,
	);

it.each([
	[undefined, 'read', 20, 4],
	['', 'read', 20, 4],
	[undefined, 'change', 5, 4],
	['1', 'read', 1, 1],
	[10, 'change', 10, 10],
] as const)('uses the request option %j, or the default without one, for a %s', async (...row) => {
	const [given, kind, concurrency, attempts] = row;
	expect(readOptions({ itemsInParallel: given, requestAttempts: given }, kind)).toEqual({
		concurrency,
		attempts,
	});
});

it.each(['many', 0, 2.9, 51])('rejects the request option %j', (given) => {
	const must = (label: string, max: number) =>
		`'${label}' must be a whole number from 1 to ${max}; it is '${given}'`;
	const refusal = (name: string, message: string) =>
		expect(() => readOptions({ [name]: given })).toThrow(message);
	refusal('itemsInParallel', must('Items in Parallel', 50));
	refusal('requestAttempts', must('Request Attempts', 10));
});
