import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { send } from '../../../service/request';

interface User {
	id: number;
	firstName: string;
	lastName?: string | null;
	email: string;
}

/** The active users of the account; the service gives them all at once (public reference, 6). */
export async function searchSalespeople(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const answer = await send(this, { method: 'GET', path: '/public/users' });
	const choices = ((answer as { users?: User[] }).users ?? []).map(
		({ id, firstName, lastName, email }) => ({
			name: `${[firstName, lastName].filter(Boolean).join(' ')} (${email})`,
			value: id,
		}),
	);
	const sought = filter.toLowerCase();
	return { results: choices.filter(({ name }) => name.toLowerCase().includes(sought)) };
}
