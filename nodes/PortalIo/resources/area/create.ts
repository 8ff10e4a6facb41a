import { path } from '../../../../client/http/path';
import { proposalId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { filledTextOf, idOf } from '../../shared/values';

/** Specification, *Further operations*; rules: public reference, 3.9. */
export const create: Operation = {
	name: 'Create',
	action: 'Create area',
	description:
		'Add an area, such as a room, to a proposal. It comes with one option to put items in.',
	mark: 'spec',
	fields: [
		proposalId,
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Living Room',
			required: true,
			description: 'A name that no other area of the proposal has',
		},
	],
	request: (parameters) => ({
		method: 'POST',
		path: path`/public/proposals/${idOf(parameters.proposalId, 'Proposal')}/area`,
		form: { Name: filledTextOf(parameters.name, 'Name') },
	}),
};
