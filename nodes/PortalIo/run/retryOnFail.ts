/** n8n's *Retry On Fail* runs the whole node again. This remembers what became of each input item in earlier tries. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { AnyValues } from '../operation/operation';

/** The output of an input item. */
export interface Result {
	records: IDataObject[];
	/** The number of records that Portal.io has for the input item, if *Limit* has shortened its output. */
	total?: number;
	/** True if Portal.io may show only a part of these records. */
	isBeyondWindow?: boolean;
}

export type Outcome =
	/** The item can run again, with the same records: a change of another item can affect what a name finds. */
	| { kind: 'found'; values: AnyValues }
	| { kind: 'finished'; result: Result }
	/** It failed after a change that must not be made twice. */
	| { kind: 'changed'; error: Error };

/**
 * The outcomes by input item and node ID. n8n passes the same objects to every try of a run, and new ones to
 * any other run. An outcome is garbage-collected with its item when the node has ended.
 */
const outcomesByItem = new WeakMap<object, Map<string, Outcome>>();

function outcomesOf(context: IExecuteFunctions, itemIndex: number): Map<string, Outcome> {
	const item = context.getInputData()[itemIndex]!;
	// A tool that an agent calls outside of n8n's engine gets the same arguments in every try, but in a new item.
	const key = context.isToolExecution() ? item.json : item;
	const outcomes = outcomesByItem.get(key) ?? new Map<string, Outcome>();
	outcomesByItem.set(key, outcomes);
	return outcomes;
}

/** Returns undefined in the first try, and if the input item was invalid. */
export function earlierOutcome(context: IExecuteFunctions, itemIndex: number): Outcome | undefined {
	const { id, retryOnFail } = context.getNode();
	return retryOnFail === true ? outcomesOf(context, itemIndex).get(id) : undefined;
}

export function rememberOutcome(
	context: IExecuteFunctions,
	itemIndex: number,
	outcome: Outcome,
): void {
	const { id, retryOnFail } = context.getNode();
	if (retryOnFail === true) outcomesOf(context, itemIndex).set(id, outcome);
}
