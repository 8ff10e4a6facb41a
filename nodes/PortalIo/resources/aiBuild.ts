import type { IDataObject } from 'n8n-workflow';
import { isProposal, proposalRequest, takeProposal, type Proposal } from '../../../client/model';
import { startWork, waitingOptions, type Watch } from '../operation/waitUntil';
import { operation, path, proposalId, type Resource } from './kit';

/** docs/dev/portal-api.md#ai-builder */
const start = operation({
	name: 'Start',
	action: 'Start AI build of proposal',
	description: 'Build the areas and items of a proposal from its completed outline',
	fields: { proposalId, options: waitingOptions('the areas and items are in the proposal') },
	run: async (call) => {
		const { proposalId } = call.values;
		const request = proposalRequest(proposalId);
		const { response, reading: proposal } = await startWork(call, {
			start: {
				method: 'POST',
				path: '/public/ai/build-proposal',
				json: { proposalId },
				alternates: [{ path: path`/public/proposals/${proposalId}/ai/build` }],
			},
			before: { what: 'The proposal', request, progress: () => ({ isDone: true }) },
			end: (unbuilt) => ({
				...{ what: 'The build', request, progress: isBuilt(takeProposal(unbuilt)) },
			}),
		});
		const built = { proposalId, ...(response as IDataObject), status: 'Completed', proposal };
		return { records: [proposal === undefined ? response : built] };
	},
	// The build itself; the full response also has the proposal, once it is built.
	output: { flat: { proposalId: 'integer', status: 'string' } },
});

/**
 * No response has the status of a build, so the proposal is read instead: it is built when it has
 * changed and then stays the same. Only the event reports that a build has failed.
 */
function isBuilt(unbuilt: Proposal): Watch['progress'] {
	const first = JSON.stringify(unbuilt.areas);
	let former = first;
	return (response) => {
		// Any other response says nothing about the build.
		if (!isProposal(response)) return {};
		const latest = JSON.stringify(response.areas);
		const isDone = latest !== first && latest === former;
		former = latest;
		return { isDone };
	};
}

export const aiBuild: Resource = {
	name: 'AI Build',
	description: 'Builds a proposal from an AI outline',
	operations: { start },
};
