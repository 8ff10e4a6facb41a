import { path } from '../../../../service/path';
import { proposalId } from '../fields';
import type { Operation, Resource } from '../operation';
import { choiceOf, idOf } from '../values';

/** Path: specification, *Further operations*; alternate and body: public reference, 8.4. */
const generate: Operation = {
	name: 'Generate',
	action: 'Generate AI outline',
	description:
		'Start writing the outline of a proposal from its uploaded content, in place of any earlier one. It goes on after this step has ended.',
	mark: 'spec',
	fields: [proposalId],
	request: (parameters) => {
		const proposal = idOf(parameters.proposalId, 'Proposal');
		return {
			method: 'POST',
			path: '/public/ai/generate-outline',
			json: { proposalId: proposal },
			alternate: { path: path`/public/proposals/${proposal}/ai/outline` },
		};
	},
};

/** By outline: specification, *Further operations*; by proposal: public reference, 8.5. */
const get: Operation = {
	name: 'Get',
	action: 'Get AI outline',
	description: 'Read the outline of a proposal and its status. Changes nothing.',
	mark: 'spec',
	fields: [
		{
			displayName: 'Get By',
			name: 'getBy',
			type: 'options',
			options: [
				{ name: 'Outline', value: 'outline' },
				{ name: 'Proposal', value: 'proposal' },
			],
			default: 'proposal',
		},
		{ ...proposalId, displayOptions: { show: { getBy: ['proposal'] } } },
		{
			displayName: 'Outline',
			name: 'outlineId',
			type: 'resourceLocator',
			default: { mode: 'id', value: '' },
			required: true,
			description: 'The outline to read; Portal.io has no list of them',
			displayOptions: { show: { getBy: ['outline'] } },
			modes: [{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 12345' }],
		},
	],
	request: (parameters) => {
		const by = choiceOf(parameters.getBy ?? 'proposal', 'Get By', ['proposal', 'outline']);
		return {
			method: 'GET',
			path:
				by === 'outline'
					? path`/public/ai/outline/${idOf(parameters.outlineId, 'Outline')}`
					: path`/public/api/proposals/${idOf(parameters.proposalId, 'Proposal')}/ai/outline`,
		};
	},
};

/** The outline that is written from the content of a proposal (public reference, 8.4 and 8.5). */
export const aiOutline: Resource = { name: 'AI Outline', operations: { generate, get } };
