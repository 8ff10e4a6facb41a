import { path } from '../../../../client/http/path';
import type { Waiting } from '../../sendAndWait';
import { listOf } from '../../shared/answers';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import { hasFailed, waitingOptions } from '../../shared/waiting';
import { contentOf } from '../aiContent/contentOf';
import { outlineOf, outlineSchema } from './outlineOf';

/** The statuses of content that is still on its way, in old and new words; all others are final. */
const IN_TRANSCRIPTION = ['Uploaded', 'Processing', 'Transcribing'];

/** docs/portal-api.md#ai-builder */
export const generate = operation({
	name: 'Generate',
	action: 'Generate AI outline of proposal',
	description:
		"Generate the outline of a proposal from its uploaded content, which replaces an earlier one. Portal.io continues after this step, unless 'Wait for Completion' is on.",
	fields: {
		proposalId,
		options: waitingOptions('the content is transcribed and the outline is written from it'),
	},
	request: ({ proposalId }) => ({
		method: 'POST',
		path: '/public/ai/generate-outline',
		json: { proposalId },
		alternate: { path: path`/public/proposals/${proposalId}/ai/outline` },
	}),
	output: { schema: outlineSchema },
	wait: ({ proposalId, options: { maxWait, waitForCompletion } }) =>
		waitForCompletion ? untilWritten(proposalId, maxWait) : undefined,
});

const untilWritten = (proposal: number, maxSeconds: number): Waiting => ({
	maxSeconds,
	// Without transcribed content Portal.io refuses to begin.
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
});
