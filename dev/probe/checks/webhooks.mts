/** Webhook subscriptions. */
import type { Json } from '../../simulator/json.mts';
import type { Check, Probe } from '../probe.mts';
import { listIn } from './reading.mts';

const EVENTS = [
	'proposal.status_changed',
	'proposal.outline.status_update',
	'proposal.build.status_update',
];

/** The domain is reserved for examples, so nobody receives what is sent there. */
const addressOf = ({ name }: Probe, place: number | string) =>
	`https://example.com/n8n-probe/${name.replace(/\D/g, '')}/${place}`;

/** The subscriptions of this run, also one that no response told of. */
const readSubscriptions = async (probe: Probe): Promise<Json[]> =>
	listIn(await probe.read('webhookSubscription.getMany'), 'subscriptions').filter(({ url }) =>
		String(url).startsWith(addressOf(probe, '')),
	);

const readOwn = async (probe: Probe, id = probe.own.SubscriptionId): Promise<Json> =>
	(await readSubscriptions(probe)).find(({ subscriptionId }) => subscriptionId === id);

export const webhookChecks: Check[] = [
	{ operation: 'webhookSubscription.getMany' },
	{
		operation: 'webhookSubscription.create',
		prepare: async ({ kept }) => void (kept.hasSubscribed = true),
		fields: (probe, attempt) => ({
			Url: addressOf(probe, attempt),
			// One, as the trigger of this package has a subscription for each event.
			Events: [EVENTS[0]],
			Description: `${probe.name} (${attempt})`,
		}),
		readBack: async (probe, { data }) => {
			const made = await readOwn(probe, data?.subscriptionId);
			if (made !== undefined) probe.own.SubscriptionId = made.subscriptionId;
			return made;
		},
	},
	{
		operation: 'webhookSubscription.update',
		prepare: async (probe) => {
			probe.kept.wasEnabled = (await readOwn(probe))?.enabled;
		},
		fields: (probe, attempt) => ({
			Url: addressOf(probe, attempt),
			Events: [EVENTS[1 + (attempt % 2)]],
			// A service may read a missing field as false, so an enabled one is disabled only once.
			Enabled: probe.kept.wasEnabled === false,
			Description: `${probe.name} (${attempt})`,
		}),
		readBack: async (probe) => await readOwn(probe),
	},
	{
		operation: 'webhookSubscription.delete',
		tookEffect: async (probe) => (await readOwn(probe)) === undefined,
	},
];

/** Deletes every subscription of this run. */
export async function deleteAllSubscriptions(probe: Probe): Promise<boolean> {
	for (const { subscriptionId } of await readSubscriptions(probe)) {
		await probe.send('webhookSubscription.delete', {}, { SubscriptionId: subscriptionId });
	}
	return (await readSubscriptions(probe)).length === 0;
}
