import { optional } from '../../fields/field';
import { notice } from '../../fields/types';
import { operation, toPascalCase } from '../../operation/operation';
import { description, events, subscriptionSchema, url } from './fields';

/** docs/dev/portal-api.md#webhook-subscriptions */
export const create = operation({
	name: 'Create',
	action: 'Create webhook subscription',
	description:
		'Create a webhook subscription, which sends events to a URL. To start a workflow, use the Portal.io Trigger instead.',
	fields: {
		secretNotice: notice(
			'The output has the secret key for verifying signatures. Portal.io returns it only once.',
		),
		url,
		events,
		description: optional(description),
	},
	request: ({ url, events, description: text }) => ({
		method: 'POST',
		path: '/public/webhook/subscribe',
		form: toPascalCase({ url, events, description: text }),
	}),
	output: { schema: { ...subscriptionSchema, secretKey: 'string' } },
});
