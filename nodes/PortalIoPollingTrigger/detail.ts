import { NodeApiError, type IPollFunctions, type JsonObject } from 'n8n-workflow';
import type { Proposal } from '../../client/model';
import { path } from '../../client/http/path';
import { send } from '../../client/http/request';

/** How many proposals are read in full at the same time. */
const AT_ONCE = 4;

/** A proposal in full (specification, *Listing and reading proposals*); undefined when it is gone. */
export async function readDetail(
	context: IPollFunctions,
	id: number,
): Promise<Proposal | undefined> {
	try {
		return (await send(context, {
			method: 'GET',
			path: path`/public/proposals/${id}`,
		})) as Proposal;
	} catch (error) {
		if ((error as { httpCode?: string }).httpCode !== '404') {
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
		return undefined;
	}
}

/** Does something for each entry, a few at a time, and gives the results in their order. */
export async function few<T, R>(entries: T[], work: (entry: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	let next = 0;
	const worker = async () => {
		while (next < entries.length) {
			const index = next++;
			results[index] = await work(entries[index] as T);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	return results;
}
