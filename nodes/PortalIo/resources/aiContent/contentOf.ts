import { path } from '../../../../client/http/path';
import type { ServiceRequest } from '../../../../client/http/request';

/** Lists the content of a proposal. */
export const contentOf = (proposalId: number): ServiceRequest => ({
	method: 'GET',
	path: '/public/ai/content',
	query: { ProposalId: proposalId },
	alternate: { path: path`/public/api/proposals/${proposalId}/ai/content` },
});
