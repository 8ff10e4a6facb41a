import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { isRecord } from '../../client/list';

/** A subscription of this node by its event. The secret is shown only once, when it is created. */
export type Subscriptions = Record<string, { subscriptionId: number; secretKey: string }>;

/** The form of the memory. Another form has another number, so that it is not taken for this one. */
const FORMAT = 1;

/** What the node remembers in the static data of its workflow. */
export interface Memory {
	format?: typeof FORMAT;
	/** Who subscribed: exports of a workflow carry its static data, so a copy has them too. */
	owner?: string;
	/** The account that has the subscriptions. */
	account?: string;
	subscriptions?: Subscriptions;
	/** The keys of the latest deliveries that were taken, each followed by a space. */
	taken?: string;
}

/** What the node remembers; n8n saves its changes after a lifecycle method or a delivery. */
export function memoryOf(context: IHookFunctions | IWebhookFunctions): Memory {
	return context.getWorkflowStaticData('node') as Memory;
}

/** The subscriptions in a memory that can be used, and whether there are others or another format. */
export function storedSubscriptions({ format, subscriptions }: Memory): {
	subscriptions: Subscriptions;
	isBroken: boolean;
} {
	if (format !== FORMAT || !isRecord(subscriptions)) {
		return { subscriptions: {}, isBroken: subscriptions !== undefined };
	}
	const entries = Object.entries(subscriptions);
	const usable = entries.filter(
		([, one]) =>
			isRecord(one) &&
			Number.isInteger(one.subscriptionId) &&
			typeof one.secretKey === 'string' &&
			one.secretKey !== '',
	);
	return {
		subscriptions: Object.fromEntries(usable) as Subscriptions,
		isBroken: usable.length < entries.length,
	};
}

/** Identifies who subscribes: this workflow of this n8n at its address. */
export const ownerOf = (context: IHookFunctions, url: string): string =>
	[context.getInstanceId(), context.getWorkflow().id, url].join(' ');

/**
 * What this process subscribed last, by address.
 *
 * n8n saves the static data of a workflow as a whole. A slow delivery or another trigger that read
 * them before an activation and saves them after it restores the old secrets. A delivery that is
 * genuine by these corrects that.
 */
export const subscribedHere = new Map<string, Memory>();

/** Remembers the subscriptions of an address, in the static data and in this process. */
export function remember(
	context: IHookFunctions,
	url: string,
	account: string,
	subscriptions: Subscriptions,
): void {
	const known: Memory = { format: FORMAT, owner: ownerOf(context, url), account, subscriptions };
	Object.assign(memoryOf(context), known);
	subscribedHere.set(url, known);
}

/** Forgets the subscriptions of an address and their deliveries. */
export function forget(context: IHookFunctions, url: string): void {
	const memory = memoryOf(context);
	for (const name of Object.keys(memory)) delete memory[name as keyof Memory];
	subscribedHere.delete(url);
}

/** The IDs of subscriptions. */
export function subscriptionIds(subscriptions: Subscriptions): number[] {
	return Object.values(subscriptions).map(({ subscriptionId }) => subscriptionId);
}
