/** The memory of a node: its subscriptions, and the deliveries that started its workflow. */
import {
	sleep,
	type IHookFunctions,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

/** The subscriptions of a node by event. Portal.io returns a secret only once, when it is created. */
export type Subscriptions = Record<string, { subscriptionId: number; secretKey: string }>;

/** The memory of a node in the static data of its workflow. */
export interface Stored {
	/** Who subscribed. Without it, a copy of a workflow would delete the subscriptions of its original. */
	owner?: string;
	/** The account that has the subscriptions. */
	account?: string;
	/** When they were last created, checked or removed, in milliseconds. */
	subscribedAt?: number;
	subscriptions?: Subscriptions;
	/** The keys of the latest deliveries that were taken, each followed by a space. */
	taken?: string;
}

/** The interval at which a delivery checks whether n8n has answered an earlier attempt. */
const CHECK_INTERVAL_MS = 100;
const REMEMBERED_DELIVERIES = 2000;
/** Characters of a key, the beginning of a hash: a collision among 2,000 happens once in 10^11 times. */
const KEY_LENGTH = 8;

/** Acknowledges a delivery and starts nothing: n8n responds with 200, so that no retry comes. */
export const ACKNOWLEDGED: IWebhookResponseData = {};

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * What this process remembers of a node. An execution saves all static data of its workflow as they were
 * when it began, and without this copy an event would start the workflow again.
 */
interface Known {
	latest: Stored;
	taken: string;
	/**
	 * The responses to deliveries that n8n may not have answered yet, by key. If a delivery counted before its
	 * answer, an event whose execution n8n cannot store would be lost: Portal.io's next attempt would start nothing.
	 */
	open: Map<string, Response>;
}

/** By node and webhook URL. */
const nodesInProcess = new Map<string, Known>();

/** The memory of a node. n8n saves changes of the static data after a hook or a delivery. */
export interface Memory {
	stored: Stored;
	known: Known;
}

type Context = IHookFunctions | IWebhookFunctions;

/** Opens the memory of a node, where newer subscriptions that this process knows replace stored ones. */
export function openMemory(context: Context): Memory {
	const key = `${context.getNode().id} ${context.getNodeWebhookUrl('default')}`;
	// In a test run in the editor, n8n may return the webhook URL of the published workflow.
	const nodes = context.getMode() === 'manual' ? new Map<string, Known>() : nodesInProcess;
	const known: Known = nodes.get(key) ?? { latest: {}, taken: '', open: new Map() };
	nodes.set(key, known);
	const stored = context.getWorkflowStaticData('node') as Stored;
	const { latest } = known;
	if ((latest.subscribedAt ?? 0) > (stored.subscribedAt ?? 0)) Object.assign(stored, latest);
	return { stored, known };
}

/** Remembers subscriptions with their owner and account. */
export function remember({ stored, known }: Memory, subscribed: Stored): void {
	known.latest = { subscribedAt: after(stored), ...subscribed };
	Object.assign(stored, known.latest);
}

export function forget({ stored, known }: Memory): void {
	const latest = { subscribedAt: after(stored), subscriptions: {} };
	Object.assign(known, { latest, taken: '', open: new Map() });
	for (const name of Object.keys(stored)) delete stored[name as keyof Stored];
}

/** The time, in milliseconds; later than what is stored even if the clock was set back. */
const after = ({ subscribedAt = 0 }: Stored) => Math.max(Date.now(), subscribedAt + 1);

/**
 * Starts the workflow with a delivery, unless n8n has answered an earlier attempt with success. After any
 * other answer Portal.io sends it again, and it has to start the workflow.
 */
export async function startOnce(
	{ stored, known }: Memory,
	hash: string,
	response: Response,
	start: () => Promise<IWebhookResponseData>,
): Promise<IWebhookResponseData> {
	const key = hash.slice(0, KEY_LENGTH);
	settle(known);
	// An earlier attempt may wait for a slot (N8N_CONCURRENCY_PRODUCTION_LIMIT), also after its sender
	// has hung up. How n8n answers it decides about this attempt.
	while (known.open.has(key) && !response.closed) {
		await sleep(CHECK_INTERVAL_MS);
		settle(known);
	}
	const before = typeof stored.taken === 'string' ? stored.taken : '';
	known.taken = mergeKeys(before, known.taken);
	const isUnsaved = known.taken !== before;
	const save = () => (stored.taken = known.taken);
	if (isUnsaved) save();
	if (known.open.has(key) || known.taken.includes(key)) return ACKNOWLEDGED;
	known.open.set(key, response);
	const input = await start();
	// n8n drops earlier changes of static data when it begins to store the execution, and saves later ones
	// (docs/dev/n8n-internals.md#when-an-event-is-safe): without this, a restart would forget all deliveries.
	if (isUnsaved) void sleep(0).then(save);
	return input;
}

/** Remembers the open deliveries that n8n has answered with success. */
function settle(known: Known): void {
	for (const [key, { writableEnded, statusCode }] of known.open) {
		if (!writableEnded) continue;
		known.open.delete(key);
		if (statusCode >= 200 && statusCode < 300) known.taken += `${key} `;
	}
}

/**
 * Merges stored keys with those that a process knows, in the order in which they came, and drops the
 * earliest if there are too many. One text, because n8n wraps static data entry by entry each time.
 */
export function mergeKeys(stored: string, known: string): string {
	// Behind the last space is an empty one.
	const keys = new Set(`${stored}${known}`.split(' '));
	return [...keys].slice(-REMEMBERED_DELIVERIES - 1).join(' ');
}

/** The stored subscriptions that can be used. */
export function usableSubscriptions({ subscriptions }: Stored): Subscriptions {
	const usable = Object.entries(subscriptions ?? {}).filter(
		([, one]) =>
			Number.isInteger(one?.subscriptionId) &&
			typeof one.secretKey === 'string' &&
			one.secretKey !== '',
	);
	return Object.fromEntries(usable);
}

export const subscriptionIds = (subscriptions: Subscriptions): number[] =>
	Object.values(subscriptions).map((one) => one.subscriptionId);
