import { optional } from '../../shared/field';
import { operation } from '../../shared/operation';
import { filledTextOf } from '../../shared/values';
import { toWire } from '../../shared/wire';
import { description, events, subscriptionSchema, url } from './fields';

/** docs/portal-api.md#webhook-subscriptions */
export const create = operation({
	name: 'Create',
	action: 'Create webhook subscription',
	description:
		'Create a webhook subscription, which sends events to a URL. The output has the secret key for verifying signatures, which Portal.io returns only once. To start a workflow, use the Portal.io Trigger instead.',
	fields: { url, events, description: optional({ ...description, read: filledTextOf }) },
	request: (values) => ({
		method: 'POST',
		path: '/public/webhook/subscribe',
		form: toWire(values),
	}),
	output: { schema: { ...subscriptionSchema, secretKey: 'string' } },
});
