/** Remembers the subscriptions of a node, and the deliveries that started its workflow. */
import { createHash } from 'node:crypto';
import {
	sleep,
	type IHookFunctions,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { RecentStates } from '../../client/recentStates';

/** The subscriptions of a node by event. Portal.io returns a secret only once, when it is created. */
export type Subscriptions = Record<string, { subscriptionId: number; secretKey: string }>;

/** The memory of a node in the static data of its workflow. */
export interface StoredMemory {
	/** A copied workflow has the static data of its original, and must not delete its subscriptions. */
	owner?: string;
	account?: string;
	/** The credential may name another base URL later, where the same ID is that of another proposal. */
	baseUrl?: string;
	/** The time in milliseconds at which the subscriptions were last created, checked or removed. */
	subscribedAt?: number;
	subscriptions?: Subscriptions;
	/** The keys of the latest acknowledged deliveries, each followed by a space. */
	deliveryKeys?: string;
}

type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

interface Deliveries {
	/** Like the stored keys, but never overwritten by an older state. */
	keys: string;
	/**
	 * The responses that n8n has not ended yet, by delivery key. A delivery is remembered only after n8n has
	 * responded with success: n8n may fail to store the execution, and then Portal.io has to repeat the event.
	 * Nothing calls the node at that time, and a response whose sender has hung up emits no event.
	 */
	unanswered: Map<string, WebhookResponse>;
}

export interface TriggerMemory {
	stored: StoredMemory;
	/** The key of the node in this process. A test run has none, because it has static data of its own. */
	node: string | undefined;
	deliveries: Deliveries;
}

const REMEMBERED_DELIVERIES = 2000;
/** A new key of eight characters equals one of 2,000 remembered keys once in 10^11 deliveries. */
const KEY_LENGTH = 8;

// When an execution ends, it overwrites all static data with the values from its start. So this process also
// remembers, by node, what is newer: the stored memory alone would lose subscriptions and repeat events.
const latestSubscriptions = new Map<string, StoredMemory>();
const createDeliveries = (): Deliveries => ({ keys: '', unanswered: new Map() });
const recentDeliveries = new RecentStates(createDeliveries);

/** Opens the memory of a node. Newer subscriptions in this process replace the stored ones. */
export function openMemory(context: IHookFunctions | IWebhookFunctions): TriggerMemory {
	const stored: StoredMemory = context.getWorkflowStaticData('node');
	// n8n may return the webhook URL of the published workflow in a test run.
	if (context.getMode() === 'manual') {
		return { stored, node: undefined, deliveries: createDeliveries() };
	}
	const node = `${context.getNode().id} ${context.getNodeWebhookUrl('default')}`;
	const latest = latestSubscriptions.get(node);
	if ((latest?.subscribedAt ?? 0) > (stored.subscribedAt ?? 0)) Object.assign(stored, latest);
	const deliveries = recentDeliveries.get(node);
	rememberAnswered(deliveries);
	return { stored, node, deliveries };
}

function rememberAnswered(deliveries: Deliveries): void {
	for (const [key, { writableEnded, statusCode }] of deliveries.unanswered) {
		if (!writableEnded) continue;
		deliveries.unanswered.delete(key);
		if (statusCode >= 200 && statusCode < 300) deliveries.keys += `${key} `;
	}
}

/** Remembers subscriptions with their owner and account. n8n saves static data after each hook. */
export function rememberSubscriptions(
	{ stored, node }: TriggerMemory,
	newMemory: StoredMemory,
): void {
	// The clock may have been set back since the stored subscriptions were remembered.
	const subscribedAt = Math.max(Date.now(), (stored.subscribedAt ?? 0) + 1);
	const latest = { subscribedAt, ...newMemory };
	if (node !== undefined) latestSubscriptions.set(node, latest);
	Object.assign(stored, latest);
}

/** An execution that ends later may restore these subscriptions. Publishing then replaces them. */
export function forgetSubscriptions({ stored, node }: TriggerMemory): void {
	if (node !== undefined) {
		latestSubscriptions.delete(node);
		recentDeliveries.delete(node);
	}
	for (const name of Object.keys(stored)) delete stored[name as keyof StoredMemory];
}

/** Identifies a delivery by the ID of its event, or by all its bytes if the ID is not a text. */
export function deliveryKey({ id }: { id: unknown }, body: Buffer): string {
	const identity = typeof id === 'string' && id !== '' ? id : body;
	return createHash('sha256').update(identity).digest('base64url').slice(0, KEY_LENGTH);
}

/** n8n responds with 200 and starts no workflow, so Portal.io does not repeat the delivery. */
export const ACKNOWLEDGED: IWebhookResponseData = {};

/** Starts the workflow with a delivery, unless n8n has already responded to it with success. */
export async function startOnce(
	{ stored, deliveries }: TriggerMemory,
	key: string,
	response: WebhookResponse,
	start: () => Promise<IWebhookResponseData>,
): Promise<IWebhookResponseData> {
	const storedKeys = typeof stored.deliveryKeys === 'string' ? stored.deliveryKeys : '';
	deliveries.keys = mergeKeys(storedKeys, deliveries.keys);
	const isUnsaved = deliveries.keys !== storedKeys;
	if (isUnsaved) stored.deliveryKeys = deliveries.keys;
	if (deliveries.keys.includes(key)) return ACKNOWLEDGED;
	deliveries.unanswered.set(key, response);
	const output = await start();
	if (isUnsaved) void saveWithExecution(stored, deliveries);
	return output;
}

/**
 * Writes the keys again when n8n has begun to store the execution. n8n drops earlier changes
 * (docs/dev/n8n-internals.md#when-an-event-is-safe), so a restart would forget all deliveries.
 */
async function saveWithExecution(stored: StoredMemory, deliveries: Deliveries): Promise<void> {
	await sleep(0);
	stored.deliveryKeys = deliveries.keys;
}

/**
 * Merges the stored keys with those of this process in the order of the deliveries, and drops the oldest.
 * The keys are one text, because n8n wraps every entry of static data in a proxy with each delivery.
 */
export function mergeKeys(storedKeys: string, localKeys: string): string {
	// The empty text after the last space counts as an entry.
	const keys = new Set(`${storedKeys}${localKeys}`.split(' '));
	return [...keys].slice(-REMEMBERED_DELIVERIES - 1).join(' ');
}

/** Returns the stored subscriptions that have an ID and a secret. */
export function usableSubscriptions({ subscriptions }: StoredMemory): Subscriptions {
	const usable = Object.entries(subscriptions ?? {}).filter(
		([, subscription]) =>
			Number.isInteger(subscription?.subscriptionId) &&
			typeof subscription.secretKey === 'string' &&
			subscription.secretKey !== '',
	);
	return Object.fromEntries(usable);
}

export const subscriptionIds = (subscriptions: Subscriptions): number[] =>
	Object.values(subscriptions).map(({ subscriptionId }) => subscriptionId);
