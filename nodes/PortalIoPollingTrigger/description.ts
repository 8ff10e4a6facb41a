import type { INodeProperties } from 'n8n-workflow';
import { outputField, statusesField } from '../shared/triggerFields';
import { pollEvents, type PollEvent } from './pollEvents';

const selectEventNames = (isMeant: (event: PollEvent) => unknown): string[] =>
	Object.keys(pollEvents).filter((value) => isMeant(pollEvents[value]!));

export const properties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: Object.entries(pollEvents).map(([value, { name, description }]) => ({
			name,
			value,
			description,
		})),
		default: 'proposalStatusChanged',
	},
	statusesField({ event: selectEventNames(({ statusField }) => statusField === 'statuses') }),
	statusesField(
		{ event: selectEventNames(({ statusField }) => statusField === 'paymentStatuses') },
		'paymentStatuses',
	),
	outputField,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		displayOptions: {
			show: { event: selectEventNames(({ canIncludeProposal }) => canIncludeProposal) },
		},
		default: {},
		options: [
			{
				displayName: 'Include Full Proposal',
				name: 'fetchProposal',
				type: 'boolean',
				default: true,
				description:
					"Whether to retrieve the full proposal. With 'Output' set to 'Simplified', this fills in fields that are otherwise empty, such as the salesperson. With any other 'Output', the full proposal is added to the output.",
			},
		],
	},
];
