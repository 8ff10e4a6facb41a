import type { INodeProperties } from 'n8n-workflow';

/** The parameters of the polling trigger. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Change Order Status Changed',
				value: 'changeOrderStatusChanged',
				description: 'A change order was submitted, accepted, declined and so on',
			},
			{
				name: 'Contact Created or Updated',
				value: 'contactCreatedOrUpdated',
				description: 'A contact is new, or something about it has changed',
			},
			{
				name: 'Payment Status Changed',
				value: 'paymentStatusChanged',
				description: 'A payment request was submitted, paid, refunded and so on',
			},
			{
				name: 'Proposal Created',
				value: 'proposalCreated',
				description: 'A proposal is new',
			},
			{
				name: 'Proposal Status Changed',
				value: 'proposalStatusChanged',
				description: 'A proposal was submitted, viewed, accepted, declined and so on',
			},
			{
				name: 'Proposal Updated',
				value: 'proposalUpdated',
				description: 'Something about a proposal has changed, its status included',
			},
		],
		default: 'proposalStatusChanged',
	},
];
