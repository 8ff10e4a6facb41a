import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
} from 'n8n-workflow';
import type { Proposal } from '../../../service/model';
import { path } from '../../../service/path';
import { send } from '../../../service/request';
import { searchPages } from './searchPages';

interface ContactLocation {
	id: number;
	street?: string | null;
	city?: string | null;
	state?: string | null;
	isPrimary?: boolean;
}

/** The locations of the contact that is assigned to the chosen proposal (public reference, 5.4). */
export async function searchProposalLocations(
	this: ILoadOptionsFunctions,
	_filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const proposalId = this.getCurrentNodeParameter('proposalId', { extractValue: true });
	if (!proposalId) {
		throw new NodeOperationError(this.getNode(), "Choose the 'Proposal' first");
	}
	const proposal = (await send(this, {
		method: 'GET',
		path: path`/public/proposals/${String(proposalId)}`,
	})) as Proposal;
	if (!proposal.customer) {
		throw new NodeOperationError(this.getNode(), 'Assign a contact to the proposal first');
	}
	return await searchPages<ContactLocation>(
		this,
		{
			request: { method: 'GET', path: path`/public/people/${proposal.customer.id}/location` },
			records: 'contactLocations',
			count: 'locationCount',
		},
		paginationToken,
		({ id, street, city, state, isPrimary }) => ({
			name: `${[street, city, state].filter(Boolean).join(', ')}${isPrimary ? ' (primary)' : ''}`,
			value: id,
		}),
	);
}
