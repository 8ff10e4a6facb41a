import type { IDataObject } from 'n8n-workflow';
import { readList } from '../../../client/pages';
import type { Session } from '../../../client/session';
import type { Found } from '../fields/records';
import { readId } from '../fields/values';

/**
 * The ID of the proposal with a number, which is what people know; among the archived ones where no
 * other has it.
 */
export async function findProposal(session: Session, number: string): Promise<Found> {
	const current = await proposalsWith(session, number, false);
	const found = current.length > 0 ? current : await proposalsWith(session, number, true);
	const [proposal] = found;
	if (proposal === undefined) {
		return `was not found: no proposal has the number ${number}. Check the number, or choose the proposal from the list.`;
	}
	if (found.length === 1) return readId(proposal.id, 'Proposal');
	return `matches ${found.length} proposals with the number ${number}. Choose one from the list, or enter its ID.`;
}

/** The proposals with exactly this number: those at work, or the archived ones, which are a list of their own. */
export async function proposalsWith(
	session: Session,
	number: string,
	isArchive: boolean,
	limit = Infinity,
): Promise<IDataObject[]> {
	const query = { SearchText: number, ...(isArchive ? { IsArchive: true } : {}) };
	const list = {
		request: { method: 'GET', path: '/public/proposals', query } as const,
		records: 'proposals',
		count: 'proposalCount',
		stableSort: 'Number',
	};
	const { records } = await readList(session, list, { limit });
	return records.filter((proposal) => String(proposal.number) === number);
}
