import { path } from '../../../../client/http/path';
import { subscriptionId } from '../../shared/locators';
import { operation } from '../../shared/operation';

/** docs/portal-api.md#webhook-subscriptions */
export const deleteSubscription = operation({
	name: 'Delete',
	action: 'Delete webhook subscription',
	description:
		'Delete a subscription for good. A workflow whose trigger made it gets no more events.',
	mark: 'spec',
	fields: { subscriptionId },
	request: ({ subscriptionId }) => ({
		method: 'DELETE',
		path: path`/public/webhook/unsubscribe/${subscriptionId}`,
	}),
});
