import type { INodeProperties } from 'n8n-workflow';
import { WEBHOOK_EVENTS } from '../../client/webhook';
import { outputField, statusesField } from '../shared/triggerFields';
import { MAX_TOLERANCE_SECONDS } from './deliverySignature';

export const properties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'Proposal Status Changed',
				value: WEBHOOK_EVENTS.proposalStatus,
				description:
					'A proposal was submitted, viewed, accepted, declined, or changed to another status',
			},
			{
				name: 'AI Build Status Changed',
				value: WEBHOOK_EVENTS.buildStatus,
				action: 'On AI build status changed',
				description: "A proposal's AI build finished or failed",
			},
			{
				name: 'AI Outline Status Changed',
				value: WEBHOOK_EVENTS.outlineStatus,
				action: 'On AI outline status changed',
				description: "A proposal's AI outline finished or failed",
			},
		],
		default: [WEBHOOK_EVENTS.proposalStatus],
	},
	statusesField({ events: [WEBHOOK_EVENTS.proposalStatus] }),
	outputField,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Additional Events',
				name: 'additionalEvents',
				type: 'string',
				default: '',
				description:
					'Identifiers of other Portal.io events, separated by commas. Publishing fails if Portal.io does not support all of them.',
			},
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				default: '',
				description:
					"Text that identifies the subscription in Portal.io. Defaults to 'n8n: ' and the workflow name.",
			},
			{
				displayName: 'Include Full Proposal',
				name: 'fetchProposal',
				type: 'boolean',
				default: true,
				description:
					"Whether to retrieve the full proposal. With 'Output' set to 'Simplified', this fills in fields that are otherwise empty. With any other 'Output', the full proposal is added to the output.",
			},
			{
				displayName: 'Max Event Age (Seconds)',
				name: 'toleranceSeconds',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: MAX_TOLERANCE_SECONDS },
				default: 300,
				description:
					'Maximum age of an event. Older events are rejected, because they might be replays.',
			},
		],
	},
];
