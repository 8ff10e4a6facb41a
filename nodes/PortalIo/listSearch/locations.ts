import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { path } from '../../../client/http/path';
import { chosenProposal, label } from './choices';
import { searchPages } from './searchPages';

interface ContactLocation {
	id: number;
	street?: string | null;
	city?: string | null;
	state?: string | null;
	isPrimary?: boolean;
}

/** The locations of the contact that is assigned to the chosen proposal. */
export async function searchProposalLocations(
	this: ILoadOptionsFunctions,
	_filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { customer } = await chosenProposal(this);
	if (!customer) {
		throw new NodeOperationError(this.getNode(), 'Assign a contact to the proposal first');
	}
	return await searchPages<ContactLocation>(
		this,
		{
			request: { method: 'GET', path: path`/public/people/${customer.id}/location` },
			records: 'contactLocations',
			count: 'locationCount',
		},
		paginationToken,
		({ id, street, city, state, isPrimary }) => ({
			name: `${label(', ', street, city, state)}${isPrimary ? ' (primary)' : ''}`,
			value: id,
		}),
	);
}
