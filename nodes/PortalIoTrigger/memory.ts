import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { TakenKeys } from './takenKeys';

/** A subscription of this node by its event. The secret is shown only once, when it is created. */
export type Subscriptions = Record<string, { subscriptionId: number; secretKey: string }>;

/** What the node remembers in the static data of its workflow. */
export interface Memory {
	/** The address that the subscriptions deliver to. */
	url?: string;
	subscriptions?: Subscriptions;
	/** The deliveries that were taken recently. */
	taken?: TakenKeys;
}

/** What the node remembers; n8n saves its changes after a lifecycle method or a delivery. */
export function memoryOf(context: IHookFunctions | IWebhookFunctions): Memory {
	return context.getWorkflowStaticData('node') as Memory;
}

/**
 * What this process subscribed last, by address.
 *
 * n8n saves the static data of a workflow as a whole. A slow delivery or another trigger that read
 * them before an activation and saves them after it restores the old secrets. A delivery that is
 * genuine by these corrects that.
 */
export const subscribedHere = new Map<string, Subscriptions>();

/** Remembers the subscriptions of an address, in the static data and in this process. */
export function remember(context: IHookFunctions, url: string, subscriptions: Subscriptions): void {
	Object.assign(memoryOf(context), { url, subscriptions });
	subscribedHere.set(url, subscriptions);
}

/** Forgets the subscriptions of an address and their deliveries. */
export function forget(context: IHookFunctions, url: string): void {
	const memory = memoryOf(context);
	delete memory.url;
	delete memory.subscriptions;
	delete memory.taken;
	subscribedHere.delete(url);
}

/** The IDs of subscriptions. */
export function subscriptionIds(subscriptions: Subscriptions | undefined): number[] {
	return Object.values(subscriptions ?? {}).map(({ subscriptionId }) => subscriptionId);
}
