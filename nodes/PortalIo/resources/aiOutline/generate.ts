import type { IDataObject } from 'n8n-workflow';
import { path } from '../../../../client/encoding';
import { takeList } from '../../../../client/data';
import { statusOf } from '../../../../client/errors';
import { proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';
import {
	FIRST_PAUSE_SECONDS,
	waitAtMost,
	waitingOptions,
	type Watch,
} from '../../operation/waitUntil';
import { listContent } from '../aiContent/getMany';
import { readOutline, outlineSchema } from './get';
import type { OperationRequest } from '../../../../client/request';

/** The statuses of content that is still on its way, in old and new words; all others are final. */
const IN_TRANSCRIPTION = ['Uploaded', 'Processing', 'Transcribing'];

/** docs/dev/portal-api.md#ai-builder */
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
			alternates: [{ path: path`/public/proposals/${proposalId}/ai/outline` }],
		};
		if (!options.waitForCompletion) return await call.send(generation);
		const until = waitAtMost(call, options.maxWait);
		// Without transcribed content Portal.io refuses to begin.
		await until(contentIsTranscribed(proposalId));
		const earlier = await call.send(readOutline(proposalId)).catch(noneYet);
		const answer = (await call.send(generation)) as IDataObject;
		await call.pause(FIRST_PAUSE_SECONDS);
		return { ...answer, ...(await until(outlineIsWritten(proposalId, earlier))) };
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

/** @param earlier the outline that the new one replaces, which may still be returned for a moment */
function outlineIsWritten(proposalId: number, earlier: unknown): Watch {
	const replaced = JSON.stringify(earlier);
	let isNew = false;
	return {
		what: 'The outline',
		request: readOutline(proposalId),
		progress: (reading) => {
			// Something else than an outline says nothing of it.
			isNew ||= 'status' in reading && JSON.stringify(reading) !== replaced;
			if (!isNew) return { state: 'pending', status: '' };
			const status = String(reading.status);
			if (status === 'Completed') return { state: 'done', status };
			return { state: hasFailed(status) ? 'failed' : 'pending', status };
		},
	};
}

/** Reads as no outline where a proposal has none; throws any other failure. */
function noneYet(error: Error): undefined {
	if (statusOf(error) !== '404') throw error;
}

/** Whether a status says that something failed: *Failed* is documented, others may exist. */
const hasFailed = (status: string) => /fail|error|invalid|cancel|reject/i.test(status);
