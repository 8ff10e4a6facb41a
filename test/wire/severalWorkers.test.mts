/** How a user API key settles between the workers of one n8n. */
import { expect, it } from 'vitest';
import { fileService } from './account.mts';
import { anotherWorker, execute } from '../../dev/testbed/nodeRunner.mts';

const service = fileService();
const list = { resource: 'proposal', operation: 'getMany', limit: 1 };

it('settles on a key between workers of whose exchanges each ends the key of the other', async () => {
	const shared = service.credential();
	shared.onExchange = (key) => void service.control.expireUserKeys(key);
	await execute({ credential: shared, parameters: list });
	service.control.expireUserKeys();
	service.control.clearRequests();
	const workers = [undefined, anotherWorker(), anotherWorker()];
	const outputs = await Promise.all(
		workers.map((worker) =>
			execute({ credential: shared, worker, parameters: list, items: Array(30).fill({}) }),
		),
	);
	expect(outputs.map(({ length }) => length)).toEqual([30, 30, 30]);
	expect(service.control.exchangeCount()).toBeLessThanOrEqual(workers.length * 2);
});
