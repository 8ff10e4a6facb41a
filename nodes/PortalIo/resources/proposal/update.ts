import { path } from '../../../../client/http/path';
import { added } from '../../shared/field';
import { requiredText, updateFields } from '../../shared/fieldTypes';
import { proposalId, salesPersonId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';

/** docs/portal-api.md#proposals */
export const update = operation({
	name: 'Update',
	action: 'Update proposal',
	description:
		'Change the name or the salesperson of a proposal; what is left out keeps its value. Not possible once it is accepted, completed or declined.',
	mark: 'spec',
	fields: {
		proposalId,
		updateFields: updateFields({
			name: added(requiredText('Name')),
			salesPersonId: added(salesPersonId),
		}),
	},
	request: ({ proposalId, updateFields }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/proposals/${proposalId}`,
		form: toWire(updateFields),
	}),
});
