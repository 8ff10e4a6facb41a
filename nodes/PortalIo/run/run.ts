/**
 * Runs the node. It reads all inputs and looks up their records before the first change, so an execution
 * with an invalid input changes nothing.
 */
import {
	NodeOperationError,
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { mapConcurrent } from '../../../client/concurrency';
import { PortalError } from '../../../client/errors';
import { describeFailure, toNodeError } from '../../shared/failure';
import { describeProblems, inWords, problemsAt } from '../fields/fieldError';
import { readRequestOptions } from '../fields/requestOptions';
import type { Operation } from '../operation/operation';
import { findOperation } from '../resources';
import { addHint, isTool } from './call';
import {
	CONTINUE_ADVICE,
	atPlace,
	carryOut,
	errorOfInput,
	isStopped,
	placeOf,
	readInput,
	type Execution,
	type Input,
} from './inputs';
import { progressOfItems } from './repetition';

const INPUTS_WITHOUT_PAUSE = 20;

/**
 * Runs all inputs, several at a time, and returns linked output items in the order of the inputs.
 * Changes of one record run in order. A failed input returns an item with its error if the node
 * `continues` on errors; otherwise this throws.
 */
export async function run(
	context: IExecuteFunctions,
	continues: boolean,
): Promise<INodeExecutionData[]> {
	const operation = chosenOperation(context);
	const { concurrency, attempts } = await readRequestOptions(context, operation.kind);
	const execution: Execution = {
		context,
		continues,
		operation,
		attempts,
		connections: new Map(),
		hasEnded: false,
		truncation: { returned: 0, total: 0, isBeyondWindow: false },
		failures: 0,
		progressOf: context.getNode().retryOnFail === true ? progressOfItems(context) : undefined,
	};
	const indexes = [...context.getInputData().keys()];
	const outputs =
		operation.kind === 'read'
			? await runReads(execution, indexes, concurrency)
			: await runChanges(execution, indexes, concurrency);
	const output = outputs.flat();
	// The table of n8n takes the order of its columns from the first item, so `error` can be out of sight.
	if (execution.failures > 0 && isRegularOutput(context)) {
		const count = `${execution.failures} of ${indexes.length} input items failed`;
		addHint(context, `${count}. The field 'error' of their output says why.`, 'warning');
	}
	const withoutOutput = indexes.filter((itemIndex) => outputs[itemIndex]!.length === 0);
	// The next step runs without these input items, as if they had never been there.
	if (indexes.length > 1 && withoutOutput.length > 0) {
		addHint(
			context,
			`Nothing was found for these input items: ${inWords(withoutOutput.map(String))}`,
			'info',
		);
	}
	if (execution.truncation.total > 0) {
		const hint = truncationHint(execution.truncation, isTool(context));
		addHint(context, hint, 'warning');
		// A model gets the output of a tool, but not its hints.
		if (isTool(context)) output.push({ json: { note: hint }, pairedItem: { item: 0 } });
	}
	return output;
}

async function runChanges(execution: Execution, indexes: number[], concurrency: number) {
	const inputs = await readAll(execution, indexes, concurrency);
	return await mapConcurrent(
		inputs,
		concurrency,
		async (input) => await outputItems(execution, input),
	);
}

/** Reads the fields of the next inputs while requests are pending: resolving expressions blocks n8n. */
async function runReads(execution: Execution, indexes: number[], concurrency: number) {
	const inputs = new Map<number, Promise<Input>>();
	const inputAt = (itemIndex: number): Promise<Input> => {
		const input = inputs.get(itemIndex) ?? readInput(execution, itemIndex);
		inputs.set(itemIndex, input);
		return input;
	};
	const readAhead = async (itemIndex: number) => {
		// The request of this input is sent first.
		await sleep(0);
		if (itemIndex < indexes.length) await inputAt(itemIndex);
	};
	let hasInvalid = false;
	return await mapConcurrent(indexes, concurrency, async (itemIndex) => {
		const input = await inputAt(itemIndex);
		hasInvalid ||= input.state instanceof Error;
		// The next input throws this error when it runs.
		const readingAhead = readAhead(itemIndex + concurrency).catch(() => {});
		try {
			return await outputItems(execution, input);
		} finally {
			await readingAhead;
		}
	}).catch(async (error: Error) => {
		if (hasInvalid) await readAll(execution, indexes, concurrency);
		throw error;
	});
}

/** Throws an error that names all invalid inputs, unless the node continues on errors. */
async function readAll(
	execution: Execution,
	indexes: number[],
	concurrency: number,
): Promise<Input[]> {
	const inputs = await mapConcurrent(indexes, concurrency, async (itemIndex) => {
		// Resolving expressions blocks n8n. A pause takes a millisecond.
		if (itemIndex % INPUTS_WITHOUT_PAUSE === 0) await sleep(0);
		return await readInput(execution, itemIndex);
	});
	for (const { state } of inputs) {
		if (state instanceof Error && !execution.continues) throw invalidError(execution, inputs);
	}
	return inputs;
}

function invalidError(execution: Execution, inputs: Input[]): Error {
	const { context, operation } = execution;
	const invalid: Array<{ itemIndex: number; error: Error }> = [];
	for (const { itemIndex, state: error } of inputs) {
		if (error instanceof Error) invalid.push({ itemIndex, error });
	}
	const { itemIndex, error } = invalid[0]!;
	const node = context.getNode();
	if (inputs.length === 1) return toNodeError(node, error, itemIndex);
	const problems = invalid.flatMap((input) =>
		problemsAt(placeOf(execution, input.itemIndex), input.error),
	);
	const summary =
		invalid.length === 1
			? atPlace(placeOf(execution, itemIndex), error)
			: new PortalError(`${invalid.length} of ${inputs.length} input items cannot be processed`, {
					advice: [describeProblems(problems)],
				});
	const advice = operation.kind === 'change' ? ['Nothing was changed.'] : [];
	if (invalid.length < inputs.length) advice.push(CONTINUE_ADVICE);
	return toNodeError(node, summary.with({ advice }), itemIndex);
}

async function outputItems(execution: Execution, input: Input): Promise<INodeExecutionData[]> {
	const { context } = execution;
	const { itemIndex } = input;
	const items: INodeExecutionData[] = [];
	try {
		for (const json of await carryOut(execution, input)) {
			items.push({ json, pairedItem: { item: itemIndex } });
		}
		return items;
	} catch (error) {
		// A stopped execution must not continue with further inputs.
		if (isStopped(context) || !execution.continues) {
			throw errorOfInput(execution, itemIndex, error as Error);
		}
		execution.failures++;
		// n8n would replace the item by the message if it had the item property `error`.
		return [
			{ json: failedItem(context, itemIndex, error as Error), pairedItem: { item: itemIndex } },
		];
	}
}

/** Returns the error, then the fields of the input, which show what failed. */
function failedItem(context: IExecuteFunctions, itemIndex: number, error: Error): IDataObject {
	const failure = describeFailure(error);
	// n8n adds the fields to the error output, and recognizes a failed item by having no others.
	if (!isRegularOutput(context)) return failure;
	return { ...failure, ...context.getInputData()[itemIndex]!.json, ...failure };
}

/** Returns whether failed items are among the others, and a person sees them. */
const isRegularOutput = (context: IExecuteFunctions) =>
	!isTool(context) && context.getNode().onError !== 'continueErrorOutput';

/** A list shortened by *Limit* looks complete. */
function truncationHint(
	{ returned, total, isBeyondWindow }: Execution['truncation'],
	isForModel: boolean,
): string {
	const returnedText = returned.toLocaleString('en-US');
	const totalText = total.toLocaleString('en-US');
	const count =
		total === Infinity
			? `${returnedText} items, possibly not all`
			: `${returnedText} of ${totalText} items`;
	if (isForModel) return `${count}. Narrow the search, or set a higher limit.`;
	const advice = isBeyondWindow
		? "Narrow the search: 'Return All' fails if Portal.io does not show all of them"
		: "Turn on 'Return All'";
	return `${count}. ${advice}.`;
}

function chosenOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0) as string;
	const name = context.getNodeParameter('operation', 0) as string;
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	// n8n adds 'Custom API Call' to both lists and expects nodes to say where to make one.
	const [message, description] = [resource, name].includes('__CUSTOM_API_CALL__')
		? [
				'Use the HTTP Request node for custom API calls',
				"Add an HTTP Request node and choose 'Predefined Credential Type' and 'Portal.io API' there: it signs the request.",
			]
		: [
				`The Portal.io node has no operation '${name}' for '${resource}'`,
				'Choose one from the lists.',
			];
	throw new NodeOperationError(context.getNode(), message, { description });
}
