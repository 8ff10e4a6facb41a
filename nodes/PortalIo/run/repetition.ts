/**
 * n8n's *Retry On Fail* runs the whole node again: when it throws, and with *Continue* when the first
 * item has an error. What worked is not done again: an input that is done gives what it gave, and one
 * that failed continues after its last change that worked.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { PortalError } from '../../../client/errors';
import type { ServiceRequest } from '../../../client/request';

/** A change that worked. */
interface Change {
	route: string;
	response: unknown;
	/** The reads between the previous change and this one: the operation decides the same from them again. */
	reads: Map<string, unknown>;
}

/** The progress of earlier tries for one input. */
export interface Progress {
	/** The output, once the input is done. */
	output?: IDataObject[];
	/** In order. */
	changes: Change[];
	/** When the first change was sent, in milliseconds: what it made is no older. */
	firstChangeAt?: number;
	/** The change that failed although it may have been processed. */
	inDoubt?: { route: string; error: PortalError };
}

/**
 * By the item of the input. n8n gives the same item objects to every try of a run, and new ones to
 * every other run: of a loop, of another node, of another execution. It drops them when the node has
 * ended for good, and with them goes what is known here.
 */
const progressOfItems = new WeakMap<object, Progress>();

/** Finds the progress of an input by its index; undefined without *Retry On Fail*. */
export function findProgress(
	context: IExecuteFunctions,
): (itemIndex: number) => Progress | undefined {
	if (context.getNode().retryOnFail !== true) return () => undefined;
	const items = context.getInputData();
	// The tool of an agent gets the same arguments at every try, in a new item.
	const isTool = context.isToolExecution();
	return (itemIndex) => {
		const item = items[itemIndex]!;
		const key = isTool ? item.json : item;
		const known = progressOfItems.get(key) ?? { changes: [] };
		progressOfItems.set(key, known);
		return known;
	};
}

/** Sends what an input needs in one try. */
export interface Try {
	read<R>(request: ServiceRequest, send: () => Promise<R>): Promise<R>;
	change<R>(request: ServiceRequest, send: () => Promise<R>): Promise<R>;
}

/** A try that gets what earlier tries have got, up to their last change that worked. */
export function continueFrom(progress: Progress | undefined): Try {
	if (progress === undefined) {
		return { read: async (_, send) => await send(), change: async (_, send) => await send() };
	}
	const { changes } = progress;
	let replayed = 0;
	let reads = new Map<string, unknown>();
	return {
		read: async <R>({ path, query }: ServiceRequest, send: () => Promise<R>) => {
			const key = JSON.stringify([path, query]);
			const earlier = changes[replayed]?.reads;
			if (earlier?.has(key)) return earlier.get(key) as R;
			const response = await send();
			reads.set(key, response);
			return response;
		},
		change: async <R>(request: ServiceRequest, send: () => Promise<R>) => {
			const route = `${request.method} ${request.path}`;
			const next = changes[replayed];
			if (next?.route === route) {
				replayed++;
				return next.response as R;
			}
			const { inDoubt } = progress;
			if (inDoubt?.route === route) {
				throw inDoubt.error.with({ advice: ['Retry On Fail did not send it again.'] });
			}
			const response = await send().catch((error: Error) => {
				// A request that sets a value can safely be sent again.
				const isInDoubt = error instanceof PortalError && error.doubt !== '';
				if (isInDoubt && request.isRepeatable !== true) progress.inDoubt = { route, error };
				throw error;
			});
			// The later changes of an earlier try belong to other values than those of this one.
			changes.splice(replayed++, Infinity, { route, response, reads });
			reads = new Map();
			return response;
		},
	};
}
