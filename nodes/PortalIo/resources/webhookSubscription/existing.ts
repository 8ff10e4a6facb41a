import { path } from '../../../../client/http/path';
import { listOf } from '../../shared/answers';
import { paging, subscriptionId } from '../../shared/fields';
import type { Operation } from '../../shared/operation';
import { idOf } from '../../shared/values';

/** Specification, *Webhook subscriptions*; a bare array (public reference, 9.2). */
export const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many webhook subscriptions',
	description: 'List who is told about which events. Changes nothing.',
	mark: 'spec',
	fields: paging,
	request: () => ({ method: 'GET', path: '/public/webhook/subscriptions' }),
	output: (answer) => ('subscriptionId' in answer ? answer : listOf(answer, 'subscriptions')),
};

/** Specification, *Webhook subscriptions*. */
export const deleteSubscription: Operation = {
	name: 'Delete',
	action: 'Delete webhook subscription',
	description:
		'Delete a subscription for good. A workflow whose trigger made it gets no more events.',
	mark: 'spec',
	fields: [subscriptionId],
	request: (parameters) => ({
		method: 'DELETE',
		path: path`/public/webhook/unsubscribe/${idOf(parameters.subscriptionId, 'Subscription')}`,
	}),
};
