import { proposalList, readPagedList } from '../../../client/lists';
import type { Session } from '../../../client/session';
import type { Found } from '../fields/field';
import { enterId, onlyOne } from './matches';

export async function findProposal(session: Session, number: string): Promise<Found> {
	const current = await proposalsWith(session, number);
	// The archive, a list of its own, is searched only if no other proposal has the number.
	const found =
		current.length > 0 ? current : await proposalsWith(session, number, { IsArchive: true });
	return onlyOne(
		found,
		`no proposal has the number ${number}. Check the number, or choose the proposal from the list.`,
		`matches ${found.length} proposals with the number ${number}. Choose one from the list, or enter its ID.`,
	);
}

export async function proposalsWith(
	session: Session,
	number: string,
	query = {},
	limit = Infinity,
) {
	const list = proposalList({ SearchText: number, ...query });
	const { records } = await readPagedList(session, list, { limit, advice: enterId(number) });
	return records.filter((proposal) => String(proposal.number) === number);
}
