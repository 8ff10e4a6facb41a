import type { IWebhookFunctions } from 'n8n-workflow';
import { refusal } from './signature';
import { memoryOf, subscribedHere, type Subscriptions } from './memory';

/** Portal.io asks receivers to refuse older deliveries. */
const TOLERANCE_SECONDS = 300;
/**
 * A little more than the age of the last retry. It must stay below the time for which a delivery is
 * remembered: a recorded one could otherwise start the workflow again once it is forgotten.
 */
export const MAX_TOLERANCE_SECONDS = 14 * 3600 + 40 * 60;

/**
 * Checks that a delivery comes from a subscription of this node.
 *
 * @returns undefined when it does, otherwise the reason to refuse it, for n8n's log
 */
export function verify(context: IWebhookFunctions, body: unknown): string | undefined {
	if (!Buffer.isBuffer(body)) return 'no body';
	const check = (subscriptions: Subscriptions = {}) =>
		refusal({
			header: context.getHeaderData()['x-webhook-signature'],
			body,
			secrets: Object.values(subscriptions).map(({ secretKey }) => secretKey),
			now: Date.now(),
			toleranceSeconds: toleranceOf(context),
		});
	const memory = memoryOf(context);
	const reason = check(memory.subscriptions);
	if (reason === undefined || context.getMode() === 'manual') return reason;

	const url = context.getNodeWebhookUrl('default') ?? '';
	const current = subscribedHere.get(url);
	if (check(current) !== undefined) return reason;
	Object.assign(memory, { url, subscriptions: current });
	return undefined;
}

/** A value that is not a number of seconds must not switch the check off. */
function toleranceOf(context: IWebhookFunctions): number {
	const { toleranceSeconds } = context.getNodeParameter('options', {}) as {
		toleranceSeconds?: unknown;
	};
	const seconds = Number(toleranceSeconds ?? TOLERANCE_SECONDS);
	if (!Number.isFinite(seconds) || seconds <= 0) return TOLERANCE_SECONDS;
	return Math.min(seconds, MAX_TOLERANCE_SECONDS);
}
