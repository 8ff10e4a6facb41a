import { path } from '../../../../client/encoding';
import type { OperationRequest } from '../../unconfirmed/alternatePaths';

/** The fields of content. */
export const contentSchema = {
	proposalId: 'integer',
	id: 'integer',
	name: 'string',
	summary: 'string',
	status: 'string',
	sourceType: 'string',
	createdDate: 'string',
	userCreated: 'object',
} as const;

/** Lists the content of a proposal. */
export const listContent = (proposalId: number): OperationRequest => ({
	method: 'GET',
	path: '/public/ai/content',
	query: { ProposalId: proposalId },
	alternate: { path: path`/public/api/proposals/${proposalId}/ai/content` },
});
