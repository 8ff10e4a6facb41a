/** What the proposal of a failed request adds to its error. */
import { expect, it, vi } from 'vitest';
import { explainFailure } from '../../client/explain.ts';
import { explainWithProposal } from '../../nodes/PortalIo/run/explainWithProposal.ts';
import { playedSession, Refusal } from './playedSession.mts';

interface Failure {
	status: string;
	values?: object;
	idFields?: string[];
	onlyReadsProposal?: true;
}

/** The message or advice that the proposal adds to an error; '' for nothing. */
async function addedBy(respond: (url: string) => unknown, failure: Failure): Promise<string> {
	const { status, values = { proposalId: 42 }, onlyReadsProposal } = failure;
	const { idFields = ['proposalId', 'itemId'] } = failure;
	const { session } = playedSession(({ url }) => respond(url));
	const error = explainFailure({ status, data: { responseStatus: { message: 'Item not found' } } });
	const kind = 'change' as const;
	const operation = { idFields, kind, onlyReadsProposal, proposalField: 'proposalId' };
	const explained = await explainWithProposal(error, session, operation, values as never);
	const { message, advice } = explained as typeof error;
	const newAdvice = advice.filter((line) => !error.advice.includes(line));
	return [message === error.message ? '' : message, ...newAdvice].join('');
}

const NOT_FOUND = { status: '404' };
const listed = { proposals: [{ id: 7, number: 42 }], proposalCount: 1 };
const notListed = { proposals: [], proposalCount: 0 };
const NUMBER = "42 is the number of the proposal with the ID 7: use its ID, or the mode 'Number'.";

/** A service that has no proposal with the ID 42, and these in its list. */
const without42 = (list: unknown) => (url: string) =>
	url.includes('/42') ? new Refusal(404, 'Not found') : list;

it('says that an ID without a proposal is the number of one', async () => {
	expect(await addedBy(without42(listed), NOT_FOUND)).toBe(NUMBER);
});

it.each<[string, (url: string) => unknown]>([
	['no proposal has the number', without42(notListed)],
	['the proposal exists', () => ({ id: 42, number: 1, status: 'Accepted', ...listed })],
	[
		'reading the proposal fails otherwise',
		(url) => (url.includes('/42') ? new Refusal(500) : listed),
	],
	['listing the proposals fails', without42(new Refusal(500, 'Not found'))],
])('adds nothing to a 404 if %s', async (_, respond) => {
	expect(await addedBy(respond, NOT_FOUND)).toBe('');
});

it('asks nothing about a 404 of an operation without a proposal', async () => {
	const respond = vi.fn();
	expect(await addedBy(respond, { ...NOT_FOUND, values: { contactId: 42 } })).toBe('');
	expect(respond).not.toHaveBeenCalled();
});

it('searches for the number at once if the request named nothing but the proposal', async () => {
	const respond = vi.fn((_url: string) => notListed);
	expect(await addedBy(respond, { ...NOT_FOUND, idFields: ['proposalId'] })).toBe('');
	expect(respond).toHaveBeenCalledWith(expect.stringContaining('?SearchText=42'));
});

it.each([
	['Accepted', "Proposal 1012 is accepted, so it can't be changed"],
	['Completed', "Proposal 1012 is completed, so it can't be changed"],
	['Declined', "Proposal 1012 is declined, so it can't be changed"],
	['Draft', ''],
])('says after a 409 which proposal cannot be changed, and why: %s', async (status, message) => {
	const respond = () => ({ id: 42, number: 1012, status });
	expect(await addedBy(respond, { status: '409' })).toBe(message);
});

it('adds nothing to a 409 of an operation that changes another proposal', async () => {
	const failure = { status: '409', onlyReadsProposal: true } as const;
	expect(await addedBy(() => ({ id: 42, number: 1012, status: 'Accepted' }), failure)).toBe('');
});

it('adds nothing to a 409 if the proposal cannot be read', async () => {
	expect(await addedBy(() => new Refusal(500), { status: '409' })).toBe('');
});
