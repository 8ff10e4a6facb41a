/** A host that must never be asked for anything, whatever a redirect says. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';

export function startOtherHost(): { readonly url: string } {
	const asked: string[] = [];
	const server = createServer(({ url }, response) => {
		asked.push(String(url));
		response.end('{}');
	});
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	afterAll(() => {
		server.close();
		expect(asked).toEqual([]);
	});
	return {
		get url() {
			return `http://localhost:${(server.address() as AddressInfo).port}`;
		},
	};
}
