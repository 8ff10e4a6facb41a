import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../../client/encoding';
import { takeList } from '../../../../client/list';
import { proposalId } from '../../shared/locators';
import { operation } from '../../shared/operation';
import {
	FIRST_PAUSE_SECONDS,
	waitAtMost,
	waitingOptions,
	type Watch,
} from '../../shared/waitUntil';
import { listContent } from '../aiContent/getMany';
import { readOutline, outlineSchema } from './get';
import type { OperationRequest } from '../../unconfirmed/alternatePaths';

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
	execute: async (call) => {
		const { proposalId, options } = call.values;
		const generation: OperationRequest = {
			method: 'POST',
			path: '/public/ai/generate-outline',
			json: { proposalId },
			alternate: { path: path`/public/proposals/${proposalId}/ai/outline` },
		};
		if (!options.waitForCompletion) return await call.send(generation);
		const until = waitAtMost(call, options.maxWait);
		// Without transcribed content Portal.io refuses to begin.
		await until(contentIsTranscribed(proposalId));
		const answer = (await call.send(generation)) as IDataObject;
		await call.pause(FIRST_PAUSE_SECONDS);
		return { ...answer, ...(await until(outlineIsWritten(proposalId))) };
	},
	output: { schema: outlineSchema },
});

const contentIsTranscribed = (proposalId: number): Watch => ({
	what: 'The transcription of the content',
	request: listContent(proposalId),
	progress: (reading) => {
		const statuses = takeList(reading, 'items').map(({ status }) => String(status));
		const pending = statuses.find((status) => IN_TRANSCRIPTION.includes(status));
		return { state: pending === undefined ? 'done' : 'pending', status: pending ?? '' };
	},
});

const outlineIsWritten = (proposalId: number): Watch => ({
	what: 'The outline',
	request: readOutline(proposalId),
	progress: ({ status: reported }) => {
		const status = String(reported);
		if (status === 'Completed') return { state: 'done', status };
		return { state: hasFailed(status) ? 'failed' : 'pending', status };
	},
});

/** Whether a status says that something failed: Portal.io does not list the names of these. */
const hasFailed = (status: string) => /fail|error|invalid|cancel|reject/i.test(status);
