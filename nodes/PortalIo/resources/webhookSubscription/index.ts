import type { Resource } from '../../shared/operation';
import { create } from './create';
import { deleteSubscription, getMany } from './existing';
import { update } from './update';

/** Who is told about changes (specification, *Webhook subscriptions*). */
export const webhookSubscription: Resource = {
	name: 'Webhook Subscription',
	operations: { create, delete: deleteSubscription, getMany, update },
};
