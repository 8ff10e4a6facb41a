/** Webhook subscriptions. */
import { isSuccess } from '../attempt.mts';
import { EVENTS } from '../facts/eventNames.mts';
import { acceptedEvents, webhookEvents } from '../facts/events.mts';
import { readSubscriptions, removeSubscriptionsAtEnd, subscribe } from './subscribing.mts';
import { isSame, keepStatus, listIn, type Json, type Walk } from './walk.mts';

/** The event of the walk, under its documented identifier. */
const EVENT = 'proposal.status_changed';

/** An address of the probe's own for an attempt. */
function addressFor(walk: Walk, attempt: number): string {
	const url = new URL(walk.subscriptionUrl);
	url.searchParams.set('n8n-probe', String(attempt));
	return String(url);
}

/** Makes, changes and deletes a subscription. */
export async function trySubscriptions(walk: Walk): Promise<void> {
	const { probe } = walk;
	const known = listIn(await probe.try({ operation: 'webhookSubscription.getMany' }), '');
	if (walk.readOnly) return;
	removeSubscriptionsAtEnd(walk, known);
	const created = await probe.try({
		operation: 'webhookSubscription.create',
		values: (attempt) => ({
			Url: addressFor(walk, attempt),
			// One, as the trigger of this package has a subscription for each event.
			Events: [EVENT],
			Description: `${walk.name} (${attempt})`,
		}),
		otherValues: { Events: { [EVENT]: [EVENTS[EVENT]!] } },
		hasEffect: async (values, { data }) => {
			const { subscriptionId: id } = (data ?? {}) as Json;
			if (id === undefined) return false;
			walk.made.subscriptions.add(id);
			const list = await probe.call('webhookSubscription.getMany', {});
			const listed = listIn(list, '').find((each) => each.subscriptionId === id);
			const one = isSuccess(list) ? listed : (data as Json);
			return (
				one?.events?.length === 1 &&
				isSame(values.Url, one.url) &&
				isSame(values.Description, one.description)
			);
		},
	});
	const subscription = keepStatus(walk, 'webhookSubscription.create', created);
	if (subscription === undefined) {
		probe.skip(
			['webhookSubscription.update', 'webhookSubscription.delete'],
			'No subscription could be made.',
		);
		return;
	}
	[walk.event] = subscription.events;
	await tryToUpdate(walk, subscription.subscriptionId);
	await tryToDelete(walk, subscription.subscriptionId);
}

async function tryToUpdate(walk: Walk, id: number): Promise<void> {
	const read = async () =>
		(await readSubscriptions(walk)).find(({ subscriptionId }) => subscriptionId === id);
	const { facts } = walk.probe;
	facts.webhookEvents = await webhookEvents(walk);
	const events = acceptedEvents(walk).slice(0, 2);
	let before: Json;
	const answer = await walk.probe.try({
		operation: 'webhookSubscription.update',
		ids: { SubscriptionId: id },
		prepare: async () => void (before = await read()),
		values: (attempt) => ({
			Url: addressFor(walk, attempt),
			Events: [events[attempt % events.length]],
			// A service may read a missing field as false, so an enabled one is disabled only once.
			Enabled: before?.enabled === false,
			Description: `${walk.name} (${attempt})`,
		}),
		hasEffect: async (values) => {
			const now = await read();
			return (
				isSame(values.Url, now?.url) &&
				isSame(values.Description, now.description) &&
				now.enabled === values.Enabled &&
				isSame(values.Events, now.events)
			);
		},
	});
	facts.secretKeyInUpdate =
		answer === undefined ? 'not known' : 'secretKey' in (answer.data as object);
}

async function tryToDelete(walk: Walk, first: number): Promise<void> {
	const ids = { SubscriptionId: first };
	let attempts = 0;
	await walk.probe.try({
		operation: 'webhookSubscription.delete',
		ids,
		prepare: async () => {
			const isThere = (await readSubscriptions(walk)).some(
				({ subscriptionId }) => subscriptionId === ids.SubscriptionId,
			);
			if (!isThere) {
				const made = await subscribe(walk, [walk.event!], `again-${++attempts}`);
				ids.SubscriptionId = made?.subscriptionId ?? ids.SubscriptionId;
			}
		},
		hasEffect: async () => {
			const isGone = !(await readSubscriptions(walk)).some(
				({ subscriptionId }) => subscriptionId === ids.SubscriptionId,
			);
			if (isGone) walk.made.subscriptions.delete(ids.SubscriptionId);
			return isGone;
		},
	});
}
