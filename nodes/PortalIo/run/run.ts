import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { mapConcurrent } from '../../../client/concurrency';
import { takeList, type ShapeError } from '../../../client/list';
import { Accounts } from './accounts';
import { callOf, type NodeCall } from './call';
import { CutLists } from './hints';
import { explainNotFound } from './notFound';
import { findProgress, type Progress } from './repetition';
import { readRequestOptions } from './requestOptions';
import { findOperation } from '../resources';
import { sentIds, type AnyValues, type Operation } from '../operation/operation';
import { shapeResponse, type Output } from '../operation/output';
import { describeFailure, joinLines } from '../../shared/failure';
import { Reference } from '../fields/reference';
import { FieldError } from '../fields/values';
import type { OperationRequest } from '../../../client/alternatePaths';

/**
 * Runs every input through its operation, several at a time, and gives the results in the order of
 * the inputs. Inputs that change the same record do so one after the other, in their order.
 *
 * Every output item is linked to its input. With *Continue on Fail* an input that failed gives one
 * item that says why.
 *
 * @throws NodeApiError for what the service refused, NodeOperationError for what was not sent
 */
export async function run(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const { concurrency, attempts } = readRequestOptions(context);
	const shared = {
		context,
		accounts: new Accounts(context, attempts),
		halt: { isFailed: false },
		cutLists: new CutLists(),
		progressOf: findProgress(context),
	};
	const outputs = await mapConcurrent(
		[...context.getInputData().keys()],
		concurrency,
		async (itemIndex) => await runItem({ ...shared, itemIndex }),
	);
	shared.cutLists.addHint(context);
	return outputs.flat();
}

/** One input on its way. */
interface Input {
	context: IExecuteFunctions;
	accounts: Accounts;
	/** Whether an input has failed and ended the execution: changes that still wait are not made. */
	halt: { isFailed: boolean };
	/** Lists that have more than *Limit* lets through. */
	cutLists: CutLists;
	/** Knows what earlier tries have done for an input. */
	progressOf: (itemIndex: number) => Progress | undefined;
	itemIndex: number;
}

/** What one input gives: its records, or what went wrong with it. */
async function runItem(input: Input): Promise<INodeExecutionData[]> {
	const { context, itemIndex } = input;
	try {
		const progress = input.progressOf(itemIndex);
		const records = progress?.output ?? (await runOperation(input, progress));
		return records.map((json) => ({ json, pairedItem: { item: itemIndex } }));
	} catch (error) {
		const failure = asNodeError(context, error, itemIndex);
		// A stopped execution goes on to no further input.
		const isStopped = context.getExecutionCancelSignal()?.aborted === true;
		if (isStopped || !context.continueOnFail()) throw failure;
		// Without the property `error`, for which n8n would replace the item by its message alone.
		return [{ json: describeFailure(failure), pairedItem: { item: itemIndex } }];
	}
}

/** Reads the fields and carries the operation out: changes to one record in the order of the inputs. */
async function runOperation(input: Input, progress: Progress | undefined): Promise<IDataObject[]> {
	const { context, halt, itemIndex } = input;
	const operation = chosenOperation(context, itemIndex);
	const { session, references, changes } = await input.accounts.of(itemIndex);
	const given = readValues(context, operation, itemIndex);
	const request = operation.request?.(given);
	const lookUp = references.lookUp(operation, given, itemIndex);
	// It may fail while others are waited for.
	lookUp.catch(() => undefined);
	const carryOut = async () => {
		const values = await references.lookUpAreas(operation, await lookUp, itemIndex);
		const call = callOf(context, session, itemIndex, values, progress);
		const known = values === given ? request : operation.request?.(values);
		const records = await sendAndShape(operation, known, call).catch(async (error: Error) => {
			throw await explainNotFound(error, { session, operation, given, values, itemIndex });
		});
		const { limit = Infinity } = given as { limit?: number };
		input.cutLists.note(limit, records.length, call.total);
		const output = records.slice(0, limit);
		if (progress !== undefined) Object.assign(progress, { output, changes: [] } satisfies Progress);
		return output;
	};
	const isRead = operation.isRead === true || request?.method === 'GET';
	const key = operation.queue?.(given) ?? (isRead ? undefined : changedRecord(given, lookUp));
	return await (key === undefined
		? carryOut()
		: changes.run(key, async () => await changeUnlessHalted(context, carryOut, halt)));
}

/** The fields of the records that operations change. */
const CHANGED = ['proposalId', 'contactId', 'subscriptionId'];

/** Names the record that an input changes: changes of the same one wait for each other. */
function changedRecord(given: AnyValues, lookUp: Promise<AnyValues>) {
	const name = CHANGED.find((one) => given[one] !== undefined);
	if (name === undefined) return undefined;
	return given[name] instanceof Reference
		? lookUp.then((values) => `${name} ${String(values[name])}`)
		: `${name} ${String(given[name])}`;
}

/** Makes a change, unless the one that it waited for has ended the execution. */
async function changeUnlessHalted(
	context: IExecuteFunctions,
	change: () => Promise<IDataObject[]>,
	halt: Input['halt'],
) {
	if (halt.isFailed) return [];
	return await change().catch((error: Error) => {
		halt.isFailed = !context.continueOnFail();
		throw error;
	});
}

function readValues(context: IExecuteFunctions, operation: Operation, itemIndex: number) {
	const given = operation.fields.map(({ name, default: fallback }) => [
		name,
		context.getNodeParameter(name, itemIndex, fallback) as unknown,
	]);
	return operation.read(Object.fromEntries(given) as Record<string, unknown>, {
		timezone: context.getTimezone(),
		raw: context.getNode().parameters,
	});
}

function chosenOperation(context: IExecuteFunctions, itemIndex: number): Operation {
	const resource = context.getNodeParameter('resource', itemIndex) as string;
	const name = context.getNodeParameter('operation', itemIndex) as string;
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	// n8n offers 'Custom API Call' in both lists and expects the node to point to where it is made.
	const isCustom = [resource, name].includes('__CUSTOM_API_CALL__');
	throw new NodeOperationError(
		context.getNode(),
		isCustom
			? 'Use the HTTP Request node for custom API calls'
			: `The Portal.io node has no operation '${name}' for '${resource}'`,
		{
			itemIndex,
			description: isCustom
				? "Add an HTTP Request node and choose 'Predefined Credential Type' and 'Portal.io API' there: it signs the request."
				: 'Choose one from the lists.',
		},
	);
}

/**
 * Sends what the operation needs and shapes what the service returns: the records of a list, or one
 * response.
 */
async function sendAndShape(
	operation: Operation,
	request: OperationRequest | undefined,
	call: NodeCall,
): Promise<IDataObject[]> {
	const { output, list, execute, find } = operation;
	const { values } = call;
	if (list !== undefined) {
		const records = await call.readList({ request: request!, ...list });
		return records.flatMap((one) => shapeResponse(output ?? {}, one, values));
	}
	const accepted = await (request === undefined ? execute!(call) : call.send(request));
	const found = await find?.(call, accepted);
	const response = found === undefined ? accepted : found.response;
	const confirmation = confirm(operation, values, call.lastChange?.method, response);
	if (output === undefined || typeof response !== 'object' || response === null) {
		return [confirmation];
	}
	const withFound = found === undefined ? output : { ...output, records: () => found.records };
	const records = shapeAll(withFound, response, call);
	// A change has an output whatever the service returns: an empty one would end the workflow.
	return records.length > 0 || !call.hasChanged ? records : [confirmation];
}

/** The records of a response. What reads them takes any JSON: its shape may be another one. */
function shapeAll(
	output: Output<AnyValues, object>,
	response: object,
	{ values, doubt, error }: NodeCall,
): IDataObject[] {
	try {
		const found = output.list ? takeList(response, ...output.list) : [response].flat();
		return found.flatMap((one) => shapeResponse(output, one as IDataObject, values));
	} catch (reason) {
		const { message, description } = reason as ShapeError;
		throw error(message, joinLines(doubt, description));
	}
}

/** That it was done, with the IDs that were sent: the output where there is no record. */
function confirm(
	operation: Operation,
	values: AnyValues,
	method: string | undefined,
	response: unknown,
): IDataObject {
	const { deleted = true } = (response || {}) as { deleted?: boolean };
	const done = method === 'DELETE' ? { deleted } : { success: true };
	const message = typeof response === 'string' && response !== '' ? { message: response } : {};
	return { ...done, ...sentIds(operation, values), ...message };
}

function asNodeError(context: IExecuteFunctions, error: unknown, itemIndex: number) {
	// What `send` threw is already in the user's words.
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	const message = error instanceof Error ? error.message : String(error);
	const { description } = error as Partial<FieldError>;
	return new NodeOperationError(context.getNode(), message, { itemIndex, description });
}
