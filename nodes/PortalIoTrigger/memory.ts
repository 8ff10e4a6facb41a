/** Remembers the subscriptions of a node, and the deliveries that started its workflow. */
import { createHash } from 'node:crypto';
import {
	sleep,
	type IHookFunctions,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

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

/**
 * The memory of a node in this process. When an execution ends, it overwrites all static data with the
 * values from its start. The stored memory alone would then let an event start the workflow twice.
 */
interface LocalMemory {
	/** The latest subscriptions, with their owner, account and time. */
	latest: StoredMemory;
	deliveryKeys: string;
	/**
	 * The responses that n8n has not ended yet, by delivery key. A delivery is remembered only after n8n has
	 * answered it with success: n8n may fail to store the execution, and then Portal.io has to repeat the
	 * event. Nothing calls the node at that time, and a response whose sender has hung up emits no event.
	 */
	unanswered: Map<string, WebhookResponse>;
}

export interface TriggerMemory {
	stored: StoredMemory;
	local: LocalMemory;
}

const REMEMBERED_DELIVERIES = 2000;
/** A new key of eight characters equals one of 2,000 remembered keys once in 10^11 deliveries. */
const KEY_LENGTH = 8;

/** The memories of this process by node and webhook URL. */
const localMemories = new Map<string, LocalMemory>();

/** Opens the memory of a node. Newer subscriptions in this process replace the stored ones. */
export function openMemory(context: IHookFunctions | IWebhookFunctions): TriggerMemory {
	const local = localMemoryOf(context);
	rememberAnswered(local);
	const stored: StoredMemory = context.getWorkflowStaticData('node');
	const { latest } = local;
	if ((latest.subscribedAt ?? 0) > (stored.subscribedAt ?? 0)) Object.assign(stored, latest);
	return { stored, local };
}

function localMemoryOf(context: IHookFunctions | IWebhookFunctions): LocalMemory {
	const empty = { latest: {}, deliveryKeys: '', unanswered: new Map() };
	// n8n may return the webhook URL of the published workflow in a test run.
	if (context.getMode() === 'manual') return empty;
	const node = `${context.getNode().id} ${context.getNodeWebhookUrl('default')}`;
	const memory = localMemories.get(node) ?? empty;
	localMemories.set(node, memory);
	return memory;
}

function rememberAnswered(local: LocalMemory): void {
	for (const [key, { writableEnded, statusCode }] of local.unanswered) {
		if (!writableEnded) continue;
		local.unanswered.delete(key);
		if (statusCode >= 200 && statusCode < 300) local.deliveryKeys += `${key} `;
	}
}

/** Remembers subscriptions with their owner and account. n8n saves static data after each hook. */
export function rememberSubscriptions(
	{ stored, local }: TriggerMemory,
	newMemory: StoredMemory,
): void {
	local.latest = { subscribedAt: timeAfter(stored), ...newMemory };
	Object.assign(stored, local.latest);
}

export function forgetSubscriptions({ stored, local }: TriggerMemory): void {
	local.latest = { subscribedAt: timeAfter(stored), subscriptions: {} };
	local.deliveryKeys = '';
	local.unanswered.clear();
	for (const name of Object.keys(stored)) delete stored[name as keyof StoredMemory];
}

/** Returns a time in milliseconds that is later than the stored one, even if the clock was set back. */
const timeAfter = ({ subscribedAt = 0 }: StoredMemory) => Math.max(Date.now(), subscribedAt + 1);

/** Identifies a delivery by the ID of its event, or by all its bytes if the ID is not a text. */
export function deliveryKey({ id }: { id: unknown }, body: Buffer): string {
	const identity = typeof id === 'string' && id !== '' ? id : body;
	return createHash('sha256').update(identity).digest('base64url').slice(0, KEY_LENGTH);
}

/** n8n responds with 200 and starts no workflow, so Portal.io does not repeat the delivery. */
export const ACKNOWLEDGED: IWebhookResponseData = {};

/** Starts the workflow with a delivery, unless n8n has already answered it with success. */
export async function startOnce(
	{ stored, local }: TriggerMemory,
	key: string,
	response: WebhookResponse,
	start: () => Promise<IWebhookResponseData>,
): Promise<IWebhookResponseData> {
	const storedKeys = typeof stored.deliveryKeys === 'string' ? stored.deliveryKeys : '';
	local.deliveryKeys = mergeKeys(storedKeys, local.deliveryKeys);
	const isUnsaved = local.deliveryKeys !== storedKeys;
	if (isUnsaved) stored.deliveryKeys = local.deliveryKeys;
	if (local.deliveryKeys.includes(key)) return ACKNOWLEDGED;
	local.unanswered.set(key, response);
	const output = await start();
	if (isUnsaved) void saveWithExecution(stored, local);
	return output;
}

/**
 * Writes the keys again when n8n has begun to store the execution. n8n drops earlier changes
 * (docs/dev/n8n-internals.md#when-an-event-is-safe), so a restart would forget all deliveries.
 */
async function saveWithExecution(stored: StoredMemory, local: LocalMemory): Promise<void> {
	await sleep(0);
	stored.deliveryKeys = local.deliveryKeys;
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
