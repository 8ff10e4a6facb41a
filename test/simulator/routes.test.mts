import { expect, test } from 'vitest';

import { operations, operationsFor } from '../../dev/simulator/contract.mts';
import { seed, startSimulator } from '../../dev/simulator/index.mts';
import { Client } from './client.mts';

const both = operations.filter((one) => one.isAlternate).map((one) => one.name);

test.each(['specification', 'alternate'] as const)('routes: %s alone', async (routes) => {
	const one = await startSimulator({ routes });
	try {
		const visitor = await new Client(one, seed.dealer).signIn();
		expect(both).toHaveLength(6);
		for (const operation of operations) {
			const isServed =
				!both.includes(operation.name) || operation.isAlternate === (routes === 'alternate');
			expect(operationsFor(routes).includes(operation), operation.id).toBe(isServed);
			if (operation.name === 'authentication.exchangeKey') continue;
			const target = operation.path.replace(/\{\w+\}/g, '1');
			const reply = await visitor.raw(operation.method, target, undefined, { contentType: '' });
			const isRoute = reply.json !== undefined;
			expect(isRoute, operation.id).toBe(isServed);
			if (!isServed) expect(reply.status, operation.id).toBe(404);
		}
	} finally {
		await one.stop();
	}
});
