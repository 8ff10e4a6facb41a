/** What the user reads of each status of docs/dev/portal-api.md#errors, and by which input. */
import { beforeEach, describe, expect, it } from 'vitest';
import { fileService, restoredService, seed } from './account.mts';
import { skipWaits } from './waits.mts';
import { execute } from '../../dev/testbed/nodeRunner.mts';

skipWaits();
const service = fileService();
const proposalId = seed.proposals.staleTheater;
beforeEach(() => service.control.clearFaults());

it.each([
	[400, 'Portal.io did not accept the values of this request'],
	[401, 'Portal.io did not accept the credential'],
	[402, 'Your Portal.io subscription is inactive or expired'],
	[403, 'This Portal.io user does not have permission to do this'],
	[404, 'No record found with this ID'],
	[409, "The proposal's state prevents this change"],
])('shows %i: %s, with the words of the service', async (status, message) => {
	const body = {
		errorCode: 'ACode',
		message: 'Words of the service',
		status,
		responseStatus: { errors: [{ fieldName: 'AField', message: 'is odd', errorCode: 'Odd' }] },
	};
	service.control.failNext({ operationId: 'proposal.update', status, times: 5, body });
	const updateFields = { name: 'New' };
	await expect(service.run('proposal.update', { proposalId, updateFields })).rejects.toMatchObject({
		message,
		httpCode: String(status),
		context: { itemIndex: 0 },
		description: expect.stringMatching(/^Words of the service \(ACode\)\nAField: is odd/),
	});
});

it('fails each input with its index when the credential cannot be used', async () => {
	const output = await execute({
		credential: service.credential('dealer', { password: '' }),
		parameters: { resource: 'proposal', operation: 'getMany', limit: 1 },
		items: [{}, {}],
		continueOnFail: true,
	});
	const error = "Fill in the 'Password' of the credential";
	expect(output).toMatchObject([0, 1].map((item) => ({ json: { error }, pairedItem: { item } })));
});

it.each([
	['proposal', 'get'],
	['item', 'getMany'],
])('reads one proposal for several inputs at a time: %s.%s', async (resource, operation) => {
	const gate = service.control.hold('proposal.get');
	const output = execute({
		credential: service.account,
		parameters: { resource, operation, proposalId },
		items: [{}, {}, {}],
	});
	await Promise.race([gate.arrived(1), output]);
	// By the end of another execution, what does not wait for its turn has arrived too.
	await service.run('user.getMany');
	const { waiting } = gate;
	gate.release();
	expect((await output).map(({ pairedItem }) => pairedItem)).toContainEqual({ item: 2 });
	expect(waiting).toBe(3);
});

it('makes no change that waits behind one that has failed', async () => {
	service.control.clearRequests();
	service.control.failNext({ operationId: 'proposal.update', status: 400 });
	const output = execute({
		credential: service.account,
		parameters: {
			...{ resource: 'proposal', operation: 'update', proposalId },
			updateFields: { name: '={{ $itemIndex }}' },
		},
		items: [{}, {}, {}],
	});
	await expect(output).rejects.toMatchObject({ context: { itemIndex: 0 } });
	const sent = service.control.requests.map(({ operationId }) => operationId);
	expect(sent).toEqual(['proposal.update']);
});

describe.each(['framework', 'specification'] as const)('an error as the %s has it', (errors) => {
	const own = restoredService({ errors });

	it('is shown with the words of the service, once', async () => {
		const updateFields = { salesPersonId: seed.users.inactive };
		const failure = await own
			.run('proposal.update', { proposalId, updateFields })
			.catch((error: Error & { description: string }) => error);
		expect(failure).toMatchObject({
			message: 'No record found with this ID',
			description: expect.stringMatching(/^Salesperson not found\. \(NotFound\)(?!.*not found)/s),
		});
	});
});
