/** What the polling trigger makes of the responses to its reads of single proposals. */
import { expect, it } from 'vitest';
import { ProposalReader } from '../../nodes/PortalIoPollingTrigger/proposalReader.ts';
import { playedSession, Refusal } from './playedSession.mts';

function readerOf(respond: (id: number) => unknown, failures = {}) {
	const read: number[] = [];
	const { session } = playedSession(({ url }) => {
		read.push(Number(url.split('/').at(-1)));
		return respond(read.at(-1)!);
	});
	return { reader: new ProposalReader(session, failures), read };
}

it.each([
	[{ id: 5, number: 1 }],
	[{ id: 5, number: 1, changeOrders: null, paymentRequests: [] }],
	[{ id: 5, number: 1, changeOrders: [{ id: 1 }], paymentRequests: [{ id: 2 }] }],
])('reads a proposal from %j', async (response) => {
	const { reader } = readerOf(() => response);
	expect(await reader.read(5)).toEqual(response);
	expect(reader.isDone(5)).toBe(true);
});

it.each([
	[{}],
	[{ id: '5', number: 1 }],
	[{ id: 5, number: 1, changeOrders: {} }],
	[{ id: 5, number: 1, paymentRequests: {} }],
	[{ id: 5, number: 1, changeOrders: [], paymentRequests: [1] }],
])('takes %j for no proposal, and tries it again in the next poll', async (response) => {
	const { reader } = readerOf((id) => (id === 6 ? { id, number: 1 } : response));
	await reader.read(6);
	await expect(reader.read(5)).rejects.toThrow('did not return the proposal with the ID 5');
	expect(reader.isDone(5)).toBe(false);
	expect(reader.finish()).toEqual({ 5: 1 });
});

it('reads no other proposal after a failure that concerns them all', async () => {
	const { reader, read } = readerOf(() => new Refusal(402, 'It is over'));
	for (const id of [5, 6]) await expect(reader.read(id)).rejects.toMatchObject({ httpCode: '402' });
	expect(read).toEqual([5]);
});

it('gives up none where several fail and none can be read', async () => {
	const failures = { 5: 2, 6: 2 };
	const { reader } = readerOf(() => new Refusal(500), failures);
	for (const id of [5, 6]) expect(await reader.read(id)).toBeUndefined();
	expect([...reader.skipped.keys()]).toEqual([5, 6]);
	expect(reader.finish()).toEqual(failures);
	expect([[...reader.skipped.keys()], [...reader.failed.keys()]]).toEqual([[], [5, 6]]);
});

it('gives up several that fail for the third time where another can be read', async () => {
	const { reader } = readerOf((id) => (id === 7 ? { id, number: 1 } : new Refusal(500)), {
		5: 2,
		6: 2,
	});
	for (const id of [5, 6, 7]) await reader.read(id);
	expect(reader.outage).toBeUndefined();
	expect(reader.finish()).toEqual({});
	expect([...reader.skipped.keys()]).toEqual([5, 6]);
});
