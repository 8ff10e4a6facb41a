import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { ProposalSummary } from '../../../client/model';
import { proposalName } from './recordLabels';
import { searchPages } from './searchPages';

/** Proposals by text, the latest change first. */
export async function searchProposals(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const query = { SearchText: filter, SortBy: 'ModifiedDate', SortDirection: 'Desc' };
	return await searchPages<ProposalSummary>(
		this,
		{
			request: { method: 'GET', path: '/public/proposals', query },
			records: 'proposals',
			count: 'proposalCount',
		},
		paginationToken,
		(proposal) => ({ name: proposalName(proposal), value: proposal.id }),
	);
}
