import { path } from '../../../../client/http/path';
import { proposalId, salesPersonId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { collectionOf, FieldError, filledTextOf, idOf } from '../../shared/values';

/** Specification, *Update a proposal*. */
export const update: Operation = {
	name: 'Update',
	action: 'Update proposal',
	description:
		'Change the name or the salesperson of a proposal; what is left out keeps its value. Not possible once it is accepted, completed or declined.',
	mark: 'spec',
	fields: [
		proposalId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				{ displayName: 'Name', name: 'name', type: 'string', default: '' },
				{ ...salesPersonId, required: false },
			],
		},
	],
	request: (parameters) => {
		const { name, salesPersonId: owner } = collectionOf(parameters.updateFields);
		if (name === undefined && owner === undefined) {
			throw new FieldError('Update Fields', 'is empty: add the fields that are to change');
		}
		return {
			method: 'POST',
			isRepeatable: true,
			path: path`/public/proposals/${idOf(parameters.proposalId, 'Proposal')}`,
			form: {
				Name: name === undefined ? undefined : filledTextOf(name, 'Name'),
				SalesPersonId: owner === undefined ? undefined : idOf(owner, 'Salesperson'),
			},
		};
	},
};
