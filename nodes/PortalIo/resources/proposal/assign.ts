import { contactId, locationId, proposalId } from '../../fields/locators';
import { FieldError, oneRequest, operation, path, proposalOutput } from '../kit';
import type { ServiceRequest } from '../kit';

/** The IDs are in the path and, as JSON, in the body. */
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

/** docs/dev/portal-api.md#proposals */
export const assignContact = operation({
	name: 'Assign Contact',
	action: 'Assign contact to proposal',
	description:
		'Assign a contact to a proposal as its client, which replaces the current one. If the contact has exactly one primary location, Portal.io assigns it too and calculates the tax.',
	fields: { proposalId, contactId },
	run: oneRequest(({ proposalId, contactId }) => assign(proposalId, 'contact', contactId)),
});

/** docs/dev/portal-api.md#proposals */
export const assignLocation = operation({
	name: 'Assign Location',
	action: 'Assign location to proposal',
	description:
		'Assign a location to a proposal. Portal.io then calculates the sales tax. Assign a contact first.',
	fields: { proposalId, locationId },
	run: oneRequest(({ proposalId, locationId }) => assign(proposalId, 'location', locationId)),
	output: proposalOutput,
});
