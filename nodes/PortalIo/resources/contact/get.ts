import { path } from '../../../../client/http/path';
import { contactId, simplify } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { collectionOf, idOf, optionalBooleanOf } from '../../shared/values';
import { simplifyContact } from './simplify';

/** Public reference, 5.2. */
export const get: Operation = {
	name: 'Get',
	action: 'Get contact',
	description: 'Read one contact: names, e-mail, phone, locations. Changes nothing.',
	mark: 'docs',
	fields: [
		contactId,
		simplify,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'Include Counts',
					name: 'includeCounts',
					type: 'boolean',
					default: true,
					description:
						'Whether to count the proposals and payments of the contact; turn off Simplify to see them',
				},
			],
		},
	],
	request: (parameters) => ({
		method: 'GET',
		path: path`/public/people/${idOf(parameters.contactId, 'Contact')}`,
		query: {
			IncludeCounts: optionalBooleanOf(
				collectionOf(parameters.options).includeCounts,
				'Include Counts',
			),
		},
	}),
	output: (answer, { simplify: simple }) => (simple ? simplifyContact(answer) : answer),
};
