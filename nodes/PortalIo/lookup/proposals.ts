import type { IDataObject } from 'n8n-workflow';
import { proposalList, readPagedList } from '../../../client/lists';
import type { Session } from '../../../client/session';
import { formatCandidates, USE_ID, adviseId, requireOnlyId } from './pickOne';

/** Returns the proposals with the given number. Searches the archive only if no active proposal has it. */
export async function findProposals(session: Session, number: string): Promise<IDataObject[]> {
	const active = await searchProposals(session, number);
	return active.length > 0 ? active : await searchProposals(session, number, { IsArchive: true });
}

export async function searchProposals(
	session: Session,
	number: string,
	query = {},
	limit = Infinity,
): Promise<IDataObject[]> {
	const list = proposalList({ SearchText: number, ...query });
	const { records } = await readPagedList(session, list, { limit, advice: adviseId(number) });
	return records.filter((proposal) => String(proposal.number) === number);
}

export function chooseProposal(proposals: IDataObject[], number: string): number {
	const names = formatCandidates(proposals, ({ name }) => String(name));
	return requireOnlyId(proposals, {
		ifNone: `no proposal has the number ${number}. Check the number, or use the proposal's ID.`,
		ifSeveral: `matches ${proposals.length} proposals with the number ${number}: ${names}. ${USE_ID}`,
	});
}
