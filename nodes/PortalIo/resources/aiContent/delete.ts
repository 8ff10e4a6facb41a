import { path } from '../../../../client/encoding';
import { contentId, proposalId } from '../../fields/locators';
import { operation } from '../../operation/operation';

/** docs/dev/portal-api.md#ai-builder */
export const deleteContent = operation({
	name: 'Delete',
	action: 'Delete AI content from proposal',
	description:
		'Permanently delete a recording or text file from a proposal. The proposal must be in Draft.',
	fields: { proposalId, contentId },
	request: (values) => ({
		method: 'DELETE',
		path: path`/public/ai/content/${values.contentId}`,
		alternates: [
			{ path: path`/public/api/proposals/${values.proposalId}/ai/content/${values.contentId}` },
			{ path: path`/public/proposals/${values.proposalId}/ai/content/${values.contentId}` },
		],
	}),
});
