/** Sends events as Portal.io would. Signs them without the package's code. */
import axios from 'axios';
import { Agent } from 'node:http';
import { expect } from 'vitest';
import type { Environment } from '../../dev/testbed/environment.mts';
import { until } from '../../dev/testbed/until.mts';
import { signedHeaders } from '../wire/deliver.mts';

/**
 * Agent that opens a connection for each request. n8n closes a connection that is idle for five seconds or whose
 * request body it has not read completely, so a request on a reused connection could fail.
 */
const httpAgent = new Agent({ keepAlive: false });

/**
 * Returns whether n8n responded before its database was available. On a busy machine, the database can take a long time
 * to start.
 */
const isWithoutDatabase = ({ status, data }: { status: number; data: unknown }) =>
	status === 503 && JSON.stringify(data).includes('Database is not ready');

/** Sends a body to n8n as soon as n8n's database is available. Accepts any status. */
export async function send(url: string, body: string | Buffer, headers: object) {
	return await until('n8n to have its database', async () => {
		const response = await axios.post<unknown>(url, body, {
			headers: { ...headers },
			httpAgent,
			maxBodyLength: Infinity,
			validateStatus: () => true,
		});
		return isWithoutDatabase(response) ? undefined : response;
	});
}

/** Destination of deliveries, with the secret that signs them. */
export interface Subscription {
	url: string;
	secret: string;
}

export const deliveryHeaders = (body: string, secret: string) => ({
	'Content-Type': 'application/json',
	...signedHeaders(secret, body),
});

/** Delivers a body with a valid signature. Returns the status. */
export async function post({ url, secret }: Subscription, body: string): Promise<number> {
	return (await send(url, body, deliveryHeaders(body, secret))).status;
}

/** Returns the body of an event without data. */
export const eventBody = (id: string) =>
	JSON.stringify({ id, type: 'proposal.status_changed', created: '', data: {} });

/** Delivers an event with the given ID. Returns the status. */
export async function deliver(subscription: Subscription, id: string): Promise<number> {
	return await post(subscription, eventBody(id));
}

/** Delivers a body to the environment's only subscription. Returns the status. */
export async function redeliver({ simulator }: Environment, body: string): Promise<number> {
	const [subscription, ...others] = simulator.control.subscriptions();
	expect(others).toEqual([]);
	const { url, secret_key: secret } = subscription!;
	return await post({ url: String(url), secret: String(secret) }, body);
}
