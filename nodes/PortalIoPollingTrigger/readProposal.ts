import { NodeApiError, type JsonObject } from 'n8n-workflow';
import type { Proposal } from '../../client/model';
import { path } from '../../client/http/path';
import { send } from '../../client/http/request';
import type { Session } from '../../client/http/session';

/** How many proposals are read in full at the same time. */
export const CONCURRENT_READS = 4;

/** Reads a proposal in full; undefined when it was deleted. */
export async function readProposal(session: Session, id: number): Promise<Proposal | undefined> {
	try {
		return (await send(session, {
			method: 'GET',
			path: path`/public/proposals/${id}`,
		})) as Proposal;
	} catch (error) {
		if ((error as { httpCode?: string }).httpCode !== '404') {
			throw new NodeApiError(session.node, error as JsonObject);
		}
		return undefined;
	}
}
