import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { send } from '../../../client/request';
import { openSession } from '../../../client/session';
import { listOf } from '../shared/responseLists';
import { label, matching } from './choices';

/** The active users of the account; the service gives them all at once. */
export async function searchSalespeople(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const answer = await send(await openSession(this), { method: 'GET', path: '/public/users' });
	const choices = listOf(answer, 'users').map(({ id, firstName, lastName, email }) => ({
		name: `${label(' ', firstName, lastName)} (${email})`,
		value: Number(id),
	}));
	return matching(choices, filter);
}
