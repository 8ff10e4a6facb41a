import { path } from '../../../../client/encoding';
import type { ServiceRequest } from '../../../../client/request';
import { FieldError } from '../../fields/values';

/** Assigns a contact or a location to a proposal. The IDs are in the path and, as JSON, in the body. */
export const assign = (
	proposalId: number,
	what: 'contact' | 'location',
	id: number,
): ServiceRequest => ({
	method: 'POST',
	isRepeatable: true,
	path: path`/public/proposals/${proposalId}/${what}/${id}`,
	json: { proposalId, [`${what}Id`]: id },
});

/** @throws FieldError for a location without its contact */
export function assertContact(given: { contactId?: number; locationId?: number }): void {
	if (given.locationId === undefined || given.contactId !== undefined) return;
	throw new FieldError('Contact', 'is empty: choose a contact before a location');
}
