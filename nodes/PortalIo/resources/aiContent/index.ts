/** docs/dev/portal-api.md#ai-builder */
import { contentId, proposalId } from '../../fields/locators';
import { field, oneRequest, operation, path, type Resource, type ServiceRequest } from '../kit';
import { contentShape, upload } from './upload';

export const listContent = (proposalId: number): ServiceRequest => ({
	method: 'GET',
	path: '/public/ai/content',
	query: { ProposalId: proposalId },
	alternates: [
		{ path: path`/public/api/proposals/${proposalId}/ai/content` },
		{ path: path`/public/proposals/${proposalId}/ai/content` },
	],
});

const getMany = operation({
	name: 'Get Many',
	action: 'Get many AI content files in proposal',
	description: 'Retrieve a list of the recordings and text files of a proposal',
	fields: { proposalId, ...field.paging },
	run: oneRequest(({ proposalId }) => listContent(proposalId), {
		list: ['items'],
		known: ({ proposalId }) => ({ proposalId }),
	}),
	output: { asIs: contentShape },
});

const deleteContent = operation({
	name: 'Delete',
	action: 'Delete AI content from proposal',
	description: 'Permanently delete a recording or text file from a proposal in Draft',
	fields: { proposalId, contentId },
	run: oneRequest((values) => ({
		method: 'DELETE',
		path: path`/public/ai/content/${values.contentId}`,
		alternates: [
			{ path: path`/public/api/proposals/${values.proposalId}/ai/content/${values.contentId}` },
			{ path: path`/public/proposals/${values.proposalId}/ai/content/${values.contentId}` },
		],
	})),
});

export const aiContent: Resource = {
	name: 'AI Content',
	description: 'Recordings and text files',
	operations: { delete: deleteContent, getMany, upload },
};
