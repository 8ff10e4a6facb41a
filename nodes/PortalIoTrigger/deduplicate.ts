import { sleep, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';
import { memoryOf, storedSubscriptions, subscriptionIds } from './memory';
import { addKey, hasKey, isSame, mergeKeys, REMEMBERED_HOURS, type TakenKeys } from './takenKeys';

/** Acknowledges a delivery and starts nothing: n8n responds with 200, so that no retry comes. */
export const ACKNOWLEDGED: IWebhookResponseData = {};

/** What a process knows of the deliveries of one node. */
interface Deliveries {
	taken: TakenKeys;
	/** Those that are not answered yet, by key, until they are. */
	open: Map<string, Promise<void>>;
}

/**
 * What one process knows of the deliveries of its nodes. Static data alone cannot tell duplicates
 * that arrive together, and another process may overwrite them.
 */
export class ProcessDeliveries {
	private readonly byNode = new Map<string, Deliveries>();

	/** What is known of a node. When it is new, nodes without recent deliveries are dropped. */
	of(node: string, now: number): Deliveries {
		const known = this.byNode.get(node);
		if (known !== undefined) return known;
		for (const [other, { taken, open }] of this.byNode) {
			if (open.size === 0 && isSame(mergeKeys({}, taken, now), {})) this.byNode.delete(other);
		}
		const added: Deliveries = { taken: {}, open: new Map() };
		this.byNode.set(node, added);
		return added;
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
	const stored = memory.taken ?? {};
	deliveries.taken = mergeKeys(stored, deliveries.taken, now);
	const isUnsaved = !isSame(stored, deliveries.taken);
	if (isUnsaved) memory.taken = deliveries.taken;

	while (deliveries.open.has(key)) await deliveries.open.get(key);
	if (hasKey(deliveries.taken, key)) return ACKNOWLEDGED;
	const answered = isAcknowledged(context).then((isTaken) => {
		deliveries.open.delete(key);
		if (isTaken) deliveries.taken = addKey(deliveries.taken, key, now);
	});
	deliveries.open.set(key, answered);
	const input = await start();
	// n8n drops earlier changes of static data when it begins to store the execution, and saves those
	// that it finds when the execution is stored (docs/n8n-internals.md#when-an-event-is-safe).
	if (isUnsaved) void sleep(0).then(() => (memory.taken = deliveries.taken));
	return input;
}

/** How often is looked whether n8n has answered, and for how long: no retry comes later. */
const INTERVAL_MS = 1000;
const MAX_WAIT_MS = REMEMBERED_HOURS * 3600 * 1000;

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
