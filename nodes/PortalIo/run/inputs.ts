/** Reads the inputs of an execution, and sends their requests. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { runInOrder } from '../../../client/concurrency';
import { isSetupError, PortalError } from '../../../client/errors';
import { openSession, type Session } from '../../../client/session';
import { toNodeError } from '../../shared/failure';
import { isEmpty, isLocator, type Lookups } from '../fields/field';
import type { Place } from '../fields/fieldError';
import { shown } from '../fields/values';
import { lookupsOf } from '../lookup/lookups';
import type { Operation, ReadValues } from '../operation/operation';
import { callOf, outputOf } from './call';
import { explainWithProposal } from './explainWithProposal';
import { inputFile } from './inputFile';
import type { Progress, Truncation } from './repetition';

/** The inputs of an execution share this state. */
export interface Execution {
	context: IExecuteFunctions;
	/** True if the execution continues after a failed input. */
	continues: boolean;
	operation: Operation;
	attempts: number;
	/** Expressions may resolve to another account for each input, so the key is the account's fingerprint. */
	connections: Map<string, Connection>;
	/** True after a failed input has ended the execution. Waiting changes are then not sent. */
	hasEnded: boolean;
	/** The number of records in lists that *Limit* has shortened. */
	truncation: Truncation;
	/** The number of inputs that failed while the execution continued. */
	failures: number;
	/** The node keeps no progress if *Retry On Fail* is off. */
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
	const connection = connections.get(fingerprint) ?? { session, lookups: lookupsOf(session) };
	connections.set(fingerprint, connection);
	return connection;
}

/** The state of an input is its problem, its output of an earlier try, or the values to send. */
export interface Input {
	itemIndex: number;
	state: Error | IDataObject[] | Ready;
}

interface Ready {
	connection: Connection;
	readValues: ReadValues;
	/** The options of areas that were created for this input, also in earlier tries. */
	newOptionIds: Set<number>;
	progress: Progress | undefined;
}

async function readFieldsOf(
	{ context, operation }: Execution,
	itemIndex: number,
	{ lookups }: Connection,
	newOptionIds: Set<number>,
): Promise<ReadValues> {
	const userInput: Record<string, unknown> = {};
	for (const { name, default: fallback } of operation.fields) {
		userInput[name] = context.getNodeParameter(name, itemIndex, fallback);
	}
	return await operation.read(userInput, {
		timezone: context.getTimezone(),
		lookups,
		earlierValues: {},
		newOptionIds,
		inputFile: async (field, label) => await inputFile(context, itemIndex, field, label),
		raw: context.getNode().parameters,
	});
}

/** Reads the fields of an input, and looks up the records that they name. */
export async function readInput(execution: Execution, itemIndex: number): Promise<Input> {
	const { context } = execution;
	const progress = execution.progressOf?.(itemIndex);
	if (progress?.output !== undefined) {
		addTruncation(execution, progress.truncation);
		return { itemIndex, state: progress.output };
	}
	try {
		const connection = await connectionOf(execution, itemIndex);
		const newOptionIds = progress?.newOptionIds ?? new Set();
		const reading = async () => await readFieldsOf(execution, itemIndex, connection, newOptionIds);
		const readValues = progress?.readValues ?? (await reading());
		// The changes of an earlier try can affect which record has a name or model.
		if (progress !== undefined && readValues.readLater === undefined) {
			progress.readValues = readValues;
		}
		return { itemIndex, state: { connection, readValues, newOptionIds, progress } };
	} catch (reason) {
		const problem = reason as Error;
		// A failed request does not mean that the input is invalid.
		if (isStopped(context) || (problem instanceof PortalError && !execution.continues)) {
			throw errorOfInput(execution, itemIndex, problem);
		}
		return { itemIndex, state: problem };
	}
}

/**
 * Returns the output of an input, which waits for earlier changes of the same record. Users of a Portal.io
 * account share its records, so it also waits for changes of other executions and credentials.
 */
export async function carryOut(execution: Execution, { state }: Input): Promise<IDataObject[]> {
	if (state instanceof Error) throw state;
	if (Array.isArray(state)) return state;
	const { session } = state.connection;
	const key = execution.operation.queueKey(state.readValues.values);
	const send = async () => await sendInput(execution, state);
	if (key === undefined) return await send();
	return await runInOrder(`${session.account.baseUrl} ${key}`, send, session.signal);
}

const AREA_REMAINS = 'The step has created the area. If you run it again, it uses this area.';

async function sendInput(execution: Execution, ready: Ready): Promise<IDataObject[]> {
	const { context, operation } = execution;
	const { readValues, newOptionIds, progress } = ready;
	const isRead = operation.kind === 'read';
	const { session } = ready.connection;
	if (execution.hasEnded) return [];
	try {
		const values = (await readValues.readLater?.()) ?? readValues.values;
		const limit = operation.limitOf(values);
		const call = callOf(context, session, values, { limit, newOptionIds, progress });
		const records = await outputOf(operation, call);
		const output = records.slice(0, limit);
		const total = Math.max(records.length, call.total);
		const { isBeyondWindow } = call;
		const truncation =
			total > limit ? { returned: output.length, total, isBeyondWindow } : undefined;
		addTruncation(execution, truncation);
		if (progress !== undefined) Object.assign(progress, { output, truncation, changes: [] });
		return output;
	} catch (error) {
		execution.hasEnded = !isRead && !execution.continues;
		const { values } = readValues;
		const explained = await explainWithProposal(error as Error, session, operation, values);
		if (newOptionIds.size === 0) throw explained;
		throw PortalError.from(explained).with({ progress: [AREA_REMAINS] });
	}
}

/** An error of one input item ends the execution, unless the user chooses otherwise. */
export const CONTINUE_ADVICE =
	"To continue with the other items when one fails, open the settings of this step and set 'On Error' to 'Continue (using error output)'.";

function addTruncation({ truncation: sum }: Execution, truncation: Truncation | undefined): void {
	if (truncation === undefined) return;
	sum.returned += truncation.returned;
	sum.total += truncation.total;
	sum.isBeyondWindow ||= truncation.isBeyondWindow;
}

/**
 * Names the input item if there are several, and its proposal if the user entered the number, and says how
 * to process the others.
 */
export function errorOfInput(execution: Execution, itemIndex: number, error: Error): Error {
	const { context } = execution;
	const node = context.getNode();
	const isAlone = context.getInputData().length === 1;
	const concernsAll = isAlone || isStopped(context) || isSetupError(error);
	if (concernsAll) return toNodeError(node, error, itemIndex);
	const inputError = atPlace(placeOf(execution, itemIndex), error);
	return toNodeError(node, inputError.with({ advice: [CONTINUE_ADVICE] }), itemIndex);
}

export const atPlace = ({ kind, name }: Place, error: Error): PortalError =>
	PortalError.from(error).with({ what: `${kind} ${name}: ${error.message}` });

/** Returns the place for `Input item 2` or `Input item 2 (proposal 1012)`. n8n counts from 0. */
export function placeOf({ context, operation }: Execution, itemIndex: number): Place {
	const place = { kind: 'Input item', name: String(itemIndex) };
	if (operation.proposalField === undefined) return place;
	try {
		const proposal = context.getNodeParameter(operation.proposalField, itemIndex, null);
		if (!isLocator(proposal) || proposal.mode !== 'number' || isEmpty(proposal)) return place;
		const number = shown(proposal.value).trim().replace('#', '');
		return { ...place, name: `${itemIndex} (proposal ${number})` };
	} catch {
		// The expression of this field may be the problem of the input.
		return place;
	}
}

/** Returns whether the user has stopped the execution. */
export const isStopped = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;
