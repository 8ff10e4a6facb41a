/**
 * Runs the node. Parses all input items, and finds the records that they name, before it runs the first one. So an
 * execution with an invalid input item changes nothing, unless it continues on errors.
 */
import {
	NodeOperationError,
	sleep,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { mapConcurrent } from '../../../client/concurrency';
import { readRequestOptions } from '../fields/requestOptions';
import type { Operation } from '../operation/operation';
import { findOperation } from '../resources';
import { addHint, isTool } from './call';
import { addInputHints, limitHint, rejectInvalid, toFinalError } from './failures';
import { InputItem, type Execution } from './input';

const INPUTS_WITHOUT_PAUSE = 20;

/**
 * Runs all input items, several at a time, and returns linked output items in input order. Changes to the same record
 * run one after the other. If the user chose to continue on errors, outputs an item with the error for each failed
 * input item. Otherwise, throws the error.
 */
export async function runNode(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const operation = chooseOperation(context);
	const { concurrency, attempts } = readRequestOptions(context, operation.kind);
	const continues = context.continueOnFail();
	const execution: Execution = {
		context,
		operation,
		continues,
		attempts,
		accounts: new Map(),
		hints: new Map(),
		hasEnded: false,
	};
	const inputs = context.getInputData().map((_, itemIndex) => new InputItem(execution, itemIndex));

	for (const [index, input] of inputs.entries()) {
		// Pause now and then, so n8n can do other work, because evaluating expressions blocks the process.
		if (index % INPUTS_WITHOUT_PAUSE === 0) await sleep(0);
		input.parse();
	}
	if (!continues) rejectInvalid(context, operation.kind, inputs);
	await mapConcurrent(inputs, concurrency, async (input) => await input.find());
	if (!continues) rejectInvalid(context, operation.kind, inputs);
	const outputs = await mapConcurrent(
		inputs,
		concurrency,
		async (input) => await input.run(),
	).catch((error: Error) => {
		throw toFinalError(context, operation.kind, inputs, error);
	});

	for (const [message, type] of execution.hints) addHint(context, message, type);
	addInputHints(context, inputs);
	const output = outputs.flat();
	const hint = limitHint(context, inputs);
	if (hint !== undefined) {
		addHint(context, hint, 'warning');
		// Add the hint to a tool's output, because the model does not receive hints.
		if (isTool(context)) output.push({ json: { note: hint }, pairedItem: { item: 0 } });
	}
	return output;
}

function chooseOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0) as string;
	const name = context.getNodeParameter('operation', 0) as string;
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	// Point to the HTTP Request node, because n8n adds 'Custom API Call' to both lists.
	const [message, description] = [resource, name].includes('__CUSTOM_API_CALL__')
		? [
				'Use the HTTP Request node for custom API calls',
				"Add an HTTP Request node and choose 'Predefined Credential Type' and 'Portal.io API' there. It signs the request.",
			]
		: [
				`The Portal.io node has no operation '${name}' for '${resource}'`,
				'Choose one from the lists.',
			];
	throw new NodeOperationError(context.getNode(), message, { description });
}
