import { afterAll, beforeAll, expect, it } from 'vitest';
import { runner, seed, startService } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/user/index.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => {
	expect(service.control.contractViolations).toEqual([]);
	await service.simulator.stop();
});

it('user getMany: the active ones, one item each', async () => {
	const credential = service.credential();
	const run = runner(() => credential);
	const all = await run('user.getMany', { returnAll: true });
	expect(all.map(({ id }) => id)).toContain(seed.users.salesPriya);
	expect(all.map(({ id }) => id)).not.toContain(seed.users.inactive);
	expect(all[0]).toHaveProperty('email');
	expect(await run('user.getMany', { limit: 1 })).toHaveLength(1);
});

it.each([
	['402', 'lapsed'],
	['403', 'restricted'],
] as const)('user getMany: %s', async (httpCode, account) => {
	const theirs = runner(() => service.credential(account));
	await expect(theirs('user.getMany')).rejects.toMatchObject({ httpCode });
});
