import { listOf } from '../../shared/answers';
import { paging } from '../../shared/lists';
import { operation } from '../../shared/operation';

/** A bare list. docs/portal-api.md#webhook-subscriptions */
export const getMany = operation({
	name: 'Get Many',
	action: 'Get many webhook subscriptions',
	description: 'List who is told about which events. Changes nothing.',
	mark: 'spec',
	fields: paging,
	request: () => ({ method: 'GET', path: '/public/webhook/subscriptions' }),
	output: (answer) => ('subscriptionId' in answer ? answer : listOf(answer, 'subscriptions')),
});
