import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { path } from '../../../client/encoding';
import { contactId } from '../shared/locators';
import { chosen, chosenProposal, label } from './choices';
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
	return await locationsOf(this, customer.id, paginationToken);
}

/** The locations of the contact in the same collection. */
export async function searchContactLocations(
	this: ILoadOptionsFunctions,
	_filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await locationsOf(this, chosen(this, '&contactId', contactId), paginationToken);
}

const locationsOf = async (
	context: ILoadOptionsFunctions,
	contactId: number,
	paginationToken?: string,
) =>
	await searchPages<ContactLocation>(
		context,
		{
			request: { method: 'GET', path: path`/public/people/${contactId}/location` },
			records: 'contactLocations',
			count: 'locationCount',
		},
		paginationToken,
		({ id, street, city, state, isPrimary }) => ({
			name: `${label(', ', street, city, state)}${isPrimary ? ' (primary)' : ''}`,
			value: id,
		}),
	);
