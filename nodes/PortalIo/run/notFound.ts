import { NodeApiError } from 'n8n-workflow';
import { NoRouteError } from '../../../client/errors';
import { proposalRequest } from '../../../client/proposal';
import { send } from '../../../client/request';
import type { Session } from '../../../client/session';
import { joinLines } from '../../shared/failure';
import type { AnyValues, Operation } from '../operation/operation';
import { proposalsWith } from './findProposal';

/** How many results of a search for a number are looked through: one page. */
const PAGE = 100;

const isNotFound = (error: Error) =>
	error instanceof NodeApiError && !(error instanceof NoRouteError) && error.httpCode === '404';

/**
 * Says of a 404 where a proposal's number was given in place of its ID. That costs up to two reads.
 *
 * @returns the error, with that as the first line of its description where it is so
 */
export async function explainNotFound(
	error: Error,
	session: Session,
	{ idFields }: Operation,
	{ proposalId }: AnyValues,
	itemIndex: number,
): Promise<Error> {
	if (!isNotFound(error) || typeof proposalId !== 'number') return error;
	const isOther = idFields.length > 1 && (await hasProposal(session, proposalId, itemIndex));
	if (isOther || !(await hasNumber(session, proposalId, itemIndex))) return error;
	const said = `${proposalId} is the number of a proposal, not its ID: set 'Proposal' to 'By Number'.`;
	const { description } = error as NodeApiError;
	return Object.assign(error, { description: joinLines(said, description) });
}

/** Whether a proposal has this ID, as far as the service says. */
const hasProposal = async (session: Session, id: number, itemIndex: number): Promise<boolean> =>
	await send(session, proposalRequest(id), itemIndex).then(
		() => true,
		(error: Error) => !isNotFound(error),
	);

/** Whether a proposal has this number, as far as the service says. */
const hasNumber = async (session: Session, number: number, itemIndex: number): Promise<boolean> =>
	await proposalsWith(session, String(number), false, itemIndex, PAGE).then(
		(proposals) => proposals.length > 0,
		() => false,
	);
