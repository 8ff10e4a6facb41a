import { path } from '../../../../client/encoding';
import type { ServiceRequest } from '../../../../client/request';

/** Assigns a contact to a proposal. The IDs are in the path and, as JSON, in the body. */
export const assignContactTo = (proposalId: number, contactId: number): ServiceRequest => ({
	method: 'POST',
	isRepeatable: true,
	path: path`/public/proposals/${proposalId}/contact/${contactId}`,
	json: { proposalId, contactId },
});

/** Assigns a location to a proposal. The IDs are in the path and, as JSON, in the body. */
export const assignLocationTo = (proposalId: number, locationId: number): ServiceRequest => ({
	method: 'POST',
	isRepeatable: true,
	path: path`/public/proposals/${proposalId}/location/${locationId}`,
	json: { proposalId, locationId },
});
