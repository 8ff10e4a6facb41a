import { additionalFields, text } from '../../shared/fieldTypes';
import { salesPersonId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';

/** docs/portal-api.md#proposals */
export const create = operation({
	name: 'Create',
	action: 'Create proposal',
	description: 'Create an empty proposal in Draft, owned by a salesperson',
	mark: 'docs',
	fields: {
		salesPersonId,
		additionalFields: additionalFields({
			name: text('Name', { description: 'Portal.io makes up a name when it is left out' }),
		}),
	},
	request: ({ salesPersonId, additionalFields: { name } }) => ({
		method: 'POST',
		path: '/public/proposals',
		form: toWire({ salesPersonId, name }),
	}),
});
