import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { Contact } from '../../../client/model';
import { label } from './choices';
import { searchPages } from './searchPages';

/** Contacts by text. */
export async function searchContacts(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const query = { SearchText: filter, SortBy: 'FirstName', SortDirection: 'Asc' };
	return await searchPages<Contact>(
		this,
		{
			request: { method: 'GET', path: '/public/people', query },
			records: 'people',
			count: 'peopleCount',
		},
		paginationToken,
		(contact) => ({ name: nameOf(contact), value: contact.id }),
	);
}

function nameOf({ id, firstName, lastName, companyName, contactEmail }: Contact): string {
	const name = label(', ', companyName, label(' ', firstName, lastName)) || `Contact ${id}`;
	return contactEmail ? `${name} (${contactEmail})` : name;
}
