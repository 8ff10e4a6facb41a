import { EVENTS } from '../../../../client/model';
import type { Operation } from '../../shared/operation';
import { choicesOf, FieldError, optionalTextOf } from '../../shared/values';
import { description, events, url, urlOf } from './fields';

/** Specification, *Webhook subscriptions*; public reference, 9.1. */
export const create: Operation = {
	name: 'Create',
	action: 'Create webhook subscription',
	description:
		'Have events sent to an address. The answer holds the secret key of its signatures, which Portal.io shows only this once. To start a workflow, use the Portal.io Trigger instead.',
	mark: 'spec',
	fields: [{ ...url, required: true }, { ...events, required: true }, description],
	request: (parameters) => {
		const chosen = choicesOf(parameters.events, 'Events', Object.values(EVENTS));
		if (chosen.length === 0) throw new FieldError('Events', 'is empty: choose at least one');
		return {
			method: 'POST',
			path: '/public/webhook/subscribe',
			form: {
				Url: urlOf(parameters.url),
				Events: chosen,
				Description: optionalTextOf(parameters.description, 'Description'),
			},
		};
	},
};
