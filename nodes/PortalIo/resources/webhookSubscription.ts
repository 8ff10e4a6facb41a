/** See docs/dev/portal-api.md#webhook-subscriptions. */
import { path } from '../../../client/request';
import { WEBHOOK_EVENTS } from '../../../client/webhook';

import * as collection from '../fields/collections';
import { atLeastOne, withDescription, allowBlank } from '../fields/declare';
import type { Field } from '../fields/field';
import * as field from '../fields/fieldTypes';
import { paging } from '../fields/listFields';
import { subscriptionId } from '../fields/locators';
import { ValueError } from '../fields/fieldError';
import { parseText } from '../fields/parsers';
import { runOneRequest, defineOperation, type Resource } from '../operation/operation';
import type { RecordShape } from '../operation/output';
import { request } from '../operation/requests';

const subscription: RecordShape = {
	subscriptionId: 'integer',
	url: 'string',
	description: 'string',
	enabled: 'boolean',
	events: 'array',
};

const urlText = field.requiredText('URL', {
	placeholder: 'e.g. https://example.com/portal-io',
	description: 'An https:// URL that Portal.io can reach',
});

/** URL that receives events. Portal.io itself checks whether it can reach the URL. */
const url: Field<string> = {
	...urlText,
	parse: (value) => {
		const text = parseText(value).trim();
		if (URL.canParse(text) && /^https?:/i.test(text)) return text;
		throw new ValueError('must be a full URL, such as https://example.com/portal-io');
	},
};

/** Events to send. Expressions can also contain other events. */
const events = atLeastOne(
	field.openChoices(
		'Events',
		[
			{ name: 'AI Build Status Changed', value: WEBHOOK_EVENTS.buildStatus },
			{ name: 'AI Outline Status Changed', value: WEBHOOK_EVENTS.outlineStatus },
			{ name: 'Proposal Status Changed', value: WEBHOOK_EVENTS.proposalStatus },
		],
		{ default: [WEBHOOK_EVENTS.proposalStatus] },
	),
);

/** Description of the subscription. Users cannot clear it, because Portal.io's framework ignores an empty value. */
const description = field.requiredText('Description', {
	description: 'Identifies the subscription in Portal.io',
});

const create = defineOperation({
	name: 'Create',
	action: 'Create webhook subscription',
	description:
		'Create a webhook subscription that sends events to a URL. To start a workflow, use the Portal.io Trigger instead.',
	kind: 'change',
	queue: 'none',
	fields: {
		secretNotice: field.notice(
			'The output contains the secret key for verifying signatures. Portal.io returns it only once.',
		),
		url,
		events,
		description: allowBlank(description),
	},
	run: runOneRequest(({ url, events, description }) =>
		request.post('/public/webhook/subscribe', { url, events, description }),
	),
	output: { asIs: { ...subscription, secretKey: 'string' } },
});

const deleteSubscription = defineOperation({
	name: 'Delete',
	action: 'Delete webhook subscription',
	description:
		'Permanently delete a webhook subscription. A trigger that uses it stops receiving events.',
	kind: 'change',
	queue: 'subscriptionId',
	fields: { subscriptionId },
	run: runOneRequest(({ subscriptionId }) =>
		request.delete(path`/public/webhook/unsubscribe/${subscriptionId}`),
	),
	output: { confirms: 'deleted' },
});

const getMany = defineOperation({
	name: 'Get Many',
	action: 'Get many webhook subscriptions',
	description: 'Retrieve a list of webhook subscriptions',
	kind: 'read',
	fields: paging,
	run: runOneRequest(() => request.get('/public/webhook/subscriptions'), {
		list: ['subscriptions'],
	}),
	output: { asIs: subscription },
});

const update = defineOperation({
	name: 'Update',
	action: 'Update webhook subscription',
	description: "Update a webhook subscription's URL, events, or description, or turn it on or off",
	kind: 'change',
	queue: 'subscriptionId',
	fields: {
		subscriptionId,
		updateFields: collection.updateFields({
			description,
			enabled: field.requiredFlag('Enabled', {
				description: 'Whether Portal.io sends events to the URL',
			}),
			events: withDescription(
				events,
				'Events that Portal.io sends from now on, in place of the current ones',
			),
			url,
		}),
	},
	run: runOneRequest(({ subscriptionId, updateFields }) =>
		request.repeatablePost(path`/public/webhook/subscription/${subscriptionId}`, updateFields),
	),
	output: { asIs: subscription },
});

export const webhookSubscription: Resource = {
	name: 'Webhook Subscription',
	description: 'A subscription that makes Portal.io send events to a URL',
	operations: { create, delete: deleteSubscription, getMany, update },
};
