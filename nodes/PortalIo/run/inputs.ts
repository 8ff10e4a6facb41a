/** The inputs of an execution: what is read of each, and how it is carried out. */
import {
	BINARY_ENCODING,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
} from 'n8n-workflow';
import { KeyedQueue } from '../../../client/concurrency';
import { isLasting, PortalError } from '../../../client/errors';
import { openSession, type Session } from '../../../client/session';
import type { FileStream } from '../../../client/upload';
import { toNodeError } from '../../shared/failure';
import { isLocator, type InputFile } from '../fields/field';
import type { Records } from '../fields/records';
import { FieldError, shown } from '../fields/values';
import type { AnyValues, Operation, ReadValues } from '../operation/operation';
import { callOf, outputOf } from './call';
import { explainWithProposal, recordsOf } from './records';
import type { Progress } from './repetition';

/** Shared by the inputs of an execution. */
export interface Execution {
	context: IExecuteFunctions;
	operation: Operation;
	isRead: boolean;
	/** @throws CredentialError saying what is wrong with the credential of an input */
	accountOf: (itemIndex: number) => Promise<Account>;
	/** Whether an input has failed and ended the execution: changes that still wait are not made. */
	halt: { isFailed: boolean };
	/** Lists that *Limit* has cut: how many records they return, of how many. */
	cut: { returned: number; total: number };
	/** Knows what earlier tries have done for an input. */
	progressOf: (itemIndex: number) => Progress | undefined;
}

/** Shared by the inputs of one account. */
interface Account {
	session: Session;
	records: Records;
	/** Keeps the order of changes to one record. */
	changes: KeyedQueue;
}

/** The accounts of an execution: one, or one for each that the expressions of the credential name. */
export function accountsOf(context: IExecuteFunctions, attempts: number): Execution['accountOf'] {
	const known = new Map<string, Account>();
	const open = async (itemIndex: number) => {
		const session = await openSession(context, { attempts, itemIndex });
		const account = known.get(session.account.fingerprint) ?? {
			...{ session, records: recordsOf(session), changes: new KeyedQueue() },
		};
		known.set(session.account.fingerprint, account);
		return account;
	};
	/** The first input says whether its account is that of all inputs. */
	let first: { itemIndex: number; account: Promise<Account> } | undefined;
	return async (itemIndex) => {
		first ??= { itemIndex, account: open(itemIndex) };
		if (first.itemIndex === itemIndex) return await first.account;
		const isForAll = await first.account.then(
			({ session }) => session.isForAllInputs,
			() => false,
		);
		return await (isForAll ? first.account : open(itemIndex));
	};
}

/** An input whose fields were read. */
export interface Input {
	itemIndex: number;
	/** The reason that it cannot be carried out. */
	wrong?: Error;
	/** @returns its records */
	carryOut(): Promise<IDataObject[]>;
}

/** Reads the fields of an input and finds the records that they name. */
export async function readInput(execution: Execution, itemIndex: number): Promise<Input> {
	const { context, operation } = execution;
	const progress = execution.progressOf(itemIndex);
	const done = progress?.output;
	if (done !== undefined) return { itemIndex, carryOut: async () => done };
	try {
		const account = await execution.accountOf(itemIndex);
		const given: Record<string, unknown> = {};
		for (const { name, default: fallback } of operation.fields) {
			given[name] = context.getNodeParameter(name, itemIndex, fallback);
		}
		const values = await operation.read(given, {
			timezone: context.getTimezone(),
			records: account.records,
			inputFile: async (field) => await inputFile(context, itemIndex, field),
			raw: context.getNode().parameters,
		});
		return inTurn(execution, account, itemIndex, values, progress);
	} catch (reason) {
		const wrong = reason as Error;
		const isOfRequest = wrong instanceof PortalError && wrong.facts !== undefined;
		if (isStopped(context) || (isOfRequest && !context.continueOnFail())) {
			throw errorOfInput(context, itemIndex, wrong);
		}
		return { itemIndex, wrong, carryOut: async () => await Promise.reject(wrong) };
	}
}

/** An input that makes its changes when those of earlier inputs to the same record are made. */
function inTurn(
	execution: Execution,
	{ session, changes }: Account,
	itemIndex: number,
	{ values: read, readInTurn }: ReadValues,
	progress: Progress | undefined,
): Input {
	const { context, operation, halt, isRead } = execution;
	const send = async () => {
		const values = readInTurn === undefined ? read : await readInTurn();
		const call = callOf(context, session, values, progress);
		const records = await outputOf(operation, call).catch(async (error: Error) => {
			throw await explainWithProposal(error, session, operation, call);
		});
		const { limit = Infinity } = values as { limit?: number };
		noteCut(execution.cut, limit, records.length, call.total);
		const output = records.slice(0, limit);
		if (progress !== undefined) Object.assign(progress, { output, changes: [] });
		return output;
	};
	const carryOut = async () => {
		// The change that it waited for has ended the execution.
		if (halt.isFailed) return [];
		return await send().catch((error: Error) => {
			halt.isFailed = !isRead && !context.continueOnFail();
			throw error;
		});
	};
	const key = isRead ? undefined : (operation.queue?.(read) ?? changedRecord(read));
	if (key === undefined) return { itemIndex, carryOut };
	return { itemIndex, carryOut: async () => await changes.run(key, carryOut) };
}

/**
 * Notes what one input returns of a list: nobody would notice that *Limit* has cut it.
 *
 * @param found how many records there are before *Limit* is applied
 * @param total how many the service has, where it was read in pages
 */
export function noteCut(cut: Execution['cut'], limit: number, found: number, total = found): void {
	if (Math.max(found, total) <= limit) return;
	cut.returned += Math.min(found, limit);
	cut.total += Math.max(found, total);
}

/** The fields of the records that operations change. */
const CHANGED = ['proposalId', 'contactId', 'subscriptionId'];

/** Names the record that an input changes: changes of the same one wait for each other. */
function changedRecord(values: AnyValues): string | undefined {
	const name = CHANGED.find((one) => values[one] !== undefined);
	return name === undefined ? undefined : `${name} ${String(values[name])}`;
}

/**
 * The error of an input as n8n shows it: where there are several inputs, it names the one that failed as
 * people count, and its proposal where that was given by its number.
 */
export function errorOfInput(context: IExecuteFunctions, itemIndex: number, error: Error): Error {
	const isOfAll = isStopped(context) || isLasting(error);
	const isAlone = context.getInputData().length === 1;
	const isOurs = error instanceof PortalError || error instanceof FieldError;
	const what = `${rowOf(context, itemIndex)}: ${error.message}`;
	const named = isOfAll || isAlone || !isOurs ? error : PortalError.from(error).with({ what });
	return toNodeError(context.getNode(), named, itemIndex);
}

/** An input as errors name it: `Row 3`, or `Row 3 (proposal 1012)`. */
export function rowOf(context: IExecuteFunctions, itemIndex: number): string {
	const given = context.getNodeParameter('proposalId', itemIndex, '');
	const number = isLocator(given) && given.mode === 'number' ? String(given.value).trim() : '';
	const proposal = number === '' ? '' : ` (proposal ${shown(number.replace(/^#/, ''))})`;
	return `Row ${itemIndex + 1}${proposal}`;
}

/** Whether the execution was stopped. */
export const isStopped = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;

/**
 * The size of one read of a file, for stores that accept one. Node queues sixteen reads in
 * front of the form, so larger ones hold more memory, and smaller ones are slower.
 */
const READ_BYTES = 512 * 1024;

/**
 * Finds the file of an input item in whichever store this n8n keeps such files.
 *
 * @param field the name of the field that holds it, or the file itself, from an expression
 * @throws NodeOperationError without one
 */
async function inputFile(
	context: IExecuteFunctions,
	itemIndex: number,
	field: unknown,
): Promise<InputFile> {
	const { helpers } = context;
	const binary = helpers.assertBinaryData(itemIndex, field as string);
	const { id, fileName, fileExtension, mimeType } = binary;
	const facts = { fileName, fileExtension, mimeType };
	if (id === undefined) {
		const decode = () => Buffer.from(binary.data, BINARY_ENCODING);
		return { ...facts, bytes: decode().byteLength, open: async () => decode() };
	}
	const unreadable = (): never => {
		throw new NodeOperationError(context.getNode(), 'n8n no longer has this file', {
			itemIndex,
			description: 'Run the step before this one again to get the file.',
		});
	};
	const open = async () => await helpers.getBinaryStream(id, READ_BYTES).catch(unreadable);
	const { fileSize } = await helpers.getBinaryMetadata(id).catch(unreadable);
	const bytes = Number.isSafeInteger(fileSize) ? fileSize : await countBytes(await open());
	return { ...facts, bytes, open };
}

/** For a store that does not know how large its files are. */
async function countBytes(stream: FileStream): Promise<number> {
	let bytes = 0;
	for await (const chunk of stream) bytes += (chunk as Uint8Array).byteLength;
	return bytes;
}
