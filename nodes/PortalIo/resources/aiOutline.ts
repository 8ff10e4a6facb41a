/** See docs/dev/portal-api.md#ai-builder. */
import type { IDataObject } from 'n8n-workflow';
import { PortalError } from '../../../client/errors';
import { isRecord } from '../../../client/responseShape';
import { path, type ServiceRequest } from '../../../client/request';

import { showIf } from '../fields/declare';
import * as field from '../fields/fieldTypes';
import { locator, proposalId } from '../fields/locators';
import { joinWithAnd } from '../fields/fieldError';
import { truncateForMessage } from '../fields/parsers';
import { runOneRequest, defineOperation, type Resource } from '../operation/operation';
import { addDefaults, type RecordShape } from '../operation/output';
import { request } from '../operation/requests';
import { createWait, waitingOptions, type PendingWork } from '../operation/waitUntil';
import { aiPaths, readContent, contentRequest } from './aiPaths';

/** Fields of an outline. `outline` is null until Portal.io has completed the text. */
const outlineShape: RecordShape = {
	proposalId: 'integer',
	outlineId: 'integer',
	status: 'string',
	outline: 'string',
};

function readOutline(proposalId: number): ServiceRequest {
	const [first, ...alternates] = aiPaths(proposalId, 'outline');
	return { method: 'GET', ...first, alternates };
}

const getBy = field.choice(
	'Get By',
	[
		{ name: 'Outline', value: 'outline' },
		{ name: 'Proposal', value: 'proposal' },
	],
	{ default: 'proposal' },
);

const outlineId = locator('Outline', "The outline's ID, from the output of 'Generate'");

const get = defineOperation({
	name: 'Get',
	action: 'Get AI outline',
	description:
		"Retrieve a proposal's outline and its status. The outline is Markdown without a documented structure. To get rooms and items as fields, build the proposal first, then use 'Area: Get Many' and 'Item: Get Many'.",
	kind: 'read',
	fields: {
		getBy,
		proposalId: showIf('getBy', 'proposal', proposalId),
		outlineId: showIf('getBy', 'outline', outlineId),
	},
	run: runOneRequest(({ proposalId, outlineId }) =>
		proposalId === undefined
			? request.get(path`/public/ai/outline/${outlineId!}`)
			: readOutline(proposalId),
	),
	output: { asIs: outlineShape },
});

const generate = defineOperation({
	name: 'Generate',
	action: 'Generate AI outline for proposal',
	description:
		"Generate an outline from a proposal's uploaded content. Replaces the previous outline.",
	kind: 'change',
	// Use a separate queue, because an outline can take minutes, and changes to the proposal must not wait for it.
	queueKey: ({ proposalId }) => `outline ${proposalId}`,
	fields: { proposalId, options: waitingOptions('the outline is finished') },
	run: async (call) => {
		const { proposalId, options } = call.values;
		const start: ServiceRequest = {
			method: 'POST',
			path: '/public/ai/generate-outline',
			json: { proposalId },
			alternates: [{ path: path`/public/proposals/${proposalId}/ai/outline` }],
		};
		if (options.waitForCompletion !== true) return [await call.send(start)];
		const until = createWait(call, options.maxWait);
		// Wait for the transcription, which must be finished before Portal.io can start the outline.
		await until({
			what: 'The transcription of the content',
			read: async () => await call.send(contentRequest('GET', proposalId)),
			progress: (response) =>
				transcriptionProgress(readContent(response, call.baseUrl, proposalId)),
		});
		const read = async () => await call.readIfExists(readOutline(proposalId));
		const progress = outlineProgress(await read());
		const response = await call.send(start);
		const outline = await until({ what: 'The outline', read, progress });
		return [addDefaults(outline, isRecord(response) ? response : {})];
	},
	output: { asIs: outlineShape },
});

/**
 * Statuses of an unfinished transcription, including those from older pages of Portal.io's documentation. All other
 * statuses are final.
 */
const IN_TRANSCRIPTION = ['Uploaded', 'Processing', 'Transcribing'];

function transcriptionProgress(contents: IDataObject[]) {
	if (contents.length > 0 && contents.every(({ status }) => status === 'Invalid')) {
		throw new PortalError("Portal.io cannot use any of this proposal's content", {
			advice: [
				`These files have the status Invalid: ${joinWithAnd(contents.map(({ id, name }) => truncateForMessage(name ?? id)))}.`,
				'Upload other content, then run the step again.',
			],
		});
	}
	const statuses = contents.map(({ status }) => String(status));
	const status = statuses.find((status) => IN_TRANSCRIPTION.includes(status));
	return { isDone: status === undefined, status };
}

/** @param previousOutline outline before this one, which Portal.io might still return for a moment */
function outlineProgress(previousOutline: unknown): PendingWork['progress'] {
	const previousText = JSON.stringify(previousOutline);
	let isNew = false;
	return (response) => {
		// Keep waiting, because a response without a status is not an outline.
		if (!isRecord(response) || !('status' in response)) return {};
		isNew ||= JSON.stringify(response) !== previousText;
		if (!isNew) return {};
		const status = String(response.status);
		if (!FAILED.test(status)) return { isDone: status === 'Completed', status };
		throw new PortalError('Portal.io did not complete the outline', {
			advice: [`Its status is '${status}'. Check the uploaded content, then run the step again.`],
		});
	};
}

/** Pattern of statuses that mean failure. Portal.io documents only *Failed*, but might use other words. */
const FAILED = /fail|error|invalid|cancel|reject/i;

export const aiOutline: Resource = {
	name: 'AI Outline',
	description: "An outline that AI writes from a proposal's content",
	operations: { generate, get },
};
