import type { IDataObject } from 'n8n-workflow';
import { proposalList, readPagedList } from '../../../client/lists';
import type { Session } from '../../../client/session';
import { candidates, USE_ID, enterId, idOfOnly } from './select';

/** Returns the proposals with a number. It searches the archive only if no active proposal has the number. */
export async function proposalsWithNumber(
	session: Session,
	number: string,
): Promise<IDataObject[]> {
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
	const { records } = await readPagedList(session, list, { limit, advice: enterId(number) });
	return records.filter((proposal) => String(proposal.number) === number);
}

export function chooseProposal(proposals: IDataObject[], number: string): number {
	const names = candidates(proposals, ({ name }) => String(name));
	return idOfOnly(proposals, {
		ifNone: `no proposal has the number ${number}. Check the number, or use the proposal's ID.`,
		ifSeveral: `matches ${proposals.length} proposals with the number ${number}: ${names}. ${USE_ID}`,
	});
}
