/** Webhook subscriptions. */
import type { Json } from '../contract.mts';
import type { Check, Probe } from '../probe.mts';
import { isSame, listIn, shows } from './reading.mts';

/** The documented events, then what other editions of the documentation call them, and more. */
const EVENTS = [
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

/** The domain is reserved for examples, so nobody receives what is sent there. */
const addressOf = ({ options }: Probe, place: number | string) =>
	`https://example.com/n8n-probe/${options.name.replace(/\D/g, '')}/${place}`;

const readSubscriptions = async (probe: Probe): Promise<Json[]> =>
	listIn(await probe.read('webhookSubscription.getMany'), 'subscriptions');

const readOwn = async (probe: Probe): Promise<Json> =>
	(await readSubscriptions(probe)).find(
		({ subscriptionId }) => subscriptionId === probe.own.SubscriptionId,
	);

const needsSubscription = ({ own }: Probe) =>
	own.SubscriptionId === undefined ? 'No subscription could be made for it.' : undefined;

/** Subscribes beside the checks; the subscription is removed at the end. */
const subscribe = async (probe: Probe, Events: unknown, place: string) =>
	await probe.send('webhookSubscription.create', {
		Url: addressOf(probe, place),
		Events,
		Description: probe.options.name,
	});

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
			if (answer.isSuccess) await collectFacts(probe);
		},
	},
	{
		operation: 'webhookSubscription.update',
		obstacle: needsSubscription,
		prepare: async (probe) => {
			probe.kept.wasEnabled = (await readOwn(probe))?.enabled;
		},
		fields: (probe, attempt) => ({
			Url: addressOf(probe, attempt),
			Events: [EVENTS[1 + (attempt % 2)]],
			// A service may read a missing field as false, so an enabled one is disabled only once.
			Enabled: probe.kept.wasEnabled === false,
			Description: `${probe.options.name} (${attempt})`,
		}),
		tookEffect: async (probe, sent) => shows(await readOwn(probe), sent),
	},
	{
		operation: 'webhookSubscription.delete',
		obstacle: needsSubscription,
		prepare: async (probe) => {
			if ((await readOwn(probe)) !== undefined) return;
			const { data } = await subscribe(probe, [EVENTS[0]], 'delete');
			if (data?.subscriptionId !== undefined) probe.own.SubscriptionId = data.subscriptionId;
		},
		tookEffect: async (probe) => (await readOwn(probe)) === undefined,
	},
];

/** Which events there are, how one subscription takes two, and whether later reads have the secret. */
async function collectFacts(probe: Probe): Promise<void> {
	const { facts } = probe;
	const events: Record<string, string> = {};
	for (const event of [...EVENTS, 'n8n_probe.no_such_event']) {
		const { isSuccess, status } = await subscribe(probe, [event], event);
		events[event] = isSuccess ? 'accepted' : `refused with ${status}`;
	}
	facts.webhookEvents = events;
	const [one, other] = EVENTS;
	const forms = {
		'Events=A&Events=B': [one, other],
		'Events=A,B': `${one},${other}`,
		'Events=[A,B]': JSON.stringify([one, other]),
	};
	const several: Record<string, string> = {};
	for (const [form, sent] of Object.entries(forms)) {
		const { isSuccess, status, data } = await subscribe(
			probe,
			sent,
			`two-${encodeURIComponent(form)}`,
		);
		several[form] = isSuccess
			? `subscribed to ${data?.events?.length ?? 'an unknown number'}`
			: `refused with ${status}`;
	}
	facts.webhookWithTwoEvents = several;
	const hasSecret = (await readSubscriptions(probe)).some((read) => 'secretKey' in read);
	facts.webhookSecretKeyInLaterReads = hasSecret;
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
