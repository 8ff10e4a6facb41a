import { path } from '../../../../client/http/path';
import { listOf } from '../../shared/answers';
import { contentId, paging, proposalId } from '../../shared/fields';
import type { Operation, Resource } from '../../shared/operation';
import { idOf } from '../../shared/values';
import { upload } from './upload';

/** Path: specification, *Further operations*; alternate and answer: public reference, 8.2. */
const getMany: Operation = {
	name: 'Get Many',
	action: 'Get many AI contents',
	description:
		'List the recordings and texts that were uploaded to a proposal, with their status. Changes nothing.',
	mark: 'spec',
	fields: [proposalId, ...paging],
	request: (parameters) => {
		const proposal = idOf(parameters.proposalId, 'Proposal');
		return {
			method: 'GET',
			path: '/public/ai/content',
			query: { ProposalId: proposal },
			alternate: { path: path`/public/api/proposals/${proposal}/ai/content` },
		};
	},
	output: (answer) => listOf(answer, 'items'),
};

/** Path: specification, *Further operations*; alternate: public reference, 8.3. */
const deleteContent: Operation = {
	name: 'Delete',
	action: 'Delete AI content',
	description: 'Delete a recording or text from a proposal for good. Possible only in Draft.',
	mark: 'spec',
	fields: [proposalId, contentId],
	request: (parameters) => {
		const proposal = idOf(parameters.proposalId, 'Proposal');
		const content = idOf(parameters.contentId, 'Content');
		return {
			method: 'DELETE',
			path: path`/public/ai/content/${content}`,
			alternate: { path: path`/public/api/proposals/${proposal}/ai/content/${content}` },
		};
	},
};

/** What a proposal can be built from (specification, *AI content item*). */
export const aiContent: Resource = {
	name: 'AI Content',
	operations: { delete: deleteContent, getMany, upload },
};
