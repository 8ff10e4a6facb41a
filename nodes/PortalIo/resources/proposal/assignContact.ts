import { path } from '../../../../client/http/path';
import { contactId, proposalId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { idOf } from '../../shared/values';

/** Public reference, 3.7: the IDs stand in the path and, as JSON, in the body. */
export const assignContact: Operation = {
	name: 'Assign Contact',
	action: 'Assign contact to proposal',
	description:
		'Make a contact the customer of a proposal, in place of any other. A contact with one primary location brings it along, which calculates the tax.',
	mark: 'docs',
	fields: [proposalId, contactId],
	request: (parameters) => {
		const ids = {
			proposalId: idOf(parameters.proposalId, 'Proposal'),
			contactId: idOf(parameters.contactId, 'Contact'),
		};
		return {
			method: 'POST',
			isRepeatable: true,
			path: path`/public/proposals/${ids.proposalId}/contact/${ids.contactId}`,
			json: ids,
		};
	},
};
