/** Finds ports on the loopback interface that nobody listens on. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** The preferred port if it is free, otherwise (or without a preference) any free one. */
export async function freePort(preferred = 0): Promise<number> {
	const server = createServer();
	server.listen(preferred, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch (error) {
		if (preferred === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		return await freePort();
	}
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}
