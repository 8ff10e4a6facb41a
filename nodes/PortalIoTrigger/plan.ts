import { WEBHOOK_EVENTS, type Subscription } from '../../client/webhook';
import {
	subscriptionIds,
	usableSubscriptions,
	type StoredMemory,
	type Subscriptions,
} from './memory';
import { isSameUrl } from './webhookUrl';

/** The changes after which each event has exactly one working subscription. */
export interface SubscriptionPlan {
	keep: Subscriptions;
	/** The events that need a subscription. */
	add: string[];
	/** The IDs of subscriptions that are disabled, not needed, or have an unknown secret. */
	remove: number[];
	/** A line for n8n's log that names stored subscriptions of another node or account; '' if it has none. */
	warning: string;
}

/**
 * Compares the subscriptions of the account with those that the node has stored and needs. Each event gets
 * its own subscription, because Portal.io does not document how several events combine in one
 * subscription. If `target` has no events, the plan removes all subscriptions of the node.
 */
export function plan(
	remote: Subscription[],
	stored: StoredMemory,
	target: { events: string[]; url: string; owner: string; account: string },
): SubscriptionPlan {
	const subscriptions = usableSubscriptions(stored);
	const storedIds = subscriptionIds(subscriptions);
	const idsAtUrl = remote
		.filter(({ url }) => isSameUrl(url, target.url))
		.map(({ subscriptionId }) => subscriptionId);
	const isOwner = stored.owner === target.owner;
	// A different user of the same account sees the previous user's subscriptions at the URL.
	const isSameAccount =
		stored.account === target.account || storedIds.some((id) => idsAtUrl.includes(id));
	const isOwn = isOwner && isSameAccount;
	const ownSubscriptions = isOwn ? subscriptions : {};
	const foreignIds = isOwn ? [] : storedIds;

	const keep: Subscriptions = {};
	for (const event of target.events) {
		const subscription = ownSubscriptions[event];
		// Portal.io may show another form of the URL, or a user may have changed it, so the ID decides.
		const remoteSubscription = remote.find(
			({ subscriptionId }) => subscriptionId === subscription?.subscriptionId,
		);
		if (subscription && remoteSubscription && isWorking(remoteSubscription, event, target.events)) {
			keep[event] = subscription;
		}
	}
	// Unpublishing keeps other subscriptions at the URL: they may belong to an n8n that replaces this one.
	const removesUnknown = target.events.length > 0 || storedIds.length === 0;
	const obsoleteIds = new Set(subscriptionIds(ownSubscriptions));
	if (removesUnknown) for (const id of idsAtUrl) obsoleteIds.add(id);
	for (const id of subscriptionIds(keep)) obsoleteIds.delete(id);
	for (const id of foreignIds) obsoleteIds.delete(id);
	return {
		keep,
		add: target.events.filter((event) => !Object.hasOwn(keep, event)),
		remove: [...obsoleteIds],
		warning: foreignIds.length > 0 ? warningAbout(foreignIds, isOwner) : '',
	};
}

/**
 * Replacing a subscription would lose the events that Portal.io has yet to repeat, so one that has the stored
 * ID counts as working unless the list shows the opposite. Older pages of Portal.io use other names of events.
 */
function isWorking({ enabled, events }: Subscription, event: string, chosen: string[]): boolean {
	const identifiers = [...Object.values(WEBHOOK_EVENTS), ...chosen];
	const shown = String(events ?? '').split(/[\s,]+/);
	const recognized = shown.filter((identifier) => identifiers.includes(identifier));
	return enabled !== false && recognized.every((identifier) => identifier === event);
}

function warningAbout(ids: number[], isOwner: boolean): string {
	const reason = isOwner
		? 'the credential now belongs to another Portal.io account. Delete them with a credential of that account'
		: "they belong to another workflow, n8n instance or webhook URL. If this workflow replaces it, use 'Delete' of 'Webhook Subscription'";
	return `Portal.io Trigger: keeping subscriptions ${ids.join(', ')} because ${reason}`;
}
