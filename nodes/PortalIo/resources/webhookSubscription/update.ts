import { EVENTS } from '../../../../client/model';
import { path } from '../../../../client/http/path';
import { subscriptionId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import {
	choicesOf,
	collectionOf,
	FieldError,
	idOf,
	optionalBooleanOf,
	textOf,
} from '../../shared/values';
import { description, events, url, urlOf } from './fields';

/** Public reference, 9.3. */
export const update: Operation = {
	name: 'Update',
	action: 'Update webhook subscription',
	description:
		'Change the address, events, description or enabled state of a subscription; what is left out keeps its value',
	mark: 'docs',
	fields: [
		subscriptionId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				description,
				{
					displayName: 'Enabled',
					name: 'enabled',
					type: 'boolean',
					default: true,
					description: 'Whether events are sent',
				},
				{ ...events, description: 'All events to be told about, in place of the present ones' },
				url,
			],
		},
	],
	request: (parameters) => {
		const given = collectionOf(parameters.updateFields);
		const form = {
			Url: given.url === undefined ? undefined : urlOf(given.url),
			Events:
				given.events === undefined
					? undefined
					: choicesOf(given.events, 'Events', Object.values(EVENTS)),
			Enabled: optionalBooleanOf(given.enabled, 'Enabled'),
			Description:
				given.description === undefined ? undefined : textOf(given.description, 'Description'),
		};
		if (form.Events?.length === 0) throw new FieldError('Events', 'is empty: choose at least one');
		if (Object.values(form).every((value) => value === undefined)) {
			throw new FieldError('Update Fields', 'is empty: add the fields that are to change');
		}
		return {
			method: 'POST',
			isRepeatable: true,
			path: path`/public/webhook/subscription/${idOf(parameters.subscriptionId, 'Subscription')}`,
			form,
		};
	},
};
