/** A gateway in front of a simulator that changes some responses, as proxies and other versions do. */
import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What is known of a request when its response is chosen. */
export interface Incoming {
	method: string;
	/** With its query. */
	url: string;
	headers: IncomingMessage['headers'];
}

/** A response in place of that of the service, or a part of it. */
export interface Changed {
	status?: number;
	headers?: Record<string, string>;
	body?: string;
}

/** The gateway: its address, and how to end it. */
export interface Gateway {
	url: string;
	stop: () => Promise<void>;
}

/**
 * Starts a gateway.
 *
 * @param before changes a request, or answers it in place of the service
 * @param after changes a response
 */
export async function startGateway(
	port: number,
	{
		before = () => undefined,
		after = () => undefined,
	}: {
		before?: (incoming: Incoming) => Changed | undefined;
		after?: (incoming: Incoming, body: string) => Changed | undefined;
	},
): Promise<Gateway> {
	const server = createServer(async (request, response) => {
		const incoming = { method: request.method!, url: request.url!, headers: request.headers };
		const answer = before(incoming);
		if (answer !== undefined) {
			response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
			return;
		}
		// The host, too: it is signed.
		const options = { port, host: '127.0.0.1', path: incoming.url, ...incoming };
		const onward = send(options).end(await buffer(request));
		const [reply] = (await once(onward, 'response')) as [IncomingMessage];
		const body = String(await buffer(reply));
		const changed = after(incoming, body);
		const headers = { ...reply.headers, ...changed?.headers };
		delete headers['content-length'];
		delete headers['transfer-encoding'];
		response.writeHead(changed?.status ?? reply.statusCode!, headers).end(changed?.body ?? body);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}
