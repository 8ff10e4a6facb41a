import { httpStatusOf, isNotFound, PortalError } from '../../../client/errors';
import { readProposal } from '../../../client/proposal';
import type { Session } from '../../../client/session';
import { proposalsWith } from '../lookup/proposals';
import type { AnyValues } from '../operation/operation';

const PAGE = 100;

/**
 * Adds to an error what reading the proposal again shows: that a number was given for an ID, or
 * that the status prevents the change.
 */
export async function explainWithProposal(
	error: Error,
	session: Session,
	{ idFields, isRead }: { idFields: string[]; isRead: boolean },
	{ proposalId }: AnyValues,
): Promise<Error> {
	const isConflict = httpStatusOf(error) === '409' && !isRead;
	if (typeof proposalId !== 'number' || !(isConflict || isNotFound(error))) return error;
	const reading = async () => await readProposal(session, proposalId);
	// With several IDs, another one may be wrong.
	const isUnclear = isConflict || idFields.length > 1;
	const found = isUnclear ? await reading().catch((reason: Error) => reason) : error;
	if (!(found instanceof Error)) {
		const { number, status } = found;
		if (!isConflict || !CLOSED.includes(status)) return error;
		const what = `Proposal ${number} is ${status.toLowerCase()}, so it can't be changed`;
		return PortalError.from(error).with({ what });
	}
	if (!isNotFound(found)) return error;
	const numbered = await proposalsWith(session, String(proposalId), {}, PAGE).catch(() => []);
	if (numbered.length === 0) return error;
	const advice = `${proposalId} is the number of a proposal, not its ID: set 'Proposal' to 'By Number'.`;
	return new PortalError(error.message, { ...error, advice: [advice] });
}

const CLOSED = ['Accepted', 'Completed', 'Declined'];
