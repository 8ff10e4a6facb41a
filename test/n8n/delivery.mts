/** Deliveries of events as the service would make them, signed without the published code. */
import axios from 'axios';
import { Agent } from 'node:http';
import { expect } from 'vitest';
import type { Environment } from '../../dev/testbed/environment.mts';
import { until } from '../../dev/testbed/until.mts';
import { signedHeaders } from '../wire/deliver.mts';

/**
 * A connection for each request: n8n closes one that is idle for five seconds or whose body it did not
 * read to the end, and who takes it up then gets a hang-up.
 */
const httpAgent = new Agent({ keepAlive: false });

/** n8n's own answer, before it looks at a request: a busy machine can take its database for a moment. */
const isWithoutDatabase = ({ status, data }: { status: number; data: unknown }) =>
	status === 503 && JSON.stringify(data).includes('Database is not ready');

/** Sends a body to n8n, whatever it answers, once it has its database. */
export async function send(url: string, body: string | Buffer, headers: object) {
	return await until('n8n to have its database', async () => {
		const answer = await axios.post<unknown>(url, body, {
			headers: { ...headers },
			httpAgent,
			maxBodyLength: Infinity,
			validateStatus: () => true,
		});
		return isWithoutDatabase(answer) ? undefined : answer;
	});
}

/** Where the service delivers to, and what it signs with. */
export interface Subscription {
	url: string;
	secret: string;
}

/** The headers of a delivery. */
export const deliveryHeaders = (body: string, secret: string) => ({
	'Content-Type': 'application/json',
	...signedHeaders(secret, body),
});

/** Delivers a body, rightly signed; returns the status. */
export async function post({ url, secret }: Subscription, body: string): Promise<number> {
	return (await send(url, body, deliveryHeaders(body, secret))).status;
}

/** The body of an event with this ID and without data. */
export const eventBody = (id: string) =>
	JSON.stringify({ id, type: 'proposal.status_changed', created: '', data: {} });

/** Delivers an event with this ID; returns the status. */
export async function deliver(subscription: Subscription, id: string): Promise<number> {
	return await post(subscription, eventBody(id));
}

/** Delivers a body to the only subscription that there is; returns the status. */
export async function redeliver({ simulator }: Environment, body: string): Promise<number> {
	const [subscription, ...others] = simulator.control.subscriptions();
	expect(others).toEqual([]);
	const { url, secret_key: secret } = subscription!;
	return await post({ url: String(url), secret: String(secret) }, body);
}
