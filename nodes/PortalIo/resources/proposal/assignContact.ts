import { path } from '../../../../client/http/path';
import { contactId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';

/** The IDs are in the path and, as JSON, in the body. docs/portal-api.md#proposals */
export const assignContact = operation({
	name: 'Assign Contact',
	action: 'Assign contact to proposal',
	description:
		'Make a contact the customer of a proposal, in place of any other. A contact with one primary location brings it along, which calculates the tax.',
	mark: 'docs',
	fields: { proposalId, contactId },
	request: ({ proposalId, contactId }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/contact/${contactId}`,
		json: { proposalId, contactId },
	}),
});
