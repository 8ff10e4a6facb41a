/** What the user reads of each status of docs/portal-api.md#errors. */
import { beforeEach, expect, it } from 'vitest';
import { fileService, seed } from './account.mts';
import { skipWaits } from './waits.mts';

skipWaits();
const service = fileService();
const proposalId = seed.proposals.staleTheatre;
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
