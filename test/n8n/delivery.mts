/** Deliveries of events as the service would make them, signed with another tool than ours. */
import axios from 'axios';
import { execa } from 'execa';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../../testbed/stage.mts';

/**
 * Sends to n8n, whatever it answers, over a connection for each request: n8n closes one that is idle
 * for five seconds or whose body it did not read to the end, and who takes it up then gets a hang-up.
 */
export const client = axios.create({
	httpAgent: new Agent({ keepAlive: false }),
	maxBodyLength: Infinity,
	validateStatus: () => true,
});

// On a machine with too much to do n8n misses its database for a moment, and answers 503 to everything
// before it looks at it. The trigger never answers so.
client.interceptors.response.use(async (answer) => {
	if (answer.status !== 503) return answer;
	await sleep(1000);
	return await client.request(answer.config);
});

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
	const { status } = await client.post(url, body, {
		headers: {
			'Content-Type': 'application/json',
			...(signature !== undefined && { 'X-Webhook-Signature': signature }),
		},
	});
	return status;
}

/** Delivers a body, rightly signed, to the only subscription. */
export async function redeliver(stage: Stage, body: string): Promise<number> {
	const { url, secret } = onlySubscription(stage);
	return await post(url, body, await signatureHeader(body, secret));
}
