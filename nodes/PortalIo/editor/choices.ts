import { NodeOperationError, type ILoadOptionsFunctions } from 'n8n-workflow';
import { readProposal, type Proposal } from '../../../client/model';
import { send } from '../../../client/request';
import { openSession, type Session } from '../../../client/session';
import { emptinessOf } from '../fields/emptiness';
import { readFields, type Field } from '../fields/field';
import { proposalId } from '../fields/locators';
import { FieldError } from '../fields/values';
import { AccountRecords } from '../run/records';

/**
 * The ID of the record in another field, on which a list depends.
 *
 * @param earlier the values of the fields before that one
 * @throws NodeOperationError asking to choose it first, or saying why it names no record
 */
export async function chosen(
	context: ILoadOptionsFunctions,
	session: Session,
	name: string,
	field: Field<number>,
	earlier: Record<string, unknown> = {},
): Promise<number> {
	const value = context.getCurrentNodeParameter(name);
	const fail = (message: string) => new NodeOperationError(context.getNode(), message);
	if (emptinessOf(value) !== undefined) {
		throw fail(`Choose the '${field.property.displayName}' first`);
	}
	const records = new AccountRecords(session);
	const inputFile = async () => await Promise.reject(new Error('A list has no input'));
	const reading = { timezone: context.getTimezone(), records, inputFile };
	const values = await readFields({ [name]: field }, { [name]: value }, reading, '', earlier).catch(
		(error: Error) => {
			throw error instanceof FieldError ? fail(error.message) : error;
		},
	);
	return values[name]!;
}

/** The ID of the proposal in the field *Proposal*. */
export const chosenProposalId = async (context: ILoadOptionsFunctions, session: Session) =>
	await chosen(context, session, 'proposalId', proposalId);

/** The proposal in the field *Proposal*, in full. */
export async function chosenProposal(
	context: ILoadOptionsFunctions,
	session?: Session,
): Promise<Proposal> {
	const opened = session ?? (await openSession(context));
	const id = await chosenProposalId(context, opened);
	return await readProposal((request) => send(opened, request), id);
}
