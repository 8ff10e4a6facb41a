import { optional } from '../../shared/field';
import { operation } from '../../shared/operation';
import { filledTextOf } from '../../shared/values';
import { toWire } from '../../shared/wire';
import { description, events, url } from './fields';

/** docs/portal-api.md#webhook-subscriptions */
export const create = operation({
	name: 'Create',
	action: 'Create webhook subscription',
	description:
		'Have events sent to an address. The answer holds the secret key of its signatures, which Portal.io shows only this once. To start a workflow, use the Portal.io Trigger instead.',
	mark: 'spec',
	fields: { url, events, description: optional({ ...description, read: filledTextOf }) },
	request: (values) => ({
		method: 'POST',
		path: '/public/webhook/subscribe',
		form: toWire(values),
	}),
});
