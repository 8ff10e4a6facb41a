import { httpStatusOf, isNotFound, PortalError } from '../../../client/errors';
import { readProposal } from '../../../client/proposal';
import type { Session } from '../../../client/session';
import { searchProposals } from '../lookup/proposals';
import type { AnyValues, Operation } from '../operation/operation';

const CLOSED_STATUSES = ['Accepted', 'Completed', 'Declined'];
const MAX_SEARCH_RESULTS = 100;

/** The reason for a failed request may be the proposal's status, or its number in place of its ID. */
export async function explainWithProposal(
	error: Error,
	session: Session,
	operation: Pick<Operation, 'idFields' | 'kind' | 'onlyReadsProposal' | 'proposalField'>,
	values: AnyValues,
): Promise<Error> {
	const { idFields, kind, onlyReadsProposal = false, proposalField = '' } = operation;
	const proposalId = values[proposalField];
	const isChanged = kind === 'change' && !onlyReadsProposal;
	const isConflict = isChanged && httpStatusOf(error) === '409';
	if (typeof proposalId !== 'number' || !(isConflict || isNotFound(error))) return error;
	// Another ID may be wrong if the request contains several.
	const isProposalInDoubt = isConflict || idFields.length > 1;
	const proposal = isProposalInDoubt
		? await readProposal(session, proposalId).catch((reason: Error) => reason)
		: error;
	if (proposal instanceof Error) {
		return isNotFound(proposal) ? await explainNumber(error, session, proposalId) : error;
	}
	const { number, status } = proposal;
	if (!isConflict || !CLOSED_STATUSES.includes(status)) return error;
	const what = `Proposal ${number} is ${status.toLowerCase()}, so it can't be changed`;
	return PortalError.from(error).with({ what });
}

async function explainNumber(error: Error, session: Session, proposalId: number): Promise<Error> {
	const search = searchProposals(session, String(proposalId), {}, MAX_SEARCH_RESULTS);
	const proposals = await search.catch(() => []);
	if (proposals.length === 0) return error;
	const { id } = proposals[0]!;
	const advice = `${proposalId} is the number of the proposal with the ID ${String(id)}: use its ID, or the mode 'Number'.`;
	return new PortalError(error.message, { ...error, advice: [advice] });
}
