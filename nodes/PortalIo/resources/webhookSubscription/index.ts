import type { Resource } from '../../operation/operation';
import { create } from './create';
import { deleteSubscription } from './delete';
import { getMany } from './getMany';
import { update } from './update';

/** Webhook subscriptions: which events are sent to which URL. */
export const webhookSubscription: Resource = {
	name: 'Webhook Subscription',
	description: 'An address that Portal.io sends events to',
	operations: { create, delete: deleteSubscription, getMany, update },
};
