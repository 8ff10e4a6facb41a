import { path } from '../../../client/request';
import { proposalId } from '../fields/locators';
import { runOneRequest, defineOperation, type Resource } from '../operation/operation';

/** See docs/dev/portal-api.md#ai-builder. */
const start = defineOperation({
	name: 'Start',
	action: 'Start AI build for proposal',
	description:
		"Start building a proposal's areas and items from its completed outline. The trigger event 'AI Build Status Changed' reports when the build has finished.",
	kind: 'change',
	queue: 'proposalId',
	fields: { proposalId },
	run: runOneRequest(
		({ proposalId }) => ({
			method: 'POST',
			path: '/public/ai/build-proposal',
			json: { proposalId },
			alternates: [{ path: path`/public/proposals/${proposalId}/ai/build` }],
		}),
		{ inputFields: ['proposalId'] },
	),
	output: { asIs: { proposalId: 'integer', status: 'string' } },
});

export const aiBuild: Resource = {
	name: 'AI Build',
	description: 'The areas and items that AI builds from an outline',
	operations: { start },
};
