import { path } from '../../../../client/http/path';
import { listOf } from '../../shared/answers';
import { proposalId } from '../../shared/fields';
import type { Operation, Resource } from '../../shared/operation';
import { choiceOf, idOf } from '../../shared/values';
import { hasFailed, maxSecondsOf, waitingOptions } from '../../shared/waiting';

/** Contents on their way (public reference, 8.1, old and new); all other statuses are final. */
const IN_TRANSCRIPTION = ['Uploaded', 'Processing', 'Transcribing'];

const outlineOf = (proposal: number) => ({
	method: 'GET' as const,
	path: path`/public/api/proposals/${proposal}/ai/outline`,
});
const contentOf = (proposal: number) => ({
	method: 'GET' as const,
	path: '/public/ai/content',
	query: { ProposalId: proposal },
	alternate: { path: path`/public/api/proposals/${proposal}/ai/content` },
});

/** Path: specification, *Further operations*; alternate and body: public reference, 8.4. */
const generate: Operation = {
	name: 'Generate',
	action: 'Generate AI outline',
	description:
		'Start writing the outline of a proposal from its uploaded content, in place of any earlier one. It goes on after this step has ended, unless it is told to wait for it.',
	mark: 'spec',
	fields: [
		proposalId,
		waitingOptions('the content is transcribed and the outline is written from it'),
	],
	request: (parameters) => {
		const proposal = idOf(parameters.proposalId, 'Proposal');
		return {
			method: 'POST',
			path: '/public/ai/generate-outline',
			json: { proposalId: proposal },
			alternate: { path: path`/public/proposals/${proposal}/ai/outline` },
		};
	},
	wait: (parameters) => {
		const maxSeconds = maxSecondsOf(parameters);
		if (maxSeconds === undefined) return undefined;
		const proposal = idOf(parameters.proposalId, 'Proposal');
		return {
			maxSeconds,
			// Without transcribed content Portal.io refuses to begin (public reference, 8.7).
			before: {
				what: 'The transcription of the content',
				request: contentOf(proposal),
				progress: (reading) => {
					const statuses = listOf(reading, 'items').map(({ status }) => String(status));
					const pending = statuses.find((status) => IN_TRANSCRIPTION.includes(status));
					return { state: pending === undefined ? 'done' : 'pending', status: pending ?? '' };
				},
			},
			after: {
				what: 'The outline',
				request: outlineOf(proposal),
				progress: ({ status: reported }) => {
					const status = String(reported);
					if (status === 'Completed') return { state: 'done', status };
					return { state: hasFailed(status) ? 'failed' : 'pending', status };
				},
			},
			result: (answer, reading) => ({ ...answer, ...reading }),
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
		if (by === 'proposal') return outlineOf(idOf(parameters.proposalId, 'Proposal'));
		const outline = idOf(parameters.outlineId, 'Outline');
		return { method: 'GET', path: path`/public/ai/outline/${outline}` };
	},
};

/** The outline that is written from the content of a proposal (public reference, 8.4 and 8.5). */
export const aiOutline: Resource = { name: 'AI Outline', operations: { generate, get } };
