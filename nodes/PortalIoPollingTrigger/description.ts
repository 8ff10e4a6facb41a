import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { outputField, statusesField } from '../shared/triggerFields';

/** The most used events come first. */
const eventOptions: INodePropertyOptions[] = [
	{
		name: 'Proposal Status Changed',
		value: 'proposalStatusChanged',
		description:
			'A proposal was submitted, viewed, accepted, declined or changed to another status',
	},
	{
		name: 'Proposal Created',
		value: 'proposalCreated',
		description: 'A proposal was created',
	},
	{
		name: 'Proposal Updated',
		value: 'proposalUpdated',
		description:
			"A proposal was changed in any way, including its status. A workflow that changes proposals can trigger itself in a loop: turn on 'Ignore Own Changes'.",
	},
	{
		name: 'Payment Status Changed',
		value: 'paymentStatusChanged',
		description: 'A payment request was submitted, paid, refunded or changed to another status',
	},
	{
		name: 'Change Order Status Changed',
		value: 'changeOrderStatusChanged',
		description: 'A change order was submitted, accepted, declined or changed to another status',
	},
	{
		name: 'Contact Created or Updated',
		value: 'contactCreatedOrUpdated',
		description: 'A contact was created or changed',
	},
];

export const properties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: eventOptions,
		default: 'proposalStatusChanged',
	},
	statusesField({ event: ['changeOrderStatusChanged', 'proposalStatusChanged'] }),
	statusesField({ event: ['paymentStatusChanged'] }, 'paymentStatuses'),
	outputField,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		displayOptions: {
			show: { event: ['proposalCreated', 'proposalStatusChanged', 'proposalUpdated'] },
		},
		default: {},
		options: [
			{
				displayName: 'Ignore Own Changes',
				name: 'ignoreOwnChanges',
				type: 'boolean',
				displayOptions: { show: { '/event': ['proposalUpdated'] } },
				default: true,
				description:
					"Whether to ignore proposals that the credential's user modified last, for example in this workflow. Requires a separate Portal.io user for n8n, with a unique name.",
			},
			{
				displayName: 'Include Full Proposal',
				name: 'fetchProposal',
				type: 'boolean',
				default: true,
				description:
					"Whether to retrieve the full proposal. With 'Output' set to 'Simplified', it fills the fields that lists leave empty, such as the salesperson. Otherwise, it is added to the item.",
			},
		],
	},
];
