import type { INodeProperties } from 'n8n-workflow';
import { EVENTS, PROPOSAL_STATUSES } from '../../client/model';
import { choices } from '../shared/labels';
import { MAX_TOLERANCE_SECONDS } from './verify';

/** The parameters of the trigger. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'Build Status Changed',
				value: EVENTS.buildStatus,
				description: 'The building of a proposal from its outline finished or failed',
			},
			{
				name: 'Outline Status Changed',
				value: EVENTS.outlineStatus,
				description: 'The outline of a proposal finished or failed',
			},
			{
				name: 'Proposal Status Changed',
				value: EVENTS.proposalStatus,
				description: 'A proposal was submitted, viewed, accepted, declined and so on',
			},
		],
		default: [EVENTS.proposalStatus],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				default: '',
				description: 'How the subscription is called in Portal.io; the workflow name by default',
			},
			{
				displayName: 'Fetch Proposal',
				name: 'fetchProposal',
				type: 'boolean',
				default: false,
				description: 'Whether to read the proposal in full and put it beside the event',
			},
			{
				displayName: 'Signature Tolerance (Seconds)',
				name: 'toleranceSeconds',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: MAX_TOLERANCE_SECONDS },
				default: 300,
				description: 'How old a delivery may be; an older one is refused, as it may be a replay',
			},
			{
				displayName: 'Statuses',
				name: 'statuses',
				type: 'multiOptions',
				options: choices(PROPOSAL_STATUSES),
				default: [],
				description: 'Start only when a proposal reaches one of these statuses; empty for all',
			},
		],
	},
];
