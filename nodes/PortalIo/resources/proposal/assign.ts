/** See docs/dev/portal-api.md#proposals. */
import { path, type ServiceRequest } from '../../../../client/request';
import { contactId, locationId, proposalId } from '../../fields/locators';
import { readUpdatedProposal } from '../../operation/changedRecords';
import { runOneRequest, defineOperation } from '../../operation/operation';
import { proposalOutput } from '../outputs';

export type Assignee = 'contact' | 'location';

/**
 * Returns the request that assigns a contact or location. Portal.io requires the IDs both in the path and in a JSON
 * body.
 */
export const assignRequest = (proposalId: number, what: Assignee, id: number): ServiceRequest => ({
	method: 'POST',
	isRepeatable: true,
	path: path`/public/proposals/${proposalId}/${what}/${id}`,
	json: { proposalId, [`${what}Id`]: id },
});

export const assignContact = defineOperation({
	name: 'Assign Contact',
	action: 'Assign contact to proposal',
	description:
		'Assign a contact to a proposal as its client, in place of the current one. If the contact has exactly one primary location, Portal.io also assigns it and calculates the tax.',
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId, contactId },
	run: runOneRequest(({ proposalId, contactId }) =>
		assignRequest(proposalId, 'contact', contactId),
	),
	output: { confirms: 'success' },
});

export const assignLocation = defineOperation({
	name: 'Assign Location',
	action: 'Assign location to proposal',
	description:
		'Assign a location to a proposal. Portal.io then calculates the sales tax. Assign a contact first.',
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId, locationId },
	run: async (call) => {
		const { proposalId, locationId } = call.values;
		const response = await call.send(assignRequest(proposalId, 'location', locationId));
		return [await readUpdatedProposal(call, proposalId, response)];
	},
	output: proposalOutput,
});
