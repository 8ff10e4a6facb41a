import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns the preferred port if it is free, otherwise a port below the range of outgoing connections. */
export async function freePort(preferred = randomInt(20_000, 30_000)): Promise<number> {
	const server = createServer();
	server.listen(preferred, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		return await freePort();
	}
	server.close();
	await once(server, 'close');
	return preferred;
}
