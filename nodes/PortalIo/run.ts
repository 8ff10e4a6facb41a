import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { KeyedQueue, mapConcurrent } from '../../client/concurrency';
import { takeList, type ShapeError } from '../../client/list';
import { openSession, type Session } from '../../client/session';
import { callOf, type NodeCall } from './call';
import { CatalogModels } from './catalogModels';
import { errorForItem } from './errorForItem';
import { resolveProposalNumbers, type FindProposal } from './resolveProposalNumbers';
import { readRequestOptions } from './requestOptions';
import { findOperation } from './resources';
import type { Reading, SoughtModel } from './shared/field';
import { sentIds, type AnyValues, type Operation } from './shared/operation';
import { shapeResponse, type Output } from './shared/output';
import { FieldError } from './shared/values';
import type { OperationRequest } from './unconfirmed/alternatePaths';

/**
 * Runs every input through its operation, several at a time, and gives the results in the order of
 * the inputs. Inputs that write to the same proposal do so one after the other, in their order.
 *
 * Every output item is linked to its input. With *Continue on Fail* an input that failed gives one
 * item that says why.
 *
 * @throws NodeApiError for what the service refused, NodeOperationError for what was not sent
 */
export async function run(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const { concurrency, attempts } = readRequestOptions(context);
	// A credential that cannot be used fails each input, as every other failure does.
	const session = await openSession(context, { attempts }).catch((error: Error) => error);
	const findProposal = await resolveProposalNumbers(context, session);
	const shared = {
		context,
		session,
		findProposal,
		models: new CatalogModels(context),
		changes: new KeyedQueue(),
		halt: { isFailed: false },
	};
	const outputs = await mapConcurrent(
		[...context.getInputData().keys()],
		concurrency,
		async (itemIndex) => await runItem({ ...shared, itemIndex }),
	);
	return outputs.flat();
}

/** One input on its way. */
interface Input {
	context: IExecuteFunctions;
	/** The one session of the execution, or why there is none. */
	session: Session | Error;
	/** Knows the proposals that inputs give by number. */
	findProposal: FindProposal;
	/** Knows the catalog items that inputs give by model. */
	models: CatalogModels;
	/** Keeps the order of changes to one proposal, and of inputs that may create the same contact. */
	changes: KeyedQueue;
	/** Whether an input has failed and ended the execution: changes that still wait are not made. */
	halt: { isFailed: boolean };
	itemIndex: number;
}

/** What one input gives: its records, or what went wrong with it. */
async function runItem(input: Input): Promise<INodeExecutionData[]> {
	const { context, itemIndex } = input;
	try {
		const records = await runOperation(input);
		return records.map((json) => ({ json, pairedItem: { item: itemIndex } }));
	} catch (error) {
		const failure = asNodeError(context, error, itemIndex);
		// A stopped execution goes on to no further input.
		const isStopped = context.getExecutionCancelSignal()?.aborted === true;
		if (isStopped || !context.continueOnFail()) throw failure;
		return [{ json: describeFailure(failure), error: failure, pairedItem: { item: itemIndex } }];
	}
}

/**
 * Reads the fields and carries the operation out. Until it is in the queue this does not wait for
 * anything, so changes to one proposal are made in the order of the inputs.
 */
async function runOperation(input: Input): Promise<IDataObject[]> {
	const { context, session, changes, halt, models, itemIndex } = input;
	const operation = chosenOperation(context, itemIndex);
	if (session instanceof Error) throw errorForItem(context, itemIndex, session);
	const sought: SoughtModel[] = [];
	const values = readValues(input, operation, (one) => (sought.push(one), UNKNOWN_ID));
	const request = operation.request?.(values);
	const found = sought.length > 0 ? models.search(session, sought, itemIndex) : undefined;
	const carryOut = async () => {
		if (found === undefined) {
			return await sendAndShape(operation, request, callOf(context, session, itemIndex, values));
		}
		const known = readValues(input, operation, await found);
		const call = callOf(context, session, itemIndex, known);
		return await sendAndShape(operation, operation.request?.(known), call);
	};
	const proposal =
		request?.method === 'GET' ? undefined : (values.proposalId as number | undefined);
	const key = operation.queue?.(values) ?? proposal;
	const records = await (key === undefined
		? carryOut()
		: changes.run(key, async () => await changeUnlessHalted(context, carryOut, halt)));
	const { limit = Infinity } = values as { limit?: number };
	return records.slice(0, limit);
}

/** In the place of an ID until its model was searched. */
const UNKNOWN_ID = 0;

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

function readValues(
	{ context, findProposal, itemIndex }: Input,
	operation: Operation,
	findModel: Reading['findModel'],
) {
	const given = operation.fields.map(({ name, default: fallback }) => [
		name,
		context.getNodeParameter(name, itemIndex, fallback) as unknown,
	]);
	const values = Object.fromEntries(given) as Record<string, unknown>;
	if ('proposalId' in values) values.proposalId = findProposal(values.proposalId, itemIndex);
	return operation.read(values, { timezone: context.getTimezone(), findModel });
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
	const { output, list, execute, check } = operation;
	const { values } = call;
	if (request !== undefined && list !== undefined) {
		const records = await call.readList({ request, ...list });
		return records.flatMap((one) => shapeResponse(output ?? {}, one, values));
	}
	const accepted = await (request === undefined ? execute!(call) : call.send(request));
	const response = check === undefined ? accepted : await check(call, accepted);
	const confirmation = confirm(operation, values, request?.method, response);
	if (output === undefined || typeof response !== 'object' || response === null) {
		return [confirmation];
	}
	const records = shapeAll(output, response, call);
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
		throw error(message, [doubt, description].filter(Boolean).join('\n'));
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

/** A failed input as data, for a workflow that goes on. */
function describeFailure(failure: NodeApiError | NodeOperationError): IDataObject {
	const { message, description } = failure;
	const httpCode = 'httpCode' in failure ? failure.httpCode : undefined;
	return {
		error: message,
		...(description ? { description } : {}),
		...(httpCode ? { httpCode } : {}),
	};
}
