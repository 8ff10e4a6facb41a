import { sleep, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';
import { Claims, type Settle } from './claims';
import { idsOf, memoryOf } from './memory';
import { isSeen, withTaken } from './seen';

/** Acknowledges a delivery and starts nothing: n8n responds with 200, so that no retry comes. */
export const ACKNOWLEDGED: IWebhookResponseData = {};

const processClaims = new Claims();

/**
 * Starts the workflow with a delivery unless it was taken before.
 *
 * A delivery counts as taken once its sender has received a success response: every other one is
 * sent again, and must be let in then.
 *
 * @param key identifies the delivery
 * @param start makes the input of the workflow
 * @param claims what this process is taking or has taken
 */
export async function startOnce(
	context: IWebhookFunctions,
	key: string,
	start: () => Promise<IWebhookResponseData>,
	claims = processClaims,
): Promise<IWebhookResponseData> {
	const now = Math.floor(Date.now() / 1000);
	const memory = memoryOf(context);
	// Another activation has other subscriptions, and none of their deliveries came before.
	const ids = idsOf(memory.subscriptions).join();
	const node = `${context.getWorkflow().id}/${context.getNode().id}/${ids}`;
	const seen = withTaken(memory.seen ?? {}, claims.taken(node), now);
	if (seen !== undefined) memory.seen = seen;

	if (isSeen(memory.seen ?? {}, key, now)) return ACKNOWLEDGED;
	const settle = await claims.claim(node, key, now);
	if (settle === undefined) return ACKNOWLEDGED;
	settleOnResponse(context, settle);
	const input = await start();
	// n8n drops earlier changes of static data when it begins to store the execution, and saves those
	// that it finds when the execution is stored (docs/n8n-internals.md#when-an-event-is-safe).
	if (seen !== undefined) void sleep(0).then(() => (memory.seen = seen));
	return input;
}

/** Settles a claim when the response is complete, or its connection is closed. */
function settleOnResponse(context: IWebhookFunctions, settle: Settle): void {
	const response = context.getResponseObject();
	const onClose = () => {
		const { statusCode, writableFinished } = response;
		settle(writableFinished && statusCode >= 200 && statusCode < 300);
	};
	if (response.closed) onClose();
	else response.once('close', onClose);
}
