/** docs/dev/portal-api.md#ai-builder */
import type { IDataObject } from 'n8n-workflow';
import { takeList } from '../../../client/response';
import { startWork, waitingOptions, type Watch } from '../operation/waitUntil';
import { listContent } from './aiContent';
import { aiPaths } from './aiPaths';
import { field, locator, oneRequest, operation, path, proposalId, request, statusOf } from './kit';
import type { Resource, ServiceRequest, Shape } from './kit';

/** The fields of an outline; its text is null until it is completed. */
const outline: Shape = {
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

const outlineId = locator('Outline', "Its ID is in the output of 'Generate'");

const get = operation({
	name: 'Get',
	action: 'Get AI outline',
	description: 'Retrieve the outline of a proposal and its status',
	fields: {
		getBy,
		proposalId: field.shownIf('getBy', 'proposal', proposalId),
		outlineId: field.shownIf('getBy', 'outline', outlineId),
	},
	run: oneRequest(({ proposalId, outlineId }) =>
		proposalId === undefined
			? request.get(path`/public/ai/outline/${outlineId!}`)
			: readOutline(proposalId),
	),
	output: { asIs: outline },
});

/** Documented statuses before the transcription is done, old and new; all others are final. */
const IN_TRANSCRIPTION = ['Uploaded', 'Processing', 'Transcribing'];

const generate = operation({
	name: 'Generate',
	action: 'Generate AI outline of proposal',
	description:
		"Generate a proposal's outline from its uploaded content. Replaces an earlier outline.",
	fields: { proposalId, options: waitingOptions('the outline is written') },
	run: async (call) => {
		const { proposalId } = call.values;
		const { response, reading } = await startWork(call, {
			start: {
				method: 'POST',
				path: '/public/ai/generate-outline',
				json: { proposalId },
				alternates: [{ path: path`/public/proposals/${proposalId}/ai/outline` }],
			},
			// Portal.io does not start without transcribed content.
			before: {
				what: 'The transcription of the content',
				request: listContent(proposalId),
				progress: (reading) => {
					const statuses = takeList(reading, 'items').map(({ status }) => String(status));
					const pending = statuses.find((status) => IN_TRANSCRIPTION.includes(status));
					return { isDone: pending === undefined, status: pending };
				},
			},
			end: async () => {
				const earlier = await call.send(readOutline(proposalId)).catch((error: Error) => {
					if (statusOf(error) !== '404') throw error;
				});
				return outlineIsWritten(proposalId, earlier);
			},
		});
		return { records: [reading ? { ...(response as IDataObject), ...reading } : response] };
	},
	output: { asIs: outline },
});

/** @param earlier the outline that the new one replaces, which may still be returned for a moment */
function outlineIsWritten(proposalId: number, earlier: unknown): Watch {
	const replaced = JSON.stringify(earlier);
	let isNew = false;
	return {
		what: 'The outline',
		request: readOutline(proposalId),
		progress: (reading) => {
			// A response without a status is not an outline.
			isNew ||= 'status' in reading && JSON.stringify(reading) !== replaced;
			if (!isNew) return {};
			const status = String(reading.status);
			return { isDone: status === 'Completed', hasFailed: FAILED.test(status), status };
		},
	};
}

/** *Failed* is documented, others may exist. */
const FAILED = /fail|error|invalid|cancel|reject/i;

export const aiOutline: Resource = {
	name: 'AI Outline',
	description: 'An outline of AI content',
	operations: { generate, get },
};
