import { path, type ServiceRequest } from '../../../client/request';

type Place = Pick<ServiceRequest, 'path'>;

/** The two paths that the AI content or outline of a proposal may have, in the order to try. */
export const aiPaths = (proposalId: number, end: string): [Place, Place] => [
	{ path: path`/public/api/proposals/${proposalId}/ai/` + end },
	{ path: path`/public/proposals/${proposalId}/ai/` + end },
];

export const listContent = (proposalId: number): ServiceRequest => ({
	method: 'GET',
	path: '/public/ai/content',
	query: { ProposalId: proposalId },
	alternates: aiPaths(proposalId, 'content'),
});
