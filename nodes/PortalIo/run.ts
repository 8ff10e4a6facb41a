import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { readPages, type PageShape } from '../../client/lists/pages';
import { send } from '../../client/http/request';
import { openSession, type Session } from '../../client/http/session';
import { KeyedQueue, mapConcurrent } from '../../client/concurrency';
import { sendUpload } from '../../client/upload/upload';
import { sendAndWait } from './sendAndWait';
import {
	idsOf,
	stepsOf,
	type AnyValues,
	type Existing,
	type FileUpload,
	type Operation,
	type Step,
} from './shared/operation';
import type { Reading, SoughtModel } from './shared/field';
import { shapeResponse } from './shared/output';
import { FieldError } from './shared/values';
import { anewFor } from './anewFor';
import { findOperation } from './resources';
import { inputFile } from './inputFile';
import { CatalogModels } from './catalogModels';
import { findProposals, type FindProposal } from './proposalNumbers';
import { readRequestOptions } from './requestOptions';
import { completeCreation, sendSteps } from './sendSteps';

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
	const findProposal = await findProposals(context, session);
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
		async (itemIndex) => await outputOf({ ...shared, itemIndex }),
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
async function recordsOf(input: Input): Promise<IDataObject[]> {
	const { context, session, changes, halt, models, itemIndex } = input;
	const operation = chosenOperation(context, itemIndex);
	if (session instanceof Error) throw anewFor(context, itemIndex, session);
	const sought: SoughtModel[] = [];
	const values = readValues(input, operation, (one) => (sought.push(one), UNKNOWN_ID));
	const steps = stepsOf(operation, values);
	const { limit = Infinity, proposalId } = values as { limit?: number; proposalId?: number };
	const existing = operation.existing?.(values);
	const call: Call = { context, session, itemIndex, operation, values, steps, existing };
	const isChange = steps.some(({ request }) => request.method !== 'GET');
	const key = existing?.key ?? (isChange ? proposalId : undefined);
	const found = sought.length > 0 ? models.search(session, sought, itemIndex) : undefined;
	const outputs = async () => await outputsOf(await withModels(input, call, found), limit);
	const records = await (key === undefined
		? outputs()
		: changes.run(key, async () => await changeUnlessHalted(context, outputs, halt)));
	return records.slice(0, limit);
}

/** In the place of an ID until its model was searched. */
const UNKNOWN_ID = 0;

/** A call with the IDs of the models that its fields hold. */
async function withModels(
	input: Input,
	call: Call,
	found: ReturnType<CatalogModels['search']> | undefined,
): Promise<Call> {
	if (found === undefined) return call;
	const values = readValues(input, call.operation, await found);
	return { ...call, values, steps: stepsOf(call.operation, values) };
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

/** The requests of one input, and what they are for. */
interface Call {
	context: IExecuteFunctions;
	session: Session;
	itemIndex: number;
	operation: Operation;
	values: AnyValues;
	steps: Step[];
	/** How to find the record that is used instead of a new one. */
	existing: Existing | undefined;
}

/** Sends the requests and shapes what the service returns: one object, or the records of a list. */
async function outputsOf(call: Call, limit: number): Promise<IDataObject[]> {
	const { operation, values } = call;
	const { output } = operation;
	const shape = operation.list?.(values);
	if (shape !== undefined) {
		const records = await recordsOfList(call, shape, limit);
		return records.flatMap((one) => shapeResponse(output ?? {}, one, values));
	}
	const response = await responseTo(call);
	if (output === undefined || typeof response !== 'object' || response === null) {
		return [confirmation(call, response)];
	}
	const records = [response]
		.flat()
		.flatMap((one) => shapeResponse(output, one as IDataObject, values));
	// A change has an output whatever the service returns: an empty one would end the workflow.
	const isRead = call.steps[0]!.request.method === 'GET';
	return records.length > 0 || isRead ? records : [confirmation(call, '')];
}

async function recordsOfList(call: Call, shape: PageShape, limit: number): Promise<IDataObject[]> {
	const { session, itemIndex, operation, values, steps } = call;
	const records: IDataObject[] = [];
	for (const { request } of steps) {
		if (records.length >= limit) break;
		const list = { request, ...shape };
		const more = await readPages<IDataObject>(session, list, limit - records.length, itemIndex);
		records.push(...more);
	}
	return await mapConcurrent(records, DETAILS_AT_A_TIME, async (record) => {
		const detail = operation.detail?.(record, values);
		return detail === undefined
			? record
			: ((await send(session, detail, itemIndex)) as IDataObject);
	});
}

/** The response to the requests of an operation that is no list. */
async function responseTo(call: Call): Promise<unknown> {
	const { session, itemIndex, operation, values, steps, existing } = call;
	if (operation.upload !== undefined) return await upload(call, operation.upload);
	const waiting = operation.wait?.(values);
	if (waiting !== undefined) {
		return await sendAndWait(session, steps[0]!.request, waiting, itemIndex);
	}
	if (existing !== undefined) {
		const found = await readPages<IDataObject>(session, existing.list, Infinity, itemIndex);
		const [same] = found
			.filter(existing.isSame)
			.sort((one, other) => Number(one.id) - Number(other.id));
		if (same !== undefined) return await send(session, existing.detail(same), itemIndex);
	}
	const response = await sendSteps(session, steps, itemIndex);
	return await completeCreation(session, operation, values, response, itemIndex);
}

async function upload(
	{ context, session, itemIndex, values, steps }: Call,
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
		{ request: steps[0]!.request, form: form(values, facts), check: assertPossible, open },
		itemIndex,
	);
}

/** That it was done, with the IDs that were sent: the output where there is no record. */
function confirmation({ operation, values, steps }: Call, response: unknown): IDataObject {
	const { deleted = true } = (response || {}) as { deleted?: boolean };
	const done = steps[0]!.request.method === 'DELETE' ? { deleted } : { success: true };
	const message = typeof response === 'string' && response !== '' ? { message: response } : {};
	return { ...done, ...idsOf(operation, values), ...message };
}

function asNodeError(context: IExecuteFunctions, error: unknown, itemIndex: number) {
	// What `send` threw is already in the user's words.
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	const message = error instanceof Error ? error.message : String(error);
	const description = error instanceof FieldError ? error.description : undefined;
	return new NodeOperationError(context.getNode(), message, { itemIndex, description });
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
