import type { IWebhookFunctions } from 'n8n-workflow';
import { checkSignature } from './signature';
import { memoryOf, storedSubscriptions, subscribedHere, type Subscriptions } from './memory';

/** Portal.io asks receivers to refuse older deliveries. */
const TOLERANCE_SECONDS = 300;
/**
 * A little more than the age of the last retry. With what the sender's clock may be ahead, it must stay
 * below the time for which a delivery is remembered: a recorded one could otherwise start the workflow
 * again once it is forgotten.
 */
export const MAX_TOLERANCE_SECONDS = 14 * 3600 + 40 * 60;

/** The event of the subscription that a delivery comes from, or why it is refused, for n8n's log. */
export type Verification = { subscribedEvent: string } | { refusal: string };

/** Checks that a delivery comes from a subscription of this node, and from which. */
export function verify(context: IWebhookFunctions, body: unknown): Verification {
	if (!Buffer.isBuffer(body)) return { refusal: 'no body' };
	const check = (subscriptions: Subscriptions): Verification => {
		const verdict = checkSignature({
			header: context.getHeaderData()['x-webhook-signature'],
			body,
			secrets: Object.values(subscriptions).map(({ secretKey }) => secretKey),
			now: Date.now(),
			toleranceSeconds: toleranceOf(context),
		});
		if ('refusal' in verdict) return verdict;
		const [event] = Object.entries(subscriptions).find(
			([, { secretKey }]) => secretKey === verdict.secret,
		)!;
		return { subscribedEvent: event };
	};
	const memory = memoryOf(context);
	const { subscriptions } = storedSubscriptions(memory);
	const verification = check(subscriptions);
	if ('subscribedEvent' in verification) return verification;

	const current =
		context.getMode() === 'manual'
			? undefined
			: subscribedHere.get(context.getNodeWebhookUrl('default') ?? '');
	if (current !== undefined) {
		const byProcess = check(storedSubscriptions(current).subscriptions);
		if ('subscribedEvent' in byProcess) {
			Object.assign(memory, current);
			return byProcess;
		}
	}
	if (Object.keys(subscriptions).length > 0) return verification;
	return {
		refusal: `${verification.refusal}, and this workflow knows no subscription: unpublish it and publish it again`,
	};
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
