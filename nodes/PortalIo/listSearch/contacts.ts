import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { Contact } from '../../../client/model';
import { contactName } from './recordLabels';
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
		(contact) => ({ name: contactName(contact), value: contact.id }),
	);
}
