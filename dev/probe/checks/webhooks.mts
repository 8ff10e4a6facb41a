/** Webhook subscriptions. */
import type { Answer, Json } from '../model.mts';
import type { Check, Probe } from '../probe.mts';
import { isSame, keepStatus, listIn } from './reading.mts';

/** Reserved for examples, so nobody receives what is sent there. */
const NOWHERE = 'https://example.com/n8n-probe';

/** The documented events, then what other editions of the documentation call them, and more. */
export const EVENTS = [
	'proposal.status_changed',
	'proposal.outline.status_update',
	'proposal.build.status_update',
	'ProposalStatusChanged',
	'ProposalOutlineStatusChanged',
	'ProposalBuildStatusChanged',
	'PersonModification',
	'PaymentStatusChange',
	'OrderStatusChange',
];

const addressOf = ({ options }: Probe, place: number | string) =>
	`${NOWHERE}/${options.name.replace(/\D/g, '')}/${place}`;

const readSubscriptions = async (probe: Probe): Promise<Json[]> =>
	listIn(await probe.read('webhookSubscription.getMany'), 'subscriptions');

const readOwn = async (probe: Probe): Promise<Json> =>
	(await readSubscriptions(probe)).find(
		({ subscriptionId }) => subscriptionId === probe.own.SubscriptionId,
	);

/** Subscribes beside the checks; the subscription is removed at the end. */
async function subscribe(probe: Probe, events: unknown, place: string): Promise<Answer> {
	const Description = probe.options.name;
	const fields = { Url: addressOf(probe, place), Events: events, Description };
	return await probe.send('webhookSubscription.create', fields);
}

export const webhookChecks: Check[] = [
	{ operation: 'webhookSubscription.getMany' },
	{
		operation: 'webhookSubscription.create',
		prepare: async ({ kept }) => void (kept.hasSubscribed = true),
		fields: (probe, attempt) => ({
			Url: addressOf(probe, attempt),
			// One, as the trigger of this package has a subscription for each event.
			Events: [EVENTS[0]],
			Description: `${probe.options.name} (${attempt})`,
		}),
		tookEffect: async (probe, { Url, Description }, { data }) => {
			const list = await readSubscriptions(probe);
			const made = list.find(({ subscriptionId }) => subscriptionId === data?.subscriptionId);
			if (!isSame(Url, made?.url)) return false;
			probe.own.SubscriptionId = made.subscriptionId;
			return made.events?.length === 1 && isSame(Description, made.description);
		},
		after: async (probe, answer) => {
			await keepStatus('webhookSubscription.create')(probe, answer);
			if (answer.isSuccess) await collectFacts(probe);
		},
	},
	{
		operation: 'webhookSubscription.update',
		prepare: async (probe) => {
			probe.kept.subscription = await readOwn(probe);
		},
		obstacle: ({ own }) =>
			own.SubscriptionId === undefined ? 'No subscription could be made for it.' : undefined,
		fields: (probe, attempt) => ({
			Url: addressOf(probe, attempt),
			Events: [EVENTS[1 + (attempt % 2)]],
			// A service may read a missing field as false, so an enabled one is disabled only once.
			Enabled: probe.kept.subscription?.enabled === false,
			Description: `${probe.options.name} (${attempt})`,
		}),
		tookEffect: async (probe, { Url, Events, Enabled, Description }) => {
			const now = await readOwn(probe);
			return (
				isSame(Url, now?.url) &&
				isSame(Description, now.description) &&
				now.enabled === Enabled &&
				isSame(Events, now.events)
			);
		},
	},
	{
		operation: 'webhookSubscription.delete',
		prepare: async (probe) => {
			if ((await readOwn(probe)) !== undefined) return;
			const { data } = await subscribe(probe, [EVENTS[0]], 'delete');
			if (data?.subscriptionId !== undefined) probe.own.SubscriptionId = data.subscriptionId;
		},
		obstacle: ({ own }) =>
			own.SubscriptionId === undefined ? 'No subscription could be made for it.' : undefined,
		tookEffect: async (probe) => (await readOwn(probe)) === undefined,
	},
];

/** Which events there are, how one subscription takes two, and whether later reads have the secret. */
async function collectFacts(probe: Probe): Promise<void> {
	const { facts } = probe;
	const accepted: Record<string, unknown> = {};
	for (const event of [...EVENTS, 'n8n_probe.no_such_event']) {
		const { isSuccess, status } = await subscribe(probe, [event], event);
		accepted[event] = isSuccess ? 'accepted' : status;
	}
	facts.webhookEvents = accepted;
	const [one, other] = EVENTS;
	const several: Record<string, unknown> = {};
	for (const [lists, events] of [
		['repeated', [one, other]],
		['commas', `${one},${other}`],
		['brackets', JSON.stringify([one, other])],
	] as const) {
		const { isSuccess, status, data } = await subscribe(probe, events, lists);
		several[lists] = isSuccess ? data?.events?.length === 2 : status;
	}
	facts.twoEventsInOneSubscription = several;
	facts.secretKeyInList = (await readSubscriptions(probe)).some((one) => 'secretKey' in one);
	await deleteAllSubscriptions(probe, probe.own.SubscriptionId);
}

/** Deletes every subscription to an address of this run, also one that no response told of. */
export async function deleteAllSubscriptions(probe: Probe, kept?: number): Promise<boolean> {
	const ours = async () =>
		(await readSubscriptions(probe)).filter(
			({ url, subscriptionId }) =>
				String(url).startsWith(addressOf(probe, '')) && subscriptionId !== kept,
		);
	for (const { subscriptionId } of await ours()) {
		await probe.send('webhookSubscription.delete', {}, { SubscriptionId: subscriptionId });
	}
	return (await ours()).length === 0;
}
