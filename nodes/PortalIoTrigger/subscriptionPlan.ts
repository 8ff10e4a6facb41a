import { WEBHOOK_EVENTS, type Subscription } from '../../client/webhook';
import {
	subscriptionIds,
	readSubscriptions,
	type StoredMemory,
	type Subscriptions,
} from './triggerMemory';
import { isSameUrl } from './webhookUrl';

/** Changes that leave exactly one working subscription for each event. */
export interface SubscriptionPlan {
	keep: Subscriptions;
	/** Events that need a subscription. */
	add: string[];
	/** IDs of subscriptions that are disabled or obsolete, or that have an unknown secret. */
	remove: number[];
	/** Line for n8n's log about stored subscriptions that belong to another node or account; '' if there are none. */
	warning: string;
}

/**
 * Plans which subscriptions to add and remove, by comparing those in the account with those that the node has stored
 * and those that it needs. Each event gets its own subscription, because Portal.io does not document how one
 * subscription combines several events. If `target` has no events, the plan removes all subscriptions of the node.
 */
export function planSubscriptions(
	remote: Subscription[],
	stored: StoredMemory,
	target: { events: string[]; url: string; owner: string; account: string },
): SubscriptionPlan {
	const subscriptions = readSubscriptions(stored);
	const storedIds = subscriptionIds(subscriptions);
	const idsAtUrl = remote
		.filter(({ url }) => isSameUrl(url, target.url))
		.map(({ subscriptionId }) => subscriptionId);
	const isOwner = stored.owner === target.owner;
	// Also accept a stored ID at this URL, because the credential can be for another user of the same account, who sees
	// the previous user's subscriptions.
	const isSameAccount =
		stored.account === target.account || storedIds.some((id) => idsAtUrl.includes(id));
	const isOwn = isOwner && isSameAccount;
	const ownSubscriptions = isOwn ? subscriptions : {};
	const foreignIds = isOwn ? [] : storedIds;

	const keep: Subscriptions = {};
	for (const event of target.events) {
		const subscription = ownSubscriptions[event];
		// Find the subscription by ID, because Portal.io can return another form of the URL, and a user can change the
		// URL.
		const remoteSubscription = remote.find(
			({ subscriptionId }) => subscriptionId === subscription?.subscriptionId,
		);
		if (subscription && remoteSubscription && isWorking(remoteSubscription, event, target.events)) {
			keep[event] = subscription;
		}
	}
	// When unpublishing, keep other subscriptions at this URL, because they might belong to an n8n instance that
	// replaces this one.
	const removesUnknown = target.events.length > 0 || storedIds.length === 0;
	const obsoleteIds = new Set(subscriptionIds(ownSubscriptions));
	if (removesUnknown) for (const id of idsAtUrl) obsoleteIds.add(id);
	for (const id of subscriptionIds(keep)) obsoleteIds.delete(id);
	for (const id of foreignIds) obsoleteIds.delete(id);
	return {
		keep,
		add: target.events.filter((event) => !Object.hasOwn(keep, event)),
		remove: [...obsoleteIds],
		warning: foreignIds.length > 0 ? describeForeignSubscriptions(foreignIds, isOwner) : '',
	};
}

/**
 * Returns whether a subscription with the stored ID works for an event. If in doubt, returns true, because replacing
 * the subscription would lose the events that Portal.io has yet to retry. Ignores unknown event names, because older
 * pages of Portal.io's documentation use other names.
 */
function isWorking({ enabled, events }: Subscription, event: string, chosen: string[]): boolean {
	const identifiers = [...Object.values(WEBHOOK_EVENTS), ...chosen];
	const shown = String(events ?? '').split(/[\s,]+/);
	const recognized = shown.filter((identifier) => identifiers.includes(identifier));
	return enabled !== false && recognized.every((identifier) => identifier === event);
}

function describeForeignSubscriptions(ids: number[], isOwner: boolean): string {
	const reason = isOwner
		? 'the credential now belongs to another Portal.io account. Delete them with a credential for the previous account'
		: "they belong to another workflow, n8n instance, or webhook URL. If this workflow replaces it, use 'Webhook Subscription: Delete'";
	return `Portal.io Trigger: keeping subscriptions ${ids.join(', ')} because ${reason}`;
}
