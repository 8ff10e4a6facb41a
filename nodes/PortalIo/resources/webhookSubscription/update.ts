import { path } from '../../../../client/encoding';
import { added } from '../../fields/field';
import { requiredFlag, updateFields } from '../../fields/types';
import { subscriptionId } from '../../fields/locators';
import { operation, toPascalCase } from '../../operation/operation';
import { description, events, subscriptionSchema, url } from './fields';

/** docs/dev/portal-api.md#webhook-subscriptions */
export const update = operation({
	name: 'Update',
	action: 'Update webhook subscription',
	description:
		'Update the URL, events or description of a webhook subscription, or turn it on or off. Fields that are not added keep their value.',
	fields: {
		subscriptionId,
		updateFields: updateFields({
			description: added(description),
			enabled: added(requiredFlag('Enabled', { description: 'Whether events are sent' })),
			events: added(events, {
				description: 'All events to send, which replace the current ones',
			}),
			url: added(url),
		}),
	},
	request: ({ subscriptionId, updateFields }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/webhook/subscription/${subscriptionId}`,
		form: toPascalCase(updateFields),
	}),
	output: { schema: subscriptionSchema },
});
