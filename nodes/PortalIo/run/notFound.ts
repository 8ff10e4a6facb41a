import { PortalError, statusOf } from '../../../client/errors';
import { proposalRequest } from '../../../client/model';
import { send } from '../../../client/request';
import type { Session } from '../../../client/session';
import type { AnyValues, Operation } from '../operation/operation';
import { proposalsWith } from './findProposal';

/** How many results of a search for a number are looked through: one page. */
const PAGE = 100;

const isNotFound = (error: unknown): error is PortalError =>
	error instanceof PortalError && statusOf(error) === '404' && !error.facts?.isMissingRoute;

/**
 * Says of a 404 where a proposal's number was given in place of its ID. That costs up to two reads.
 *
 * @returns the error, with that as its advice where it is so
 */
export async function explainNotFound(
	error: Error,
	session: Session,
	{ idFields }: Operation,
	{ proposalId }: AnyValues,
): Promise<Error> {
	if (!isNotFound(error) || typeof proposalId !== 'number') return error;
	const isOther = idFields.length > 1 && (await hasProposal(session, proposalId));
	if (isOther || !(await hasNumber(session, proposalId))) return error;
	const advice = `${proposalId} is the number of a proposal, not its ID: set 'Proposal' to 'By Number'.`;
	return new PortalError(error.message, { ...error, advice: [advice] });
}

/** Whether a proposal has this ID, as far as the service says. */
const hasProposal = async (session: Session, id: number): Promise<boolean> =>
	await send(session, proposalRequest(id)).then(
		() => true,
		(error: Error) => !isNotFound(error),
	);

/** Whether a proposal has this number, as far as the service says. */
const hasNumber = async (session: Session, number: number): Promise<boolean> =>
	await proposalsWith(session, String(number), false, PAGE).then(
		(proposals) => proposals.length > 0,
		() => false,
	);
