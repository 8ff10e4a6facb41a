import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { readPages } from '../../client/lists/pages';
import { send, type ServiceRequest } from '../../client/http/request';
import { openSession, type Session } from '../../client/http/session';
import { KeyedQueue, mapConcurrent } from '../../client/concurrency';
import { sendUpload } from '../../client/upload/upload';
import { sendAndWait } from './sendAndWait';
import type { AnyValues, FileUpload, Operation } from './shared/operation';
import { findOperation } from './resources';
import { inputFile } from './inputFile';
import { readRequestOptions } from './requestOptions';

/** How many records of a list are read in full at a time. */
const DETAILS_AT_A_TIME = 5;

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
	const changes = new KeyedQueue();
	const outputs = await mapConcurrent(
		[...context.getInputData().keys()],
		concurrency,
		async (itemIndex) => await outputOf({ context, session, changes, itemIndex }),
	);
	return outputs.flat();
}

/** One input on its way. */
interface Input {
	context: IExecuteFunctions;
	/** The one session of the execution, or why there is none. */
	session: Session | Error;
	/** Keeps the order of changes to one proposal. */
	changes: KeyedQueue;
	itemIndex: number;
}

/** What one input gives: its records, or what went wrong with it. */
async function outputOf(input: Input): Promise<INodeExecutionData[]> {
	const { context, itemIndex } = input;
	try {
		const records = await recordsOf(input);
		return records.map((json) => ({ json, pairedItem: { item: itemIndex } }));
	} catch (error) {
		const failure = asNodeError(context, error, itemIndex);
		// A stopped execution goes on to no further input.
		const isStopped = context.getExecutionCancelSignal()?.aborted === true;
		if (isStopped || !context.continueOnFail()) throw failure;
		return [{ json: failureOf(failure), error: failure, pairedItem: { item: itemIndex } }];
	}
}

/**
 * Reads the fields, sends the request and shapes the response. Until it is in the queue this does not
 * wait for anything, so changes to one proposal are made in the order of the inputs.
 */
async function recordsOf({ context, session, changes, itemIndex }: Input): Promise<IDataObject[]> {
	const operation = chosenOperation(context, itemIndex);
	const values = readValues(context, operation, itemIndex);
	const request = operation.request(values);
	const { limit = Infinity, proposalId } = values as { limit?: number; proposalId?: number };
	if (session instanceof Error) throw withoutSession(context, session, itemIndex);
	const call: Call = { context, session, itemIndex, operation, values, request };
	const isChange = request.method !== 'GET' && proposalId !== undefined;
	const responses = await (isChange
		? changes.run(proposalId, async () => await responsesTo(call, limit))
		: responsesTo(call, limit));
	const records = responses.flatMap<IDataObject>((one) => operation.output?.(one, values) ?? one);
	return records.slice(0, limit);
}

/** Why there is no session, for one input. */
function withoutSession(context: IExecuteFunctions, error: Error, itemIndex: number) {
	const { message, description } = error as Error & { description?: string | null };
	const details = { message, description: description ?? '', itemIndex };
	return new NodeApiError(context.getNode(), {}, details);
}

function readValues(context: IExecuteFunctions, operation: Operation, itemIndex: number) {
	const given = operation.fields.map(({ name, default: fallback }) => [
		name,
		context.getNodeParameter(name, itemIndex, fallback) as unknown,
	]);
	return operation.read(Object.fromEntries(given), context.getTimezone());
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
			? 'A custom API call is made with the HTTP Request node'
			: `The Portal.io node has no operation '${name}' for '${resource}'`,
		{
			itemIndex,
			description: isCustom
				? "Add an HTTP Request node and choose 'Predefined Credential Type' and 'Portal.io API' there: it signs the request."
				: 'Choose one from the lists.',
		},
	);
}

/** The request of one input, and what it is for. */
interface Call {
	context: IExecuteFunctions;
	session: Session;
	itemIndex: number;
	operation: Operation;
	values: AnyValues;
	request: ServiceRequest;
}

/** What the service returns: one object, or the records of a list. */
async function responsesTo(call: Call, limit: number): Promise<IDataObject[]> {
	const { session, itemIndex, operation, values, request } = call;
	const shape = operation.list?.(values);
	if (shape === undefined) return asObjects(await responseTo(call), call);
	const list = { request, ...shape };
	const records = await readPages<IDataObject>(session, list, limit, itemIndex);
	return await mapConcurrent(records, DETAILS_AT_A_TIME, async (record) => {
		const detail = operation.detail?.(record, values);
		return detail === undefined
			? record
			: ((await send(session, detail, itemIndex)) as IDataObject);
	});
}

/** The response to the one request of an operation that is no list. */
async function responseTo(call: Call): Promise<unknown> {
	const { session, itemIndex, operation, values, request } = call;
	if (operation.upload !== undefined) return await upload(call, operation.upload);
	const waiting = operation.wait?.(values);
	return waiting === undefined
		? await send(session, request, itemIndex)
		: await sendAndWait(session, request, waiting, itemIndex);
}

async function upload(
	{ context, session, itemIndex, values, request }: Call,
	{ file, form, check, obstacle }: FileUpload<AnyValues>,
): Promise<unknown> {
	const { open, ...facts } = await inputFile(context, itemIndex, file(values));
	const assertPossible = async () => {
		const response = await send(session, check(values), itemIndex);
		const reason = obstacle(response as IDataObject);
		if (reason !== undefined)
			throw new NodeOperationError(context.getNode(), reason, { itemIndex });
	};
	return await sendUpload(
		session,
		{ request, form: form(values, facts), check: assertPossible, open },
		itemIndex,
	);
}

/** A response as objects, whatever its form; where it has no record, the IDs that it is about. */
function asObjects(response: unknown, { operation, values, request }: Call): IDataObject[] {
	if (request.method === 'DELETE') return [{ deleted: true, ...operation.ids(values) }];
	if (Array.isArray(response)) return response as IDataObject[];
	if (typeof response === 'object' && response !== null) return [response as IDataObject];
	const message = typeof response === 'string' && response !== '' ? { message: response } : {};
	return [{ success: true, ...operation.ids(values), ...message }];
}

function asNodeError(context: IExecuteFunctions, error: unknown, itemIndex: number) {
	// What `send` threw is already in the user's words.
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	const message = error instanceof Error ? error.message : String(error);
	return new NodeOperationError(context.getNode(), message, { itemIndex });
}

/** A failed input as data, for a workflow that goes on. */
function failureOf(failure: NodeApiError | NodeOperationError): IDataObject {
	const { message, description } = failure;
	const httpCode = 'httpCode' in failure ? failure.httpCode : undefined;
	return {
		error: message,
		...(description ? { description } : {}),
		...(httpCode ? { httpCode } : {}),
	};
}
