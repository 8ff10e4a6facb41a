import { path } from '../../../../client/http/path';
import { added } from '../../shared/field';
import { flag, updateFields } from '../../shared/fieldTypes';
import { subscriptionId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { toWire } from '../../shared/wire';
import { description, events, url } from './fields';

/** docs/portal-api.md#webhook-subscriptions */
export const update = operation({
	name: 'Update',
	action: 'Update webhook subscription',
	description:
		'Change the address, events, description or enabled state of a subscription; what is left out keeps its value',
	mark: 'docs',
	fields: {
		subscriptionId,
		updateFields: updateFields({
			description: added(description),
			enabled: flag('Enabled', { description: 'Whether events are sent' }),
			events: added(events, {
				description: 'All events to be told about, in place of the present ones',
			}),
			url: added(url),
		}),
	},
	request: ({ subscriptionId, updateFields }) => ({
		method: 'POST',
		isRepeatable: true,
		path: path`/public/webhook/subscription/${subscriptionId}`,
		form: toWire(updateFields),
	}),
});
