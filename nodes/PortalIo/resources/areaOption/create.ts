import { path } from '../../../../client/http/path';
import { areaId, proposalId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { collectionOf, idOf, optionalTextOf } from '../../shared/values';

/** Public reference, 3.10. */
export const create: Operation = {
	name: 'Create',
	action: 'Create area option',
	description:
		'Add an alternative to an area of a proposal, for the customer to choose from. An area takes three at the most.',
	mark: 'docs',
	fields: [
		proposalId,
		areaId,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				{
					displayName: 'Client Description',
					name: 'clientDescription',
					type: 'string',
					typeOptions: { rows: 4 },
					default: '',
					description: 'What the customer reads about this option',
				},
				{
					displayName: 'Internal Notes',
					name: 'internalNotes',
					type: 'string',
					typeOptions: { rows: 4 },
					default: '',
					description: 'What the installers read about this option',
				},
			],
		},
	],
	request: (parameters) => {
		const { clientDescription, internalNotes } = collectionOf(parameters.additionalFields);
		const proposal = idOf(parameters.proposalId, 'Proposal');
		return {
			method: 'POST',
			path: path`/public/proposals/${proposal}/area/${idOf(parameters.areaId, 'Area')}/option`,
			form: {
				ClientDescription: optionalTextOf(clientDescription, 'Client Description'),
				InternalNotes: optionalTextOf(internalNotes, 'Internal Notes'),
			},
		};
	},
};
