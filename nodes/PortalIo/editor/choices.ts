import { NodeOperationError, type ILoadOptionsFunctions } from 'n8n-workflow';
import type { Proposal } from '../../../client/model';
import { readProposal } from '../../../client/proposal';
import { send } from '../../../client/request';
import { openSession, type Session } from '../../../client/session';
import { findProposal } from '../run/findProposal';
import { proposalId } from '../fields/locators';
import type { Field } from '../fields/field';
import { Reference } from '../fields/reference';

/**
 * The record in another field, on which a list depends: its ID, or what people call it.
 *
 * @throws NodeOperationError asking to choose it first
 */
export function chosen(
	context: ILoadOptionsFunctions,
	name: string,
	{ property: { displayName }, read }: Field<number>,
): number | Reference {
	try {
		const timezone = context.getTimezone();
		return read(context.getCurrentNodeParameter(name), displayName, { timezone });
	} catch {
		throw new NodeOperationError(context.getNode(), `Choose the '${displayName}' first`);
	}
}

/** The ID of the proposal in the field *Proposal*, which may hold its number. */
export async function chosenProposalId(
	context: ILoadOptionsFunctions,
	session: Session,
): Promise<number> {
	const proposal = chosen(context, 'proposalId', proposalId);
	if (!(proposal instanceof Reference)) return proposal;
	const found = await findProposal(session, proposal.text);
	if (typeof found === 'number') return found;
	throw new NodeOperationError(context.getNode(), `'${proposal.label}' ${found}`);
}

/** The proposal in the field *Proposal*, in full. */
export async function chosenProposal(context: ILoadOptionsFunctions): Promise<Proposal> {
	const session = await openSession(context);
	const id = await chosenProposalId(context, session);
	return await readProposal((request) => send(session, request), id);
}
