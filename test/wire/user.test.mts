import { expect, it } from 'vitest';
import { fileService, runner, seed } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/user/index.ts';

const service = fileService();

it('user getMany: the active ones, one item each', async () => {
	const { run } = service;
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
