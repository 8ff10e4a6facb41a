/** Deliveries of events as the service would make them, signed with another tool than ours. */
import axios from 'axios';
import { execa } from 'execa';
import type { Stage } from '../../demo/stage.mts';

/** The subscription of the one workflow with a Portal.io Trigger that is active. */
export function onlySubscription({ simulator }: Stage): { url: string; secret: string } {
	const [subscription, ...others] = simulator.control.subscriptions();
	if (!subscription || others.length > 0) throw new Error('There must be one subscription.');
	return { url: String(subscription.url), secret: String(subscription.secret_key) };
}

/** The value of `X-Webhook-Signature`, worked out by openssl. */
export async function signatureHeader(
	body: string,
	secret: string,
	timestamp: number = Math.floor(Date.now() / 1000),
): Promise<string> {
	const { stdout } = await execa('openssl', ['dgst', '-sha256', '-hmac', secret], {
		input: `${timestamp}.${body}`,
	});
	return `t=${timestamp},v1=${stdout.split('= ')[1]}`;
}

/** Posts a body to n8n; answers the status. */
export async function post(url: string, body: string, signature?: string): Promise<number> {
	const { status } = await axios.post(url, body, {
		headers: {
			'Content-Type': 'application/json',
			...(signature !== undefined && { 'X-Webhook-Signature': signature }),
		},
		validateStatus: () => true,
	});
	return status;
}

/** Delivers a body, rightly signed, to the only subscription. */
export async function redeliver(stage: Stage, body: string): Promise<number> {
	const { url, secret } = onlySubscription(stage);
	return await post(url, body, await signatureHeader(body, secret));
}
