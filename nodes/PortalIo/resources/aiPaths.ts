import type { IDataObject } from 'n8n-workflow';
import { requireList } from '../../../client/guards';
import { path, workingPath, type ServiceRequest } from '../../../client/request';
import { withDefaults } from '../operation/output';

type Alternate = Pick<ServiceRequest, 'path'>;

/** Portal.io documents two paths for the AI content and outline of a proposal. The first is tried first. */
export const aiPaths = (proposalId: number, end: string): [Alternate, Alternate] => [
	{ path: path`/public/api/proposals/${proposalId}/ai/` + end },
	{ path: path`/public/proposals/${proposalId}/ai/` + end },
];

/** This path does not contain the proposal. How it learns of the proposal is not documented. */
const generalPath = (proposalId: number) => ({
	path: '/public/ai/content',
	query: { ProposalId: proposalId },
});

/** Returns the request that lists or uploads content, with the paths of the proposal before the general one. */
export const contentRequest = (
	method: 'GET' | 'POST',
	proposalId: number,
	[first, second] = aiPaths(proposalId, 'content'),
): ServiceRequest => ({ method, ...first, alternates: [second, generalPath(proposalId)] });

/**
 * Returns the ID of the proposal for records that lack it, unless the last such request had the general path:
 * Portal.io may have ignored the proposal there.
 */
export const provenProposal = (
	baseUrl: string,
	request: ServiceRequest,
	proposalId: number,
): { proposalId?: number } =>
	workingPath(baseUrl, request) === generalPath(proposalId).path ? {} : { proposalId };

/** Reads the list of the content of a proposal from the response. */
export function contentIn(response: unknown, baseUrl: string, proposalId: number): IDataObject[] {
	const ids = provenProposal(baseUrl, contentRequest('GET', proposalId), proposalId);
	return requireList(response, 'items')
		.map((record) => withDefaults(record, ids) as IDataObject)
		.filter((record) => (record.proposalId ?? proposalId) === proposalId);
}
