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
import type { Operation, Parameters } from './shared/operation';
import { findOperation } from './resources';
import { idOf } from './shared/values';
import { inputFile } from './inputFile';
import { readParameters } from './parameters';
import { readRequestOptions } from './requestOptions';

/** How many records of a list are read in full at a time. */
const DETAILS_AT_A_TIME = 5;

/**
 * Runs every input through its operation, several at a time, and gives the results in the order of
 * the inputs. Inputs that write to the same proposal do so one after the other, in their order.
 *
 * Every output item is linked to its input. With *Continue on Fail* an input that failed gives one
 * item that says why (operations.md, rule 6).
 *
 * @throws NodeApiError for what the service refused, NodeOperationError for what was not sent
 */
export async function run(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const { concurrency, attempts } = readRequestOptions(context);
	// A credential that cannot be used is reported for each input, as every other failure is.
	const opening = openSession(context, { attempts });
	opening.catch(() => {});
	const execution = { context, opening, proposals: new KeyedQueue() };
	const outputs = await mapConcurrent(
		[...context.getInputData().keys()],
		concurrency,
		(itemIndex) => outputOf(execution, itemIndex),
	);
	return outputs.flat();
}

/** What all inputs of an execution share. */
interface Execution {
	context: IExecuteFunctions;
	opening: Promise<Session>;
	/** Keeps the order of changes to one proposal. */
	proposals: KeyedQueue;
}

/** What one input gives: its records, or what went wrong with it. */
async function outputOf(execution: Execution, itemIndex: number): Promise<INodeExecutionData[]> {
	const { context } = execution;
	try {
		const records = await runOne(execution, itemIndex);
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
 * Until it is in a queue this does not wait for anything: so what writes to one proposal does so in
 * the order of the inputs.
 */
async function runOne(
	{ context, opening, proposals }: Execution,
	itemIndex: number,
): Promise<IDataObject[]> {
	const operation = chosenOperation(context, itemIndex);
	const parameters = readParameters(context, operation, itemIndex);
	const limit = limitOf(parameters);
	const request = operation.request(parameters);
	const answer = async () =>
		await answersOf(
			{ context, session: await opening, itemIndex },
			operation,
			request,
			parameters,
			limit,
		);
	const writesTo = request.method === 'GET' ? '' : String(parameters.proposalId ?? '').trim();
	const answers = await (writesTo === '' ? answer() : proposals.run(writesTo, answer));
	const records = answers.flatMap<IDataObject>((one) => operation.output?.(one, parameters) ?? one);
	return records.slice(0, limit);
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

/** One input on its way. */
interface Input {
	context: IExecuteFunctions;
	session: Session;
	itemIndex: number;
}

/** What the service answers: one object, or the records of a list. */
async function answersOf(
	input: Input,
	operation: Operation,
	request: ServiceRequest,
	parameters: Parameters,
	limit: number,
): Promise<IDataObject[]> {
	const { session, itemIndex } = input;
	const shape = operation.list?.(parameters);
	if (shape === undefined) {
		const answer = await answerOf(input, operation, request, parameters);
		return answerObjects(answer, request.method, parameters);
	}
	const list = { request, ...shape };
	const records = await readPages<IDataObject>(session, list, limit, itemIndex);
	return await mapConcurrent(records, DETAILS_AT_A_TIME, async (record) => {
		const detail = operation.detail?.(record, parameters);
		return detail === undefined
			? record
			: ((await send(session, detail, itemIndex)) as IDataObject);
	});
}

/** The answer to the one request of an operation that is no list. */
async function answerOf(
	{ context, session, itemIndex }: Input,
	{ upload, wait }: Operation,
	request: ServiceRequest,
	parameters: Parameters,
): Promise<unknown> {
	if (upload !== undefined) {
		const file = await inputFile(context, itemIndex, parameters.binaryPropertyName);
		const form = upload.form(parameters, file);
		const check = async () => {
			const answer = await send(session, upload.check(parameters), itemIndex);
			const obstacle = upload.obstacle(answer as IDataObject);
			if (obstacle === undefined) return;
			throw new NodeOperationError(context.getNode(), obstacle, { itemIndex });
		};
		return await sendUpload(session, { request, form, check, open: file.open }, itemIndex);
	}
	const waiting = wait?.(parameters);
	if (waiting !== undefined) return await sendAndWait(session, request, waiting, itemIndex);
	return await send(session, request, itemIndex);
}

/** An answer as objects, whatever its form (operations.md, rule 5). */
function answerObjects(answer: unknown, method: string, parameters: Parameters): IDataObject[] {
	const ids = Object.fromEntries(
		Object.entries(parameters).filter(([name, value]) => /Ids?$/.test(name) && value !== ''),
	) as IDataObject;
	if (method === 'DELETE') return [{ deleted: true, ...ids }];
	if (Array.isArray(answer)) return answer as IDataObject[];
	if (typeof answer === 'object' && answer !== null) return [answer as IDataObject];
	const message = typeof answer === 'string' && answer !== '' ? { message: answer } : {};
	return [{ success: true, ...ids, ...message }];
}

function limitOf({ returnAll, limit }: Parameters): number {
	return limit === undefined || returnAll === true ? Infinity : idOf(limit, 'Limit');
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
