import { path, type ServiceRequest } from '../../../client/request';

export type Alternate = Pick<ServiceRequest, 'path'>;

/** Portal.io documents two paths for the AI content and outline of a proposal. The first is tried first. */
export const aiPaths = (proposalId: number, end: string): [Alternate, Alternate] => [
	{ path: path`/public/api/proposals/${proposalId}/ai/` + end },
	{ path: path`/public/proposals/${proposalId}/ai/` + end },
];

export const listContent = (proposalId: number): ServiceRequest => ({
	method: 'GET',
	path: '/public/ai/content',
	query: { ProposalId: proposalId },
	alternates: aiPaths(proposalId, 'content'),
});
