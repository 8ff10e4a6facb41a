import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { Subscription } from '../../../client/model';
import { send } from '../../../client/request';
import { openSession } from '../../../client/session';
import { listOf } from '../shared/responseLists';
import { label, matching } from './choices';

/** The webhook subscriptions of the account. */
export async function searchSubscriptions(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const answer = await send(await openSession(this), {
		method: 'GET',
		path: '/public/webhook/subscriptions',
	});
	const subscriptions = listOf(answer, 'subscriptions') as unknown as Subscription[];
	return matching(
		subscriptions.map(({ subscriptionId, description, url, events, enabled }) => ({
			name: label(' – ', description, events.join(', '), url, enabled ? '' : 'disabled'),
			value: subscriptionId,
		})),
		filter,
	);
}
