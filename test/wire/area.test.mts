import { describe, expect, it } from 'vitest';
import { restoredService, runner, seed } from './account.mts';
// Changes of these concern this file, which runs their build (`npm run test:quick`).
import '../../nodes/PortalIo/resources/area/index.ts';

const service = restoredService();
const { run } = service;
const proposalId = seed.proposals.empty;

describe('area', () => {
	it('create: returns the new area with the ID of its first option', async () => {
		const output = await run('area.create', { proposalId, name: 'Küche & Bar' });
		const [area] = service.control.proposal(proposalId).areas;
		expect(area).toMatchObject({ name: 'Küche & Bar', options: [{ status: 'Draft' }] });
		expect(area.options).toHaveLength(1);
		expect(output).toEqual([
			{ id: area.id, proposalId, name: 'Küche & Bar', areaOptionId: area.options[0].id },
		]);
	});

	it('create: returns the new area also when the service trims its name', async () => {
		const [output] = await run('area.create', { proposalId, name: '  Loggia ' });
		const { areas } = service.control.proposal(proposalId);
		expect(output).toEqual({
			id: areas.at(-1).id,
			proposalId,
			name: 'Loggia',
			areaOptionId: areas.at(-1).options[0].id,
		});
	});

	it('create: returns the whole proposal without Simplify', async () => {
		const output = await run('area.create', { proposalId, name: 'Cellar', simplify: false });
		expect(output).toEqual([service.control.proposal(proposalId)]);
		expect(output[0]!.areas).toContainEqual(
			expect.objectContaining({
				name: 'Cellar',
				options: [expect.objectContaining({ status: 'Draft' })],
			}),
		);
	});

	it('create: 400 for a name that is taken, with the words of the service', async () => {
		await run('area.create', { proposalId, name: 'Küche & Bar' });
		await expect(run('area.create', { proposalId, name: 'Küche & Bar' })).rejects.toMatchObject({
			httpCode: '400',
			message: 'Portal.io did not accept the values of this request',
			description: expect.stringMatching(/Name/),
		});
	});

	it.each([
		['401', 'Portal.io refused the email or password', { password: 'wrong' }, 'dealer'],
		['402', 'The Portal.io subscription of this dealer is inactive', {}, 'lapsed'],
		['403', 'This Portal.io user does not have permission to do this', {}, 'restricted'],
		['404', 'No record found with this ID', {}, 'otherDealer'],
	] as const)('create: %s', async (_status, message, changes, account) => {
		const theirs = runner(() => service.credential(account, changes));
		await expect(theirs('area.create', { proposalId, name: 'No' })).rejects.toThrow(message);
	});

	it('create: 409 once the proposal is accepted', async () => {
		const accepted = seed.proposals.accepted;
		await expect(run('area.create', { proposalId: accepted, name: 'No' })).rejects.toMatchObject({
			httpCode: '409',
			message: "The proposal's state prevents this change",
		});
	});
});
