/** What signing a request costs above the hash that it cannot do without. */
import { createHmac } from 'node:crypto';
import type { BenchEnvironment } from './environment.mts';

const TIMES = 20_000;
const ROUNDS = 9;

/** Signing by the built credential / one HMAC-SHA256 of the same message, round by round. */
export async function benchSigning({ account, simulator }: BenchEnvironment): Promise<number[]> {
	const { secretKey } = account.data as Record<string, string>;
	const authenticate = account.type.authenticate as (...args: unknown[]) => Promise<unknown>;
	const request = { method: 'GET', url: '/public/proposals/1' };
	const message = `GET${simulator.url}${request.url}${new Date().toUTCString()}${account.userApiKey}`;
	const values: number[] = [];
	for (let round = 0; round <= ROUNDS; round++) {
		const start = performance.now();
		for (let count = 0; count < TIMES; count++) await authenticate(account.data, request);
		const middle = performance.now();
		for (let count = 0; count < TIMES; count++)
			createHmac('sha256', secretKey!).update(message).digest('base64');
		// The first round warms both up.
		if (round > 0) values.push((middle - start) / (performance.now() - middle));
	}
	return values;
}
