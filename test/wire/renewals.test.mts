/** How often a user API key that is refused is renewed (docs/reliability.md: 401, always). */
import { expect, it, onTestFinished } from 'vitest';
import { runner, startService } from './account.mts';

const REQUESTS = 5;
const RENEWALS = 4;

async function refusing(times: number) {
	const { simulator, control, credential } = await startService();
	onTestFinished(async () => await simulator.stop());
	const one = credential();
	const run = async () => await runner(() => one)('user.getMany');
	await run();
	control.clearRequests();
	control.failNext({ operationId: 'user.getMany', status: 401, times });
	const count = (operationId: string) =>
		control.requests.filter((request) => request.operationId === operationId).length;
	return {
		run,
		counts: () => [count('user.getMany'), count('authentication.exchangeKey')],
	};
}

it('a key that every request is refused with is renewed four times', async () => {
	// One more request would succeed.
	const { run, counts } = await refusing(REQUESTS);
	await expect(run()).rejects.toMatchObject({
		message: 'Portal.io did not accept the credential',
		httpCode: '401',
	});
	expect(counts()).toEqual([REQUESTS, RENEWALS]);
});

it('the fourth new key is still tried', async () => {
	const { run, counts } = await refusing(REQUESTS - 1);
	expect(await run()).not.toEqual([]);
	expect(counts()).toEqual([REQUESTS, RENEWALS]);
});
