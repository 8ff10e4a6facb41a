import { path } from '../../../../client/http/path';
import { locationId, proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';

/** The IDs are in the path and, as JSON, in the body. docs/portal-api.md#proposals */
export const assignLocation = operation({
	name: 'Assign Location',
	action: 'Assign location to proposal',
	description:
		'Set the site of a proposal to a location of its customer, which calculates the sales tax. A contact must be assigned before.',
	mark: 'docs',
	fields: { proposalId, locationId },
	request: ({ proposalId, locationId }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}/location/${locationId}`,
		json: { proposalId, locationId },
	}),
});
