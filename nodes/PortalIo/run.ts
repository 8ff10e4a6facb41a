import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { readPages } from '../../service/pages';
import { send, type ServiceRequest } from '../../service/request';
import { sendUpload } from '../../service/upload';
import { sendAndWait } from '../../service/waiting';
import type { Operation, Parameters } from './actions/operation';
import { findOperation } from './actions/registry';
import { idOf } from './actions/values';
import { inputFile } from './inputFile';
import { readParameters } from './parameters';

/**
 * Runs every input through its operation, in order.
 *
 * Every output item is linked to its input. With *Continue on Fail* an input that failed gives one
 * item that says why (operations.md, rule 6).
 *
 * @throws NodeApiError for what the service refused, NodeOperationError for what was not sent
 */
export async function run(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		try {
			const records = await runOne(context, itemIndex);
			output.push(...records.map((json) => ({ json, pairedItem: { item: itemIndex } })));
		} catch (error) {
			const failure = asNodeError(context, error, itemIndex);
			// A stopped execution goes on to no further input.
			const isStopped = context.getExecutionCancelSignal()?.aborted === true;
			if (isStopped || !context.continueOnFail()) throw failure;
			output.push({
				json: failureOf(failure),
				error: failure,
				pairedItem: { item: itemIndex },
			});
		}
	}
	return output;
}

async function runOne(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const operation = chosenOperation(context, itemIndex);
	const parameters = readParameters(context, operation, itemIndex);
	const limit = limitOf(parameters);
	const answers = await answersOf(context, operation, parameters, limit, itemIndex);
	const records = answers.flatMap<IDataObject>(
		(answer) => operation.output?.(answer, parameters) ?? answer,
	);
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

/** What the service answers: one object, or the records of a list. */
async function answersOf(
	context: IExecuteFunctions,
	operation: Operation,
	parameters: Parameters,
	limit: number,
	itemIndex: number,
): Promise<IDataObject[]> {
	const request = operation.request(parameters);
	const shape = operation.list?.(parameters);
	if (shape === undefined) {
		const answer = await answerOf(context, operation, request, parameters, itemIndex);
		return answerObjects(answer, request.method, parameters);
	}
	const list = { request, ...shape };
	const records = await readPages<IDataObject>(context, list, limit, itemIndex);
	const answers: IDataObject[] = [];
	for (const record of records) {
		const detail = operation.detail?.(record, parameters);
		answers.push(
			detail === undefined ? record : ((await send(context, detail, itemIndex)) as IDataObject),
		);
	}
	return answers;
}

/** The answer to the one request of an operation that is no list. */
async function answerOf(
	context: IExecuteFunctions,
	{ upload, wait }: Operation,
	request: ServiceRequest,
	parameters: Parameters,
	itemIndex: number,
): Promise<unknown> {
	if (upload !== undefined) {
		const file = await inputFile(context, itemIndex, parameters.binaryPropertyName);
		const form = upload.form(parameters, file);
		const check = async () => {
			const answer = await send(context, upload.check(parameters), itemIndex);
			const obstacle = upload.obstacle(answer as IDataObject);
			if (obstacle === undefined) return;
			throw new NodeOperationError(context.getNode(), obstacle, { itemIndex });
		};
		return await sendUpload(context, { request, form, check, open: file.open }, itemIndex);
	}
	const waiting = wait?.(parameters);
	if (waiting !== undefined) return await sendAndWait(context, request, waiting, itemIndex);
	return await send(context, request, itemIndex);
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
