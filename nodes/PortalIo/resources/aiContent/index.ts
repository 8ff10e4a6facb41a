/** See docs/dev/portal-api.md#ai-builder. */
import { path } from '../../../../client/request';
import { paging } from '../../fields/listFields';
import { contentId, proposalId } from '../../fields/locators';
import { runOneRequest, defineOperation, type Resource } from '../../operation/operation';
import { request } from '../../operation/requests';
import { aiPaths, readContent, contentRequest } from '../aiPaths';
import { contentQueue, contentShape } from './content';
import { upload } from './upload';

const getMany = defineOperation({
	name: 'Get Many',
	action: 'Get many AI content files in proposal',
	description: "Retrieve a list of a proposal's recordings and text files",
	kind: 'read',
	fields: { proposalId, ...paging },
	run: async ({ send, baseUrl, values: { proposalId } }) =>
		readContent(await send(contentRequest('GET', proposalId)), baseUrl, proposalId),
	output: { asIs: contentShape },
});

const deleteContent = defineOperation({
	name: 'Delete',
	action: 'Delete AI content from proposal',
	description: 'Permanently delete a recording or text file from a draft proposal',
	kind: 'change',
	queueKey: contentQueue,
	fields: { proposalId, contentId },
	run: runOneRequest(({ proposalId, contentId }) => ({
		...request.delete(path`/public/ai/content/${contentId}`),
		alternates: aiPaths(proposalId, path`content/${contentId}`),
	})),
	output: { confirms: 'deleted' },
});

export const aiContent: Resource = {
	name: 'AI Content',
	description: 'A recording or text file from which AI writes an outline',
	operations: { delete: deleteContent, getMany, upload },
};
