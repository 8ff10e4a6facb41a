/**
 * n8n's *Retry On Fail* runs the whole node again. Completed inputs return their earlier output,
 * and a failed input continues after its last successful change. If the node continues on errors, n8n
 * retries only if the first item has an error.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { PortalError } from '../../../client/errors';
import type { ServiceRequest } from '../../../client/request';
import type { ReadValues } from '../operation/operation';

interface CompletedChange {
	route: string;
	response: unknown;
	/** The reads before this change. A replay returns them, so the operation decides the same again. */
	reads: Map<string, unknown>;
}

/** Counts the records of lists that *Limit* has shortened. */
export interface Truncation {
	returned: number;
	total: number;
	isBeyondWindow: boolean;
}

/** The progress of an input in earlier tries. */
export interface Progress {
	output?: IDataObject[];
	/** Set if *Limit* has shortened the output. */
	truncation?: Truncation;
	readValues?: ReadValues;
	changes: CompletedChange[];
	/** The lookups send their requests outside of the call, so they are not among the changes. */
	newOptionIds: Set<number>;
	/** A change that failed, but may have been processed. */
	inDoubt?: { route: string; error: PortalError };
}

/**
 * The progress by input item and node ID. n8n passes the same objects to every try of a run, and new ones
 * to any other run. Progress is garbage-collected with the items when the node has ended.
 */
const progressByItem = new WeakMap<object, Map<string, Progress>>();

/** Returns the progress of an input of a node with *Retry On Fail*. */
export function progressOfItems(context: IExecuteFunctions): (itemIndex: number) => Progress {
	const items = context.getInputData();
	const nodeId = context.getNode().id;
	// A tool that an agent calls outside of n8n's engine gets the same arguments in every try, but in a new item.
	const hasNewItems = context.isToolExecution();
	return (itemIndex) => {
		const item = items[itemIndex]!;
		const key = hasNewItems ? item.json : item;
		const progressByNode = progressByItem.get(key) ?? new Map<string, Progress>();
		progressByItem.set(key, progressByNode);
		const progress = progressByNode.get(nodeId) ?? { changes: [], newOptionIds: new Set() };
		progressByNode.set(nodeId, progress);
		return progress;
	};
}

/** Sends the requests of an input in one try; it replays earlier tries up to their last successful change. */
export function continueFrom(progress: Progress) {
	const { changes } = progress;
	let replayedChanges = 0;
	let reads = new Map<string, unknown>();
	return {
		read: async <R>({ path, query }: ServiceRequest, send: () => Promise<R>) => {
			const key = JSON.stringify([path, query]);
			const earlierReads = changes[replayedChanges]?.reads;
			if (earlierReads?.has(key)) return earlierReads.get(key) as R;
			const response = await send();
			reads.set(key, response);
			return response;
		},
		change: async <R>(request: ServiceRequest, send: () => Promise<R>) => {
			const route = `${request.method} ${request.path}`;
			const next = changes[replayedChanges];
			if (next?.route === route) {
				replayedChanges++;
				return next.response as R;
			}
			const { inDoubt } = progress;
			if (inDoubt?.route === route) {
				throw inDoubt.error.with({ advice: ["'Retry On Fail' does not repeat such a request."] });
			}
			const response = await send().catch((error: Error) => {
				// A request that sets a value can safely be sent again.
				const isInDoubt = error instanceof PortalError && error.doubt !== '';
				if (isInDoubt && request.isRepeatable !== true) progress.inDoubt = { route, error };
				throw error;
			});
			// The earlier try made its later changes with other values.
			changes.splice(replayedChanges, Infinity, { route, response, reads });
			replayedChanges++;
			reads = new Map();
			return response;
		},
	};
}
