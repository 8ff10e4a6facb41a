import { sleep, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';
import { memoryOf, storedSubscriptions, subscriptionIds } from './memory';

/** How many deliveries of a node are remembered, the latest ones. */
export const REMEMBERED_DELIVERIES = 2000;
/** Characters of a key: a collision among 2,000 happens once in 10^11 times. */
export const KEY_LENGTH = 8;
/** A key and a space. */
const ENTRY_LENGTH = KEY_LENGTH + 1;
/** Portal.io retries for 14 h 36 min; what comes later is no retry. */
const RETRY_HOURS = 15;

/** Acknowledges a delivery and starts nothing: n8n responds with 200, so that no retry comes. */
export const ACKNOWLEDGED: IWebhookResponseData = {};

/** What a process knows of the deliveries of one node. */
interface Deliveries {
	/** The keys of those that were taken, as static data keep them. */
	taken: string;
	/** Those that are not answered yet, by key, until they are. */
	open: Map<string, Promise<void>>;
	/** When the last one came, in unix seconds. */
	lastAt: number;
}

/**
 * What one process knows of the deliveries of its nodes. Static data alone cannot tell duplicates
 * that arrive together, and another process may overwrite them.
 */
export class ProcessDeliveries {
	private readonly byNode = new Map<string, Deliveries>();

	/** What is known of a node. When it is new, nodes without recent deliveries are dropped. */
	of(node: string, now: number): Deliveries {
		let deliveries = this.byNode.get(node);
		if (deliveries === undefined) {
			for (const [other, { lastAt }] of this.byNode) {
				if (now - lastAt > RETRY_HOURS * 3600) this.byNode.delete(other);
			}
			deliveries = { taken: '', open: new Map(), lastAt: now };
			this.byNode.set(node, deliveries);
		}
		deliveries.lastAt = now;
		return deliveries;
	}
}

const thisProcess = new ProcessDeliveries();

/**
 * Starts the workflow with a delivery unless it was taken before.
 *
 * A delivery counts as taken once n8n has answered it with success: every other one is sent again, and
 * must be let in then.
 *
 * @param key identifies the delivery
 * @param start makes the input of the workflow
 * @param process what this process knows
 */
export async function startOnce(
	context: IWebhookFunctions,
	key: string,
	start: () => Promise<IWebhookResponseData>,
	process = thisProcess,
): Promise<IWebhookResponseData> {
	const now = Math.floor(Date.now() / 1000);
	const memory = memoryOf(context);
	// Another activation has other subscriptions, and none of their deliveries came before.
	const ids = subscriptionIds(storedSubscriptions(memory).subscriptions).join();
	const deliveries = process.of(`${context.getWorkflow().id}/${context.getNode().id}/${ids}`, now);
	const stored = typeof memory.taken === 'string' ? memory.taken : '';
	deliveries.taken = mergeKeys(stored, deliveries.taken);
	const isUnsaved = stored !== deliveries.taken;
	if (isUnsaved) memory.taken = deliveries.taken;

	while (deliveries.open.has(key)) await deliveries.open.get(key);
	if (deliveries.taken.includes(key)) return ACKNOWLEDGED;
	const answered = isAcknowledged(context).then((isTaken) => {
		deliveries.open.delete(key);
		if (isTaken) deliveries.taken = latest(`${deliveries.taken}${key} `);
	});
	deliveries.open.set(key, answered);
	const input = await start();
	// n8n drops earlier changes of static data when it begins to store the execution, and saves those
	// that it finds when the execution is stored (docs/n8n-internals.md#when-an-event-is-safe).
	if (isUnsaved) void sleep(0).then(() => (memory.taken = deliveries.taken));
	return input;
}

/**
 * Puts together what is stored and what a process knows: the keys in the order in which they came. They
 * are one text, because n8n reads, wraps and saves static data entry by entry with every delivery.
 */
export function mergeKeys(stored: string, known: string): string {
	const start = stored.indexOf(known.slice(0, ENTRY_LENGTH));
	// Mostly the process has added to what is stored: then nothing needs comparing, which takes 1 ms.
	if (known.startsWith(stored.slice(start))) return latest(stored.slice(0, start) + known);
	return latest([...new Set(`${stored}${known}`.trimEnd().split(' ')), ''].join(' '));
}

/** Drops the earliest keys if there are too many. */
const latest = (keys: string) => keys.slice(-REMEMBERED_DELIVERIES * ENTRY_LENGTH);

/** How often is looked whether n8n has answered, and for how long: no retry comes later. */
const INTERVAL_MS = 1000;
const MAX_WAIT_MS = RETRY_HOURS * 3600 * 1000;

/**
 * Waits until n8n has answered: whether with success.
 *
 * A sender that hung up takes no event back: n8n may hold it until an execution can begin
 * (`N8N_CONCURRENCY_PRODUCTION_LIMIT`), and answers then. Nothing reports the end of a response
 * without a connection.
 */
async function isAcknowledged(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
	for (let waited = 0; !response.writableEnded && waited < MAX_WAIT_MS; waited += INTERVAL_MS) {
		await sleep(INTERVAL_MS);
	}
	const { statusCode, writableEnded } = response;
	return writableEnded && statusCode >= 200 && statusCode < 300;
}
