import { NodeOperationError, type ILoadOptionsFunctions } from 'n8n-workflow';
import type { Proposal } from '../../../client/model';
import { path } from '../../../client/encoding';
import { send } from '../../../client/request';
import { openSession, type Session } from '../../../client/session';
import { resolveProposalNumber } from '../resolveProposalNumbers';
import { isByNumber, proposalId } from '../shared/locators';
import type { Field } from '../shared/field';
import { FieldError, isEmpty } from '../shared/values';

/**
 * The ID in another field, on which a list depends.
 *
 * @throws NodeOperationError asking to choose it first
 */
export function chosen(
	context: ILoadOptionsFunctions,
	name: string,
	{ property: { displayName }, read }: Field<number>,
): number {
	try {
		return read(context.getCurrentNodeParameter(name), displayName, {
			timezone: context.getTimezone(),
		});
	} catch {
		throw new NodeOperationError(context.getNode(), `Choose the '${displayName}' first`);
	}
}

/** The ID of the proposal in the field *Proposal*, which may hold its number. */
export async function chosenProposalId(
	context: ILoadOptionsFunctions,
	session: Session,
): Promise<number> {
	const given: unknown = context.getCurrentNodeParameter('proposalId');
	if (!isByNumber(given) || isEmpty(given)) {
		return chosen(context, 'proposalId', proposalId);
	}
	return await resolveProposalNumber(session, given.value).catch((error: Error) => {
		if (!(error instanceof FieldError)) throw error;
		throw new NodeOperationError(context.getNode(), error.message);
	});
}

/** The proposal in the field *Proposal*, in full. */
export async function chosenProposal(context: ILoadOptionsFunctions): Promise<Proposal> {
	const session = await openSession(context);
	const id = await chosenProposalId(context, session);
	return (await send(session, { method: 'GET', path: path`/public/proposals/${id}` })) as Proposal;
}
