/** The hidden fields of the credential, should Portal.io sign in another way than this package assumes. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../../dev/simulator/index.mts';
import { runner, seed, startService } from './account.mts';

const JSON_TYPE = 'application/json';

/** Operations at a service of a test, with a credential that has these fields. */
async function start(settings: Partial<Settings>, fields: object = {}) {
	const { simulator, credential } = await startService(settings);
	onTestFinished(() => simulator.stop());
	return runner(() => credential('dealer', { ...fields }));
}

describe('a credential with signsQuery', () => {
	it('signs the query, at a service that wants it signed', async () => {
		const run = await start({ signsQuery: true }, { signsQuery: true });
		expect(await run('proposal.getMany', { limit: 2 })).toHaveLength(2);
		const { staleTheatre: proposalId } = seed.proposals;
		const updateFields = { name: 'Signed' };
		expect(await run('proposal.update', { proposalId, updateFields })).toMatchObject([
			{ name: 'Signed' },
		]);
	});

	it('names a wrong signature at the login where the query is signed otherwise', async () => {
		for (const signsQuery of [true, false]) {
			const run = await start({ signsQuery }, { signsQuery: !signsQuery });
			await expect(run('user.getMany')).rejects.toThrow(/refused the signature of the login/);
		}
	});
});

describe('a credential with deleteContentType', () => {
	const subscription = { url: 'http://127.0.0.1:9/hook', events: ['proposal.status_changed'] };
	const remove = async (fields: object) => {
		const run = await start({ deleteContentType: JSON_TYPE }, fields);
		const [{ subscriptionId }] = (await run('webhookSubscription.create', subscription)) as [
			{ subscriptionId: number },
		];
		return await run('webhookSubscription.delete', { subscriptionId });
	};

	it('sends and signs a DELETE without a body with this type', async () => {
		expect(await remove({ deleteContentType: JSON_TYPE })).toMatchObject([{ deleted: true }]);
		await expect(remove({})).rejects.toThrow('Portal.io did not accept the signature');
	});
});
