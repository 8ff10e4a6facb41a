/** Remembers the subscriptions of a node, and the deliveries that started its workflow. */
import { createHash } from 'node:crypto';
import {
	sleep,
	type IHookFunctions,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { RecentStates } from '../../client/recentStates';

/** Subscriptions of a node, by event. Portal.io returns the secret of a subscription only once, when it is created. */
export type Subscriptions = Record<string, { subscriptionId: number; secretKey: string }>;

/** Memory of a node in the static data of its workflow. */
export interface StoredMemory {
	/**
	 * n8n instance, workflow, and webhook URL of the node. A copy of a workflow also contains the static data, but must
	 * not delete the original's subscriptions.
	 */
	owner?: string;
	account?: string;
	/**
	 * Base URL where the subscriptions were created. At another base URL, the proposal ID in an event belongs to
	 * another proposal.
	 */
	baseUrl?: string;
	/** Time in milliseconds when the subscriptions were last created or checked. */
	subscribedAt?: number;
	subscriptions?: Subscriptions;
	/** Keys of the latest acknowledged deliveries, each followed by a space. */
	deliveryKeys?: string;
}

type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

interface Deliveries {
	/** Keys in the same format as the stored ones. An older state never overwrites these. */
	keys: string;
	/**
	 * Responses that n8n has not ended yet, by delivery key. The next delivery checks them, because nothing tells the
	 * node when n8n responds. n8n does not call the node then, and the response object emits nothing if the sender has
	 * closed the connection. A delivery is remembered only after a successful response, because Portal.io must retry
	 * the delivery if n8n could not store the execution.
	 */
	openResponses: Map<string, WebhookResponse>;
}

export interface TriggerMemory {
	stored: StoredMemory;
	/** Key of the node in this process; undefined in a test run, which has its own static data. */
	node: string | undefined;
	deliveries: Deliveries;
}

const REMEMBERED_DELIVERIES = 2000;
/** Length of a key. With 2,000 remembered keys, a new key matches one of them by chance once in 10^11 deliveries. */
const KEY_LENGTH = 8;

// Newer values in this process, by node. When an execution saves static data, n8n overwrites it with the values from
// the start of that execution, which would lose subscriptions and repeat events.
const latestSubscriptions = new Map<string, StoredMemory>();
const createDeliveries = (): Deliveries => ({ keys: '', openResponses: new Map() });
const recentDeliveries = new RecentStates(createDeliveries);

/** Opens the memory of a node. Newer subscriptions in this process replace the stored ones. */
export function openMemory(context: IHookFunctions | IWebhookFunctions): TriggerMemory {
	const stored: StoredMemory = context.getWorkflowStaticData('node');
	// Share nothing with the published node in a test run, because both can have the same webhook URL.
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
	for (const [key, { writableEnded, statusCode }] of deliveries.openResponses) {
		if (!writableEnded) continue;
		deliveries.openResponses.delete(key);
		if (statusCode >= 200 && statusCode < 300) deliveries.keys += `${key} `;
	}
}

/** Remembers subscriptions with their owner and account. n8n saves static data after each hook. */
export function rememberSubscriptions(
	{ stored, node }: TriggerMemory,
	newMemory: StoredMemory,
): void {
	// Add 1 to the stored time, so the order is right even if the clock was set back.
	const subscribedAt = Math.max(Date.now(), (stored.subscribedAt ?? 0) + 1);
	const latest = { subscribedAt, ...newMemory };
	if (node !== undefined) latestSubscriptions.set(node, latest);
	Object.assign(stored, latest);
}

/**
 * Forgets everything about the node. An execution that ends later can write the subscriptions back to the static data,
 * but the next publishing replaces them.
 */
export function forgetSubscriptions({ stored, node }: TriggerMemory): void {
	if (node !== undefined) {
		latestSubscriptions.delete(node);
		recentDeliveries.delete(node);
	}
	for (const name of Object.keys(stored)) delete stored[name as keyof StoredMemory];
}

/** Returns the key of a delivery, from the event ID or, if there is none, from the whole body. */
export function deliveryKey({ id }: { id: unknown }, body: Buffer): string {
	const identity = typeof id === 'string' && id !== '' ? id : body;
	return createHash('sha256').update(identity).digest('base64url').slice(0, KEY_LENGTH);
}

/** Result that makes n8n respond with 200 without starting the workflow, so Portal.io does not retry the delivery. */
export const ACKNOWLEDGED: IWebhookResponseData = {};

/** Starts the workflow with a delivery, unless n8n has already responded successfully to the same delivery. */
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
	deliveries.openResponses.set(key, response);
	const output = await start();
	if (isUnsaved) void saveWithExecution(stored, deliveries);
	return output;
}

/**
 * Writes the keys again after n8n has begun to store the execution, because n8n drops earlier changes
 * (docs/dev/n8n-internals.md#when-an-event-is-safe). Otherwise, all deliveries would be forgotten after a restart.
 */
async function saveWithExecution(stored: StoredMemory, deliveries: Deliveries): Promise<void> {
	await sleep(0);
	stored.deliveryKeys = deliveries.keys;
}

/**
 * Merges the stored keys with this process's keys in delivery order, and drops the oldest. The keys are a single string
 * rather than a list, because n8n would wrap every entry of a list in a proxy for each delivery.
 */
export function mergeKeys(storedKeys: string, localKeys: string): string {
	const keys = new Set(`${storedKeys}${localKeys}`.split(' '));
	// Keep one more entry, because the last one is the empty string after the last space.
	return [...keys].slice(-REMEMBERED_DELIVERIES - 1).join(' ');
}

export function readSubscriptions({ subscriptions }: StoredMemory): Subscriptions {
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
