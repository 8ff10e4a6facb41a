import { path } from '../../../../client/encoding';
import { subscriptionId } from '../../fields/locators';
import { operation } from '../../operation/operation';

/** docs/dev/portal-api.md#webhook-subscriptions */
export const deleteSubscription = operation({
	name: 'Delete',
	action: 'Delete webhook subscription',
	description:
		'Permanently delete a webhook subscription. If a workflow uses it, its trigger receives no more events.',
	fields: { subscriptionId },
	request: ({ subscriptionId }) => ({
		method: 'DELETE',
		path: path`/public/webhook/unsubscribe/${subscriptionId}`,
	}),
});
