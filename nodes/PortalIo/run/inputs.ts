/** The inputs of an execution: what is read of each, and how it is carried out. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { PortalError } from '../../../client/errors';
import { toNodeError } from '../../shared/failure';
import type { AnyValues, Operation, ReadValues } from '../operation/operation';
import type { Account, Accounts } from './accounts';
import { callOf } from './call';
import type { CutLists } from './hints';
import { inputFile } from './inputFile';
import { explainNotFound } from './notFound';
import type { Progress } from './repetition';
import { sendAndShape } from './response';

/** What the inputs of an execution share. */
export interface Execution {
	context: IExecuteFunctions;
	operation: Operation;
	isRead: boolean;
	accounts: Accounts;
	/** Whether an input has failed and ended the execution: changes that still wait are not made. */
	halt: { isFailed: boolean };
	/** Lists that have more than *Limit* lets through. */
	cutLists: CutLists;
	/** Knows what earlier tries have done for an input. */
	progressOf: (itemIndex: number) => Progress | undefined;
}

/** An input whose fields were read. */
export interface Input {
	itemIndex: number;
	/** Why it cannot be carried out. */
	wrong?: Error;
	/** @returns its records */
	carryOut(): Promise<IDataObject[]>;
}

/** Reads the fields of an input and finds the records that they name. */
export async function readInput(execution: Execution, itemIndex: number): Promise<Input> {
	const { context, operation, accounts } = execution;
	const progress = execution.progressOf(itemIndex);
	const done = progress?.output;
	if (done !== undefined) return { itemIndex, carryOut: async () => done };
	const read = async () => {
		const account = await accounts.of(itemIndex);
		const given = operation.fields.map(({ name, default: fallback }) => [
			name,
			context.getNodeParameter(name, itemIndex, fallback) as unknown,
		]);
		const values = await operation.read(Object.fromEntries(given) as Record<string, unknown>, {
			timezone: context.getTimezone(),
			records: account.records,
			inputFile: async (field) => await inputFile(context, itemIndex, field),
			raw: context.getNode().parameters,
		});
		return inTurn(execution, account, itemIndex, values, progress);
	};
	return await read().catch((wrong: Error) => {
		const isOfRequest = wrong instanceof PortalError && wrong.facts !== undefined;
		if (isStopped(context) || (isOfRequest && !context.continueOnFail())) {
			throw toNodeError(context.getNode(), wrong, itemIndex);
		}
		return { itemIndex, wrong, carryOut: async () => await Promise.reject(wrong) };
	});
}

/** An input that makes its changes when those of earlier inputs to the same record are made. */
function inTurn(
	execution: Execution,
	{ session, changes }: Account,
	itemIndex: number,
	{ values: read, readInTurn }: ReadValues,
	progress: Progress | undefined,
): Input {
	const { context, operation, halt } = execution;
	const carryOut = async () => {
		const values = readInTurn === undefined ? read : await readInTurn();
		const call = callOf(context, session, values, progress);
		const records = await sendAndShape(operation, call).catch(async (error: Error) => {
			throw await explainNotFound(error, session, operation, values);
		});
		const { limit = Infinity } = values as { limit?: number };
		execution.cutLists.note(limit, records.length, call.total);
		const output = records.slice(0, limit);
		if (progress !== undefined) Object.assign(progress, { output, changes: [] } satisfies Progress);
		return output;
	};
	const key = execution.isRead ? undefined : (operation.queue?.(read) ?? changedRecord(read));
	if (key === undefined) return { itemIndex, carryOut };
	const changeUnlessHalted = async () => {
		// The change that it waited for has ended the execution.
		if (halt.isFailed) return [];
		return await carryOut().catch((error: Error) => {
			halt.isFailed = !context.continueOnFail();
			throw error;
		});
	};
	return { itemIndex, carryOut: async () => await changes.run(key, changeUnlessHalted) };
}

/** The fields of the records that operations change. */
const CHANGED = ['proposalId', 'contactId', 'subscriptionId'];

/** Names the record that an input changes: changes of the same one wait for each other. */
function changedRecord(values: AnyValues): string | undefined {
	const name = CHANGED.find((one) => values[one] !== undefined);
	return name === undefined ? undefined : `${name} ${String(values[name])}`;
}

/** Whether the execution was stopped. */
export const isStopped = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;
