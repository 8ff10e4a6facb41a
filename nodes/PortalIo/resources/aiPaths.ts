import type { IDataObject } from 'n8n-workflow';
import { requireList } from '../../../client/responseShape';
import { path, workingPath, type ServiceRequest } from '../../../client/request';
import { addDefaults } from '../operation/output';

type Alternate = Pick<ServiceRequest, 'path'>;

/** Returns the two paths that Portal.io documents for the AI content and outline of a proposal. */
export const aiPaths = (proposalId: number, end: string): [Alternate, Alternate] => [
	{ path: path`/public/api/proposals/${proposalId}/ai/` + end },
	{ path: path`/public/proposals/${proposalId}/ai/` + end },
];

/** Returns the path without the proposal's ID, which is sent in the query instead (assumed). */
const generalPath = (proposalId: number) => ({
	path: '/public/ai/content',
	query: { ProposalId: proposalId },
});

/** Returns the request that lists or uploads content. The proposal's paths are tried before the general path. */
export const contentRequest = (
	method: 'GET' | 'POST',
	proposalId: number,
	[first, second] = aiPaths(proposalId, 'content'),
): ServiceRequest => ({ method, ...first, alternates: [second, generalPath(proposalId)] });

/**
 * Returns the proposal's ID for records that lack it. If Portal.io has only the general path, returns an empty object,
 * because Portal.io might have ignored the ID in the query.
 */
export const confirmedProposalId = (
	baseUrl: string,
	request: ServiceRequest,
	proposalId: number,
): { proposalId?: number } =>
	workingPath(baseUrl, request) === generalPath(proposalId).path ? {} : { proposalId };

export function readContent(response: unknown, baseUrl: string, proposalId: number): IDataObject[] {
	const ids = confirmedProposalId(baseUrl, contentRequest('GET', proposalId), proposalId);
	return requireList(response, 'items')
		.map((record) => addDefaults(record, ids) as IDataObject)
		.filter((record) => (record.proposalId ?? proposalId) === proposalId);
}
