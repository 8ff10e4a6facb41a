/** Reads the inputs of an execution, and carries them out. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { runInOrder } from '../../../client/concurrency';
import { isSetupError, PortalError } from '../../../client/errors';
import { openSession, type Session } from '../../../client/session';
import { toNodeError } from '../../shared/failure';
import { isEmpty, isLocator, type Lookups } from '../fields/field';
import { shown } from '../fields/values';
import { lookupsOf } from '../lookup/lookups';
import type { Operation, ReadValues } from '../operation/operation';
import { callOf, outputOf } from './call';
import { explainWithProposal } from './explainWithProposal';
import { inputFile } from './inputFile';
import type { Progress } from './repetition';

/** Shared by the inputs of an execution. */
export interface Execution {
	context: IExecuteFunctions;
	/** Whether a failed input does not end the execution. */
	continues: boolean;
	operation: Operation;
	attempts: number;
	/** By fingerprint: expressions may resolve to another account for each input. */
	connections: Map<string, Connection>;
	/** After an input has failed and ended the execution, waiting changes are not made. */
	hasEnded: boolean;
	/** Lists shortened by *Limit*: how many records are returned, of how many. */
	truncation: { returned: number; total: number; isBeyondWindow: boolean };
	/** Undefined without *Retry On Fail*. */
	progressOf: ((itemIndex: number) => Progress) | undefined;
}

interface Connection {
	session: Session;
	lookups: Lookups;
}

/** Throws a CredentialError that says what is wrong with the credential of an input. */
async function connectionOf(execution: Execution, itemIndex: number): Promise<Connection> {
	const { context, attempts, connections } = execution;
	const session = await openSession(context, { attempts, itemIndex });
	const { fingerprint } = session.account;
	const account = connections.get(fingerprint) ?? { session, lookups: lookupsOf(session) };
	connections.set(fingerprint, account);
	return account;
}

/** An input after its fields were read: its values, its problem, or its output of an earlier try. */
export interface Input {
	itemIndex: number;
	state: Error | IDataObject[] | Ready;
}

interface Ready {
	account: Connection;
	read: ReadValues;
	progress: Progress | undefined;
}

/** Reads the fields of an input, and looks up the records that they name. */
export async function readInput(execution: Execution, itemIndex: number): Promise<Input> {
	const { context, operation } = execution;
	const progress = execution.progressOf?.(itemIndex);
	if (progress?.output !== undefined) return { itemIndex, state: progress.output };
	try {
		const account = await connectionOf(execution, itemIndex);
		const userInput: Record<string, unknown> = {};
		for (const { name, default: fallback } of operation.fields) {
			userInput[name] = context.getNodeParameter(name, itemIndex, fallback);
		}
		const read = await operation.read(userInput, {
			timezone: context.getTimezone(),
			lookups: account.lookups,
			earlierValues: {},
			inputFile: async (field, label) => await inputFile(context, itemIndex, field, label),
			raw: context.getNode().parameters,
		});
		return { itemIndex, state: { account, read, progress } };
	} catch (reason) {
		const problem = reason as Error;
		// A failed request says nothing about the input.
		if (isStopped(context) || (problem instanceof PortalError && !execution.continues)) {
			throw errorOfInput(execution, itemIndex, problem);
		}
		return { itemIndex, state: problem };
	}
}

/**
 * Returns the output of an input, which waits for earlier changes of the same record. Those of other
 * executions and credentials count, too: several users of a Portal.io account share its records, so the
 * order is that of the service.
 */
export async function carryOut(execution: Execution, { state }: Input): Promise<IDataObject[]> {
	if (state instanceof Error) throw state;
	if (Array.isArray(state)) return state;
	const { session } = state.account;
	const key = execution.operation.queueKey(state.read.values);
	const send = async () => await sendInput(execution, state);
	if (key === undefined) return await send();
	return await runInOrder(`${session.account.baseUrl} ${key}`, send, session.signal);
}

async function sendInput(execution: Execution, ready: Ready): Promise<IDataObject[]> {
	const { context, operation, truncation } = execution;
	const { read, progress } = ready;
	const isRead = operation.kind === 'read';
	const { session } = ready.account;
	if (execution.hasEnded) return [];
	try {
		const values = (await read.readLater?.()) ?? read.values;
		const limit = operation.limitOf(values);
		const call = callOf(context, session, values, { limit, progress });
		const records = await outputOf(operation, call);
		const output = records.slice(0, limit);
		const total = Math.max(records.length, call.total);
		if (total > limit) {
			truncation.returned += output.length;
			truncation.total += total;
			truncation.isBeyondWindow ||= call.isBeyondWindow;
		}
		if (progress !== undefined) Object.assign(progress, { output, changes: [] });
		return output;
	} catch (error) {
		execution.hasEnded = !isRead && !execution.continues;
		throw await explainWithProposal(error as Error, session, operation, read.values);
	}
}

/** Names the input if there are several, and its proposal if it was given by number. */
export function errorOfInput(execution: Execution, itemIndex: number, error: Error): Error {
	const { context } = execution;
	const isAlone = context.getInputData().length === 1;
	const isOfAll = isAlone || isStopped(context) || isSetupError(error);
	const what = `${rowOf(execution, itemIndex)}: ${error.message}`;
	const named = isOfAll ? error : PortalError.from(error).with({ what });
	return toNodeError(context.getNode(), named, itemIndex);
}

/** As in `Row 3`, or `Row 3 (proposal 1012)`. */
export function rowOf({ context, operation }: Execution, itemIndex: number): string {
	const row = `Row ${itemIndex + 1}`;
	if (operation.proposalField === undefined) return row;
	try {
		const proposal = context.getNodeParameter(operation.proposalField, itemIndex, null);
		if (!isLocator(proposal) || proposal.mode !== 'number' || isEmpty(proposal)) return row;
		return `${row} (proposal ${shown(proposal.value).trim().replace('#', '')})`;
	} catch {
		// Its expression may be what is wrong with the input.
		return row;
	}
}

/** Whether the user has stopped the execution. */
export const isStopped = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;
