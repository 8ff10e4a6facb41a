import { contactId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { assign } from './assign';

/** docs/dev/portal-api.md#proposals */
export const assignContact = operation({
	name: 'Assign Contact',
	action: 'Assign contact to proposal',
	description:
		'Assign a contact to a proposal as its client, which replaces the current one. If the contact has exactly one primary location, Portal.io assigns it too and calculates the tax.',
	fields: { proposalId, contactId },
	request: ({ proposalId, contactId }) => assign(proposalId, 'contact', contactId),
});
