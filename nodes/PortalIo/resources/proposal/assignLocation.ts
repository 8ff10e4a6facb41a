import { path } from '../../../../client/http/path';
import { locator, proposalId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { idOf } from '../../shared/values';

/** Public reference, 3.8: the IDs stand in the path and, as JSON, in the body. */
export const assignLocation: Operation = {
	name: 'Assign Location',
	action: 'Assign location to proposal',
	description:
		'Set the site of a proposal to a location of its customer, which calculates the sales tax. A contact must be assigned before.',
	mark: 'docs',
	fields: [
		proposalId,
		locator({
			displayName: 'Location',
			name: 'locationId',
			description: 'A location of the contact that is assigned to the proposal',
			listMethod: 'searchProposalLocations',
			searchable: false,
			dependsOn: ['proposalId.value'],
		}),
	],
	request: (parameters) => {
		const ids = {
			proposalId: idOf(parameters.proposalId, 'Proposal'),
			locationId: idOf(parameters.locationId, 'Location'),
		};
		return {
			method: 'POST',
			isRepeatable: true,
			path: path`/public/proposals/${ids.proposalId}/location/${ids.locationId}`,
			json: ids,
		};
	},
};
