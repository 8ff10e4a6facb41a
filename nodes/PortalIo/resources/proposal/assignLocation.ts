import { proposalShape } from '../../../shared/proposal';
import { simplify } from '../../fields/lists';
import { locationId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import { assign } from './assign';

/** docs/dev/portal-api.md#proposals */
export const assignLocation = operation({
	name: 'Assign Location',
	action: 'Assign location to proposal',
	description:
		'Assign a location to a proposal. Portal.io then calculates the sales tax. Assign a contact first.',
	fields: { proposalId, locationId, simplify },
	request: ({ proposalId, locationId }) => assign(proposalId, 'location', locationId),
	output: { shape: proposalShape },
});
