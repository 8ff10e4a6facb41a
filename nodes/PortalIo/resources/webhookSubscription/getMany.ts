import { paging } from '../../fields/lists';
import { operation } from '../../operation/operation';
import { subscriptionSchema } from './fields';

/** A bare list. docs/dev/portal-api.md#webhook-subscriptions */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many webhook subscriptions',
	description: 'Retrieve a list of webhook subscriptions',
	fields: paging,
	request: () => ({ method: 'GET', path: '/public/webhook/subscriptions' }),
	output: { list: ['subscriptions'], schema: subscriptionSchema },
});
