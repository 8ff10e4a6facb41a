/** Errors and hints for input items that fail, and for output that is incomplete. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isNotFound, isSetupError, PortalError } from '../../../client/errors';
import { describeFailure, toNodeError } from '../../shared/nodeError';
import {
	describeProblems,
	endSentence,
	InvalidFields,
	joinWithAnd,
	type Problem,
} from '../fields/fieldError';
import { isLocator } from '../fields/field';
import { addHint, isTool } from './call';
import type { InputResult } from './retryOnFail';

interface InputState {
	itemIndex: number;
	problem?: Error;
	/** Output; undefined if the input item was not processed. */
	result?: InputResult;
}

const CONTINUE_ADVICE =
	"To continue with the other input items when one fails, open this step's settings and set 'On Error' to 'Continue (using error output)'.";

export const isStopped = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;

/**
 * Adds advice if a user might have entered a proposal's number as its ID. Adds none for an AI agent, because its model
 * cannot change the mode of the field.
 */
export function adviseNumber(context: IExecuteFunctions, itemIndex: number, error: Error): Error {
	if (!isNotFound(error) || isTool(context)) return error;
	const proposal: unknown = context.getNodeParameter('proposalId', itemIndex, null);
	if (!isLocator(proposal) || proposal.mode !== 'id') return error;
	return error.with({ advice: ["To use the number, set 'Proposal' to 'Number'."] });
}

/**
 * Returns the n8n error for an input item. If there are several input items, adds the number of the failed one, and
 * advice on processing the others.
 */
export function toInputError(
	context: IExecuteFunctions,
	itemIndex: number,
	error: Error,
	progress: string[] = [],
): Error {
	const isAlone = context.getInputData().length === 1;
	// Do not name one input item if the error concerns all of them.
	const concernsAll = isAlone || isStopped(context) || isSetupError(error);
	const what = concernsAll ? error.message : `Input item ${itemIndex}: ${error.message}`;
	const advice = concernsAll ? [] : [CONTINUE_ADVICE];
	const named = PortalError.from(error).with({ what, progress, advice });
	return toNodeError(context.getNode(), named, itemIndex);
}

/** Returns the error that ends the execution. For a change, adds how many input items were processed. */
export function toFinalError(
	context: IExecuteFunctions,
	kind: 'read' | 'change',
	inputs: InputState[],
	error: Error,
): Error {
	const { itemIndex } = inputs.find(({ problem }) => problem === error)!;
	const { length: done } = inputs.filter(({ result }) => result !== undefined);
	const progress =
		kind === 'change' && done > 0 ? [`Processed ${done} of ${inputs.length} input items.`] : [];
	return toInputError(context, itemIndex, error, progress);
}

export function rejectInvalid(
	context: IExecuteFunctions,
	kind: 'read' | 'change',
	inputs: InputState[],
): void {
	const invalid: Array<{ itemIndex: number; problem: Error }> = [];
	for (const { itemIndex, problem } of inputs) if (problem) invalid.push({ itemIndex, problem });
	const [first] = invalid;
	if (first === undefined) return;
	const { itemIndex, problem } = first;
	if (inputs.length === 1) throw toNodeError(context.getNode(), problem, itemIndex);
	const summary =
		invalid.length === 1
			? PortalError.from(problem).with({ what: `Input item ${itemIndex}: ${problem.message}` })
			: new PortalError(`${invalid.length} of ${inputs.length} input items cannot be processed`, {
					advice: [describeProblems(invalid.map(summarize))],
				});
	const advice = kind === 'change' ? ['Nothing was changed.'] : [];
	if (invalid.length < inputs.length) advice.push(CONTINUE_ADVICE);
	throw toNodeError(context.getNode(), summary.with({ advice }), itemIndex);
}

function summarize({ itemIndex, problem }: { itemIndex: number; problem: Error }): Problem {
	const { description } = problem as Problem & Error;
	const problems =
		problem instanceof InvalidFields
			? problem.problems
			: [{ sentence: problem.message, description }];
	const sentences = problems.map(({ sentence }) => endSentence(sentence)).join(' ');
	return {
		sentence: `Input item ${itemIndex}: ${sentences}`,
		description: problems[0]!.description,
	};
}

/**
 * Returns the output of a failed input item: the error, followed by the input item's fields, which show what failed.
 */
export function toFailedOutput(
	context: IExecuteFunctions,
	itemIndex: number,
	error: Error,
): IDataObject {
	const failure = describeFailure(error);
	// For the error output, return only the fields of the failure, because n8n recognizes a failed item by these
	// fields, and adds the input item's fields itself.
	if (!isRegularOutput(context)) return failure;
	return { ...failure, ...context.getInputData()[itemIndex]!.json, ...failure };
}

/**
 * Returns whether failed items are in the same output as the others, and that output is read by people rather than a
 * model.
 */
const isRegularOutput = (context: IExecuteFunctions) =>
	!isTool(context) && context.getNode().onError !== 'continueErrorOutput';

/** Adds hints that list the input items that failed, and those that returned nothing. */
export function addInputHints(context: IExecuteFunctions, inputs: InputState[]): void {
	const failed = inputs.filter(({ problem }) => problem !== undefined);
	// Mention the field `error`, which can be off screen because n8n takes the column order from the first item.
	if (failed.length > 0 && isRegularOutput(context)) {
		const count = `${failed.length} of ${inputs.length} input items failed`;
		addHint(context, `${count}. The reason is in the field 'error' of their output.`, 'warning');
	}
	const empty = inputs.filter(({ result }) => result?.records.length === 0);
	// List these input items, because the output does not show that anything is missing.
	if (inputs.length > 1 && empty.length > 0) {
		const names = joinWithAnd(empty.map(({ itemIndex }) => String(itemIndex)));
		addHint(context, `Nothing was found for these input items: ${names}`, 'info');
	}
}

/**
 * Returns a hint if *Limit* has shortened the output, because a shortened output looks complete. Returns undefined
 * otherwise.
 */
export function limitHint(context: IExecuteFunctions, inputs: InputState[]): string | undefined {
	const shortened = inputs.flatMap(({ result }) => (result?.total === undefined ? [] : [result]));
	if (shortened.length === 0) return undefined;
	const returned = shortened.reduce((sum, { records }) => sum + records.length, 0);
	const total = shortened.reduce((sum, result) => sum + result.total!, 0);
	const returnedText = returned.toLocaleString('en-US');
	const count =
		total === Infinity
			? `${returnedText} items, possibly not all`
			: `${returnedText} of ${total.toLocaleString('en-US')} items`;
	if (isTool(context)) return `${count}. Narrow the search, or set a higher limit.`;
	const advice = shortened.some(({ isBeyondWindow }) => isBeyondWindow)
		? "Narrow the search, because 'Return All' fails if Portal.io does not show all of them"
		: "Turn on 'Return All'";
	return `${count}. ${advice}.`;
}
