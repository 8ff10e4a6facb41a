/** Making and removing webhook subscriptions, in the way that was learned. */
import { isSuccess } from '../attempt.mts';
import { Unprepared } from '../probe.mts';
import { bodyOf, listIn, type Json, type Walk } from './walk.mts';

/**
 * The subscriptions of the account.
 *
 * @throws Unprepared when they cannot be read
 */
export async function readSubscriptions({ probe }: Walk): Promise<Json[]> {
	const answer = await probe.call('webhookSubscription.getMany', {});
	bodyOf(answer, 'The subscriptions could not be read.');
	return listIn(answer, 'subscriptions');
}

/** Removes a subscription in the way that was learned. */
export async function removeSubscription(walk: Walk, id: number): Promise<void> {
	const { probe, deleteFormat: format } = walk;
	const { path } = probe.endpoints.get('webhookSubscription.delete')!;
	const answer =
		format === undefined
			? await probe.call('webhookSubscription.delete', { SubscriptionId: id })
			: await probe.service.send({
					method: 'DELETE',
					path: path.replace(/\{\w+\}/, String(id)),
					body: { format, values: {} },
				});
	if (isSuccess(answer)) walk.made.subscriptions.delete(id);
}

/**
 * Has every subscription to an address of the probe removed at the end, also those that an attempt
 * made without the probe learning of it.
 */
export function removeSubscriptionsAtEnd(walk: Walk, known: Json[]): void {
	const { subscriptions } = walk.made;
	const isOurs = ({ url, description, subscriptionId }: Json) =>
		(String(description).startsWith(walk.name) || String(url).startsWith(walk.subscriptionUrl)) &&
		!known.some((one) => one.subscriptionId === subscriptionId);
	/** Without a list, what is known of has to do. */
	const present = async (): Promise<number[]> => {
		try {
			const ours = (await readSubscriptions(walk)).filter(isOurs);
			return ours.map(({ subscriptionId }) => subscriptionId);
		} catch (error) {
			if (error instanceof Unprepared) return [...subscriptions];
			throw error;
		}
	};
	walk.cleanup.add(`Webhook subscriptions described as '${walk.name}'`, async () => {
		for (const id of await present()) await removeSubscription(walk, id);
		return (await present()).length === 0;
	});
}

/** Subscribes in the way that was learned; undefined when it was refused. */
export async function subscribe(
	walk: Walk,
	events: string[],
	place: string,
	url = walk.subscriptionUrl,
): Promise<Json | undefined> {
	const address = new URL(url);
	address.searchParams.set('n8n-probe', place);
	const answer = await walk.probe.call(
		'webhookSubscription.create',
		{},
		{
			Url: String(address),
			Events: events,
			Description: walk.name,
		},
	);
	const { subscriptionId } = (answer.data ?? {}) as Json;
	if (subscriptionId === undefined) return undefined;
	walk.made.subscriptions.add(subscriptionId);
	return answer.data;
}
