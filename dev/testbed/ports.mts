/** Finds ports on the loopback interface that nobody listens on. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The preferred port if it is free, otherwise (or without a preference) any free one. Those are below
 * the range from which connections to other servers get theirs (32768 and up on Linux): one of those
 * could be in use again before it is listened on.
 */
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
