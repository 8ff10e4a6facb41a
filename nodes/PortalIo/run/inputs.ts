/** Reads the inputs of an execution, and carries them out. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { runInOrder } from '../../../client/concurrency';
import { isLasting, PortalError } from '../../../client/errors';
import { openSession, type Session } from '../../../client/session';
import { toNodeError } from '../../shared/failure';
import { emptinessOf, isLocator, type Records } from '../fields/field';
import { shown } from '../fields/values';
import { recordsOf } from '../lookup/lookups';
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
	accounts: Map<string, Account>;
	/** After an input has failed and ended the execution, waiting changes are not made. */
	hasEnded: boolean;
	/** Lists shortened by *Limit*: how many records are returned, of how many. */
	cut: { returned: number; total: number; isBeyondWindow: boolean };
	/** Undefined without *Retry On Fail*. */
	progressOf: ((itemIndex: number) => Progress) | undefined;
}

interface Account {
	session: Session;
	records: Records;
}

/** Throws a CredentialError that says what is wrong with the credential of an input. */
async function accountOf(execution: Execution, itemIndex: number): Promise<Account> {
	const { context, attempts, accounts } = execution;
	const session = await openSession(context, { attempts, itemIndex });
	const { fingerprint } = session.account;
	const account = accounts.get(fingerprint) ?? { session, records: recordsOf(session) };
	accounts.set(fingerprint, account);
	return account;
}

/** An input after its fields were read: its values, its problem, or its output of an earlier try. */
export interface Input {
	itemIndex: number;
	state: Error | IDataObject[] | Ready;
}

interface Ready {
	account: Account;
	read: ReadValues;
	progress: Progress | undefined;
}

/** Reads the fields of an input, and looks up the records that they name. */
export async function readInput(execution: Execution, itemIndex: number): Promise<Input> {
	const { context, operation } = execution;
	const progress = execution.progressOf?.(itemIndex);
	if (progress?.output !== undefined) return { itemIndex, state: progress.output };
	try {
		const account = await accountOf(execution, itemIndex);
		const given: Record<string, unknown> = {};
		for (const { name, default: fallback } of operation.fields) {
			given[name] = context.getNodeParameter(name, itemIndex, fallback);
		}
		const read = await operation.read(given, {
			timezone: context.getTimezone(),
			records: account.records,
			earlier: {},
			inputFile: async (field, label) => await inputFile(context, itemIndex, field, label),
			raw: context.getNode().parameters,
		});
		return { itemIndex, state: { account, read, progress } };
	} catch (reason) {
		const problem = reason as Error;
		// A failed request says nothing about the input.
		if (isStopped(context) || (problem instanceof PortalError && !execution.continues)) {
			throw errorOfInput(context, itemIndex, problem);
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
	const { context, operation, cut } = execution;
	const { read, progress } = ready;
	const isRead = operation.kind === 'read';
	const { session } = ready.account;
	if (execution.hasEnded) return [];
	try {
		const values = (await read.readLater?.()) ?? read.values;
		const call = callOf(context, session, values, progress);
		const records = await outputOf(operation, call);
		const { limit = Infinity } = values as { limit?: number };
		const output = records.slice(0, limit);
		const total = Math.max(records.length, call.total);
		if (total > limit) {
			cut.returned += output.length;
			cut.total += total;
			cut.isBeyondWindow ||= call.isBeyondWindow;
		}
		if (progress !== undefined) Object.assign(progress, { output, changes: [] });
		return output;
	} catch (error) {
		execution.hasEnded = !isRead && !execution.continues;
		const about = { idFields: operation.idFields, isRead };
		throw await explainWithProposal(error as Error, session, about, read.values);
	}
}

/** Names the input if there are several, and its proposal if it was given by number. */
export function errorOfInput(context: IExecuteFunctions, itemIndex: number, error: Error): Error {
	const isAlone = context.getInputData().length === 1;
	const isOfAll = isAlone || isStopped(context) || isLasting(error);
	const what = `${rowOf(context, itemIndex)}: ${error.message}`;
	const named = isOfAll ? error : PortalError.from(error).with({ what });
	return toNodeError(context.getNode(), named, itemIndex);
}

/** As in `Row 3`, or `Row 3 (proposal 1012)`. */
export function rowOf(context: IExecuteFunctions, itemIndex: number): string {
	const row = `Row ${itemIndex + 1}`;
	try {
		const given = context.getNodeParameter('proposalId', itemIndex, null);
		if (!isLocator(given) || given.mode !== 'number' || emptinessOf(given)) return row;
		return `${row} (proposal ${shown(given.value).trim().replace('#', '')})`;
	} catch {
		// Its expression may be what is wrong with the input.
		return row;
	}
}

/** Whether the user has stopped the execution. */
export const isStopped = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;
