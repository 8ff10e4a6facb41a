/**
 * One execution of the node. Before the first change, the fields of all inputs are read and the records
 * that they name are found: an execution with a wrong input changes nothing.
 */
import {
	NodeOperationError,
	sleep,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { mapConcurrent } from '../../../client/concurrency';
import { PortalError } from '../../../client/errors';
import { DEFAULT_ATTEMPTS } from '../../../client/session';
import { describeFailure, toNodeError, withNodeErrors } from '../../shared/failure';
import { emptinessOf, readCollection } from '../fields/field';
import { linesOf, readWithin } from '../fields/values';
import { findOperation } from '../resources';
import { addHint } from './call';
import {
	accountsOf,
	errorOfInput,
	isStopped,
	readInput,
	rowOf,
	type Execution,
	type Input,
} from './inputs';
import { findProgress } from './repetition';

const INPUTS_WITHOUT_PAUSE = 20;

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
	const { concurrency, attempts } = await withNodeErrors(context, async () =>
		readRequestOptions(context),
	);
	const { operation, isRead } = chosenOperation(context);
	const execution: Execution = {
		...{ context, operation, isRead, accountOf: accountsOf(context, attempts) },
		...{ halt: { isFailed: false }, cut: { returned: 0, total: 0 } },
		progressOf: findProgress(context),
	};
	const indexes = [...context.getInputData().keys()];
	const readAll = async () => {
		const all = await mapConcurrent(indexes, concurrency, async (itemIndex) => {
			// Expressions are resolved without a pause, which would let nothing else in n8n run.
			if (itemIndex % INPUTS_WITHOUT_PAUSE === INPUTS_WITHOUT_PAUSE - 1) await sleep(0);
			return await readInput(execution, itemIndex);
		});
		assertAllRight(context, all);
		return all;
	};
	const inputs = isRead ? [] : await readAll();
	let hasWrong = false;
	const outputs = await mapConcurrent(indexes, concurrency, async (itemIndex) => {
		// Where nothing is changed, an input is read when its turn comes.
		const input = inputs[itemIndex] ?? (await readInput(execution, itemIndex));
		hasWrong ||= input.wrong !== undefined;
		return await outputItems(context, input);
	}).catch(async (error: Error) => {
		// The error names all inputs that are wrong.
		if (isRead && hasWrong) await readAll();
		throw error;
	});
	hintAtCut(execution);
	return outputs.flat();
}

/** @throws NodeOperationError naming the inputs that are wrong, unless the execution continues without them */
function assertAllRight(context: IExecuteFunctions, inputs: Input[]): void {
	const wrong = inputs.filter((input) => input.wrong !== undefined);
	if (wrong.length === 0 || context.continueOnFail()) return;
	const [{ itemIndex, wrong: first }] = wrong as [Required<Input>];
	if (inputs.length === 1) throw toNodeError(context.getNode(), first, itemIndex);
	const lines = wrong.map((one) => `${rowOf(context, one.itemIndex)}: ${one.wrong!.message}`);
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
async function outputItems(
	context: IExecuteFunctions,
	{ itemIndex, carryOut }: Input,
): Promise<INodeExecutionData[]> {
	try {
		const records = await carryOut();
		return records.map((json) => ({ json, pairedItem: { item: itemIndex } }));
	} catch (error) {
		// A stopped execution goes on to no further input.
		if (isStopped(context) || !context.continueOnFail()) {
			throw errorOfInput(context, itemIndex, error as Error);
		}
		// Without the property `error`, for which n8n would replace the item by its message alone.
		return [{ json: describeFailure(error as Error), pairedItem: { item: itemIndex } }];
	}
}

/** Says that *Limit* has cut lists: an order without its last ten items looks complete. */
export function hintAtCut({
	context,
	cut: { returned, total },
}: Pick<Execution, 'context' | 'cut'>): void {
	if (total === 0) return;
	const count =
		total === Infinity ? `${returned} items, perhaps not all` : `${returned} of ${total} items`;
	addHint(context, `${count}. Turn on 'Return All'.`, 'warning');
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

/** The numbers that a setting of requests accepts: whole ones from 1. */
const SETTINGS = {
	itemsInParallel: {
		label: 'Items in Parallel',
		max: 50,
		default: 10,
		description: 'How many input items are processed at the same time',
	},
	requestAttempts: {
		label: 'Request Attempts',
		max: 10,
		default: DEFAULT_ATTEMPTS,
		description: 'How often a request is attempted that may succeed later',
	},
};

/** What every operation has (docs/bulk.md#many-items). */
export const requestOptions: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: Object.entries(SETTINGS).map(([name, setting]) => {
		const { label: displayName, max: maxValue, default: fallback, description } = setting;
		const typeOptions = { minValue: 1, maxValue };
		return { displayName, name, type: 'number', typeOptions, default: fallback, description };
	}),
};

/**
 * The request options of an execution; they are those of its first input.
 *
 * @throws FieldError naming the option that is out of its limits
 */
export function readRequestOptions(context: IExecuteFunctions) {
	const given = readCollection(context.getNodeParameter('requestOptions', 0, {}));
	const read = (name: keyof typeof SETTINGS): number => {
		const { label, max, default: fallback } = SETTINGS[name];
		if (emptinessOf(given[name]) !== undefined) return fallback;
		return readWithin(given[name], label, {
			must: `must be a whole number from 1 to ${max}`,
			accepts: (number) => Number.isInteger(number) && number >= 1 && number <= max,
		});
	};
	return { concurrency: read('itemsInParallel'), attempts: read('requestAttempts') };
}
