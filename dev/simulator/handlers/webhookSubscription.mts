import { randomBytes } from 'node:crypto';
import type { Row } from '../database.mts';
import { invalid, ServiceError } from '../errors.mts';
import { viewOf } from '../serializers/fields.mts';
import { checkWebhookUrl } from '../delivery.mts';
import type { Call, Handler } from '../context.mts';

const documentedEvents = [
	'proposal.build.status_update',
	'proposal.outline.status_update',
	'proposal.status_changed',
];

function readEvents({ context }: Call, values: string[]): string {
	const knownEvents = [...documentedEvents, ...context.settings.additionalEvents];
	const events = values.map((event) => event.trim());
	const unknown = events.filter((event) => !knownEvents.includes(event));
	if (unknown.length > 0) throw invalid('Events', `Unknown event: ${unknown.join(', ')}.`);
	return [...new Set(events)].join(',');
}

const subscriptionView = (row: Row) => ({
	...viewOf('Subscription', row),
	subscriptionId: row.id,
	enabled: row.is_enabled === 1,
	events: String(row.events).split(','),
});

/**
 * Returns the subscription in the path. Responds with 400, not 404, if the account has no subscription with that ID.
 */
function findSubscription(call: Call): Row {
	const where = { id: call.values.SubscriptionId, account_id: call.accountId };
	const subscription = call.database.row('subscriptions', where);
	if (!subscription) throw invalid('SubscriptionId', 'The subscription was not found.');
	return subscription;
}

export const webhookSubscription: Record<string, Handler> = {
	'webhookSubscription.create': (call) => {
		const { values, database } = call;
		const secretKey = randomBytes(32).toString('base64');
		const id = database.insert('subscriptions', {
			account_id: call.accountId,
			url: checkWebhookUrl(values.Url),
			description: values.Description,
			secret_key: secretKey,
			events: readEvents(call, values.Events),
			created_date: call.now,
		});
		const row = database.row('subscriptions', { id })!;
		return { body: { ...subscriptionView(row), secretKey } };
	},

	'webhookSubscription.getMany': (call) => ({
		body: call.database.rows('subscriptions', { account_id: call.accountId }).map(subscriptionView),
	}),

	'webhookSubscription.update': (call) => {
		const { values, database } = call;
		const row = findSubscription(call);
		const { Url, Events, Enabled, Description } = values;
		if ([Url, Events, Enabled, Description].every((value) => value === undefined)) {
			throw new ServiceError(400, 'At least one field must be sent.');
		}
		database.update('subscriptions', row.id!, {
			url: Url && checkWebhookUrl(Url),
			events: Events && readEvents(call, Events),
			isEnabled: Enabled,
			description: Description,
		});
		return { body: subscriptionView(findSubscription(call)) };
	},

	'webhookSubscription.delete': (call) => {
		const { id } = findSubscription(call);
		call.database.delete('subscriptions', { id });
		const pendingDeliveries = { subscription_id: id, state: 'pending' };
		call.database.updateAll('deliveries', pendingDeliveries, { state: 'cancelled' });
		return { body: { success: true, subscriptionId: id } };
	},
};
