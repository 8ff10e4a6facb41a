/** Remembers the outcome of each input item, because n8n's *Retry On Fail* runs the whole node again. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { AnyValues } from '../operation/operation';

export interface InputResult {
	records: IDataObject[];
	/** Number of records that Portal.io has for the input item; undefined unless *Limit* has shortened the output. */
	total?: number;
	/** True if Portal.io might return only some of these records. */
	isBeyondWindow?: boolean;
}

export type InputOutcome =
	/**
	 * Input item whose records were found, so it can run again with the same records. Searching again by name could
	 * find another record, because other input items might have made changes.
	 */
	| { kind: 'found'; values: AnyValues }
	| { kind: 'finished'; result: InputResult }
	/** Input item that failed after a change that must not be made twice. */
	| { kind: 'changed'; error: Error };

/**
 * Outcomes by input item and node ID. n8n passes the same item objects to every try of a run, and new ones to any other
 * run. An outcome is garbage-collected with its item.
 */
const outcomesByItem = new WeakMap<object, Map<string, InputOutcome>>();

function getOutcomes(context: IExecuteFunctions, itemIndex: number): Map<string, InputOutcome> {
	const item = context.getInputData()[itemIndex]!;
	// For a tool, use the arguments as the key. Outside of n8n's engine, an agent passes the same arguments object in
	// every try, but in a new item.
	const key = context.isToolExecution() ? item.json : item;
	const outcomes = outcomesByItem.get(key) ?? new Map<string, InputOutcome>();
	outcomesByItem.set(key, outcomes);
	return outcomes;
}

/** Returns the outcome of an earlier try; undefined if there was none, or if the input item was invalid. */
export function recallOutcome(
	context: IExecuteFunctions,
	itemIndex: number,
): InputOutcome | undefined {
	const { id, retryOnFail } = context.getNode();
	return retryOnFail === true ? getOutcomes(context, itemIndex).get(id) : undefined;
}

export function rememberOutcome(
	context: IExecuteFunctions,
	itemIndex: number,
	outcome: InputOutcome,
): void {
	const { id, retryOnFail } = context.getNode();
	if (retryOnFail === true) getOutcomes(context, itemIndex).set(id, outcome);
}
