import { salesPersonId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { collectionOf, idOf, optionalTextOf } from '../../shared/values';

/** Public reference, 3.3. */
export const create: Operation = {
	name: 'Create',
	action: 'Create proposal',
	description: 'Create an empty proposal in Draft, owned by a salesperson',
	mark: 'docs',
	fields: [
		salesPersonId,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					description: 'Portal.io makes up a name when it is left out',
				},
			],
		},
	],
	request: (parameters) => ({
		method: 'POST',
		path: '/public/proposals',
		form: {
			SalesPersonId: idOf(parameters.salesPersonId, 'Salesperson'),
			Name: optionalTextOf(collectionOf(parameters.additionalFields).name, 'Name'),
		},
	}),
};
