/**
 * One execution of the node. Before the first change, the fields of all inputs are read and the records
 * that they name are found: an execution with a wrong input changes nothing.
 */
import {
	NodeOperationError,
	sleep,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { mapConcurrent } from '../../../client/concurrency';
import { PortalError } from '../../../client/errors';
import { describeFailure, toNodeError } from '../../shared/failure';
import { linesOf } from '../fields/values';
import { findOperation } from '../resources';
import { Accounts } from './accounts';
import { CutLists } from './hints';
import { isStopped, readInput, type Execution, type Input } from './inputs';
import { findProgress } from './repetition';
import { readRequestOptions } from './requestOptions';

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
	const { operation, isRead } = chosenOperation(context);
	const execution: Execution = {
		...{ context, operation, isRead },
		accounts: new Accounts(context, attempts),
		halt: { isFailed: false },
		cutLists: new CutLists(),
		progressOf: findProgress(context),
	};
	const indexes = [...context.getInputData().keys()];
	const each = async <R>(map: (itemIndex: number) => Promise<R>) =>
		await mapConcurrent(indexes, concurrency, map);
	const readAll = async () => {
		const inputs = await each(async (itemIndex) => {
			// Expressions are resolved without a pause, which would let nothing else in n8n run.
			if (itemIndex % INPUTS_WITHOUT_PAUSE === INPUTS_WITHOUT_PAUSE - 1) await sleep(0);
			return await readInput(execution, itemIndex);
		});
		assertAllRight(context, inputs);
		return inputs;
	};
	const outputs = isRead
		? await readAndCarryOut(execution, each, readAll)
		: await readAll().then(
				async (inputs) =>
					await each(async (itemIndex) => await outputOf(context, inputs[itemIndex]!)),
			);
	execution.cutLists.addHint(context);
	return outputs.flat();
}

const INPUTS_WITHOUT_PAUSE = 20;

type Each = <R>(map: (itemIndex: number) => Promise<R>) => Promise<R[]>;

/** Where nothing is changed, an input is read when its turn comes; only after a wrong one all are read. */
async function readAndCarryOut(
	execution: Execution,
	each: Each,
	readAll: () => Promise<unknown>,
): Promise<INodeExecutionData[][]> {
	let hasWrong = false;
	const outputs = each(async (itemIndex) => {
		const input = await readInput(execution, itemIndex);
		hasWrong ||= input.wrong !== undefined;
		return await outputOf(execution.context, input);
	});
	return await outputs.catch(async (error: Error) => {
		if (hasWrong) await readAll();
		throw error;
	});
}

/** @throws NodeOperationError naming the inputs that are wrong, unless the execution continues without them */
function assertAllRight(context: IExecuteFunctions, inputs: Input[]): void {
	const wrong = inputs.filter((input) => input.wrong !== undefined);
	if (wrong.length === 0 || context.continueOnFail()) return;
	const [{ itemIndex, wrong: first }] = wrong as [Required<Input>];
	if (inputs.length === 1) throw toNodeError(context.getNode(), first, itemIndex);
	const lines = wrong.map((one) => `Row ${one.itemIndex + 1}: ${one.wrong!.message}`);
	const isOne = wrong.length === 1;
	const error = isOne
		? PortalError.from(first).with({ what: lines[0]! })
		: new PortalError(`${wrong.length} of ${inputs.length} rows cannot be processed`, {
				advice: [linesOf(lines)],
			});
	const nothingChanged = error.with({ advice: ['Nothing was changed.'] });
	throw toNodeError(context.getNode(), nothingChanged, itemIndex);
}

/** The output of an input: its records, or what went wrong with it. */
async function outputOf(
	context: IExecuteFunctions,
	{ itemIndex, carryOut }: Input,
): Promise<INodeExecutionData[]> {
	try {
		const records = await carryOut();
		return records.map((json) => ({ json, pairedItem: { item: itemIndex } }));
	} catch (error) {
		// A stopped execution goes on to no further input.
		if (isStopped(context) || !context.continueOnFail()) {
			throw toNodeError(context.getNode(), error, itemIndex);
		}
		// Without the property `error`, for which n8n would replace the item by its message alone.
		return [{ json: describeFailure(error as Error), pairedItem: { item: itemIndex } }];
	}
}

/** The operation of the node, which is the same for all inputs, and whether it only reads. */
function chosenOperation(context: IExecuteFunctions) {
	const resource = context.getNodeParameter('resource', 0) as string;
	const name = context.getNodeParameter('operation', 0) as string;
	const operation = findOperation(resource, name);
	if (operation !== undefined) return { operation, isRead: /^(get|search)/.test(name) };
	// n8n offers 'Custom API Call' in both lists and expects the node to point to where it is made.
	const isCustom = [resource, name].includes('__CUSTOM_API_CALL__');
	throw new NodeOperationError(
		context.getNode(),
		isCustom
			? 'Use the HTTP Request node for custom API calls'
			: `The Portal.io node has no operation '${name}' for '${resource}'`,
		{
			description: isCustom
				? "Add an HTTP Request node and choose 'Predefined Credential Type' and 'Portal.io API' there: it signs the request."
				: 'Choose one from the lists.',
		},
	);
}
