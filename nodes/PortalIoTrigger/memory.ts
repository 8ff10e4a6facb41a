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
	/** Without the owner, a copy of a workflow would delete the subscriptions of its original. */
	owner?: string;
	/** The account that has the subscriptions. */
	account?: string;
	/** The time in milliseconds at which the subscriptions were last created, checked or removed. */
	subscribedAt?: number;
	subscriptions?: Subscriptions;
	/** The keys of the latest acknowledged deliveries, each followed by a space. */
	deliveryKeys?: string;
}

type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * The memory of a node in this process. An execution saves all static data of its workflow as they were
 * when it began: without this memory, that would make an event start the workflow again.
 */
interface LocalMemory {
	/** The newest subscriptions, with their owner, account and time. */
	latest: StoredMemory;
	deliveryKeys: string;
	/**
	 * The responses that n8n has not ended yet, by key. A delivery is remembered only after n8n has answered it
	 * with success: otherwise an event whose execution n8n cannot store would be lost, and nothing calls the
	 * node at that time. The response itself is kept because it emits no event after its sender has hung up.
	 */
	unanswered: Map<string, WebhookResponse>;
}

export interface TriggerMemory {
	stored: StoredMemory;
	local: LocalMemory;
}

const REMEMBERED_DELIVERIES = 2000;
/** The first characters of a hash: among 2,000 deliveries, two are equal once in 10^11 times. */
const KEY_LENGTH = 8;

/** The memories of this process by node and webhook URL. */
const localMemories = new Map<string, LocalMemory>();

/** Opens the memory of a node. Newer subscriptions that this process knows replace the stored ones. */
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

/** Remembers the deliveries that n8n has answered with success since the last call. */
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
	subscribed: StoredMemory,
): void {
	local.latest = { subscribedAt: timeAfter(stored), ...subscribed };
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

/** Acknowledges a delivery and starts nothing: n8n responds with 200, so Portal.io does not repeat it. */
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
 * Writes the keys again when n8n has begun to store the execution. n8n drops changes that were made before
 * (docs/dev/n8n-internals.md#when-an-event-is-safe), so that a restart would forget all deliveries.
 */
async function saveWithExecution(stored: StoredMemory, local: LocalMemory): Promise<void> {
	await sleep(0);
	stored.deliveryKeys = local.deliveryKeys;
}

/**
 * Merges the stored keys with those of a process in the order of the deliveries, and drops the oldest.
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
