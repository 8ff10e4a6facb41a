import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { ProposalSummary } from '../../../client/model';
import { labelOf } from '../../shared/labels';
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
		({ id, number, name, status }) => ({
			name: `${number} ${name} (${labelOf(status)})`,
			value: id,
		}),
	);
}
